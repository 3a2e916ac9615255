// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>

#include <cerrno>

// Part of every test: a home of its own before anything asks for one, whoever starts it. Without it
// a test started by hand would clear the settings of the developer.
namespace {

[[maybe_unused]] const bool hasOwnHome = [] {
    const QByteArray home = QByteArray(NAPKIN_TEST_HOMES "/") + program_invocation_short_name;
    qputenv("HOME", home);
    qputenv("XDG_CONFIG_HOME", home + "/config");
    qputenv("XDG_DATA_HOME", home + "/data");
    qunsetenv("XDG_CONFIG_DIRS");
    return true;
}();

} // namespace
