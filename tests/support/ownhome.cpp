// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>

// Part of every test: a home of its own before anything asks for one, whoever starts it. Without it
// a test started by hand would clear the settings of the developer.
namespace {

[[maybe_unused]] const bool hasOwnHome = [] {
    qputenv("HOME", NAPKIN_TEST_HOME);
    qputenv("XDG_CONFIG_HOME", NAPKIN_TEST_HOME "/config");
    qputenv("XDG_DATA_HOME", NAPKIN_TEST_HOME "/data");
    qunsetenv("XDG_CONFIG_DIRS");
    return true;
}();

} // namespace
