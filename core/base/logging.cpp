// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/logging.h"

namespace napkin {

Q_LOGGING_CATEGORY(lcBase, "napkin.base", QtWarningMsg)
Q_LOGGING_CATEGORY(lcMeasure, "napkin.measure", QtWarningMsg)
Q_LOGGING_CATEGORY(lcServer, "napkin.server", QtWarningMsg)
Q_LOGGING_CATEGORY(lcNotebook, "napkin.notebook", QtWarningMsg)
Q_LOGGING_CATEGORY(lcUi, "napkin.ui", QtWarningMsg)

} // namespace napkin
