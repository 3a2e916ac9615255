// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCoreApplication;

namespace napkin {

// Loads the words of Napkin and of Qt for the user's language; English where there are none. Call
// once, before anything is shown. The translators belong to the application.
void installTranslations(QCoreApplication& app);

} // namespace napkin
