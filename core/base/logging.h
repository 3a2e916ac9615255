// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLoggingCategory>

namespace napkin {

// Switch on with QT_LOGGING_RULES="napkin.*=true". Log lines are English and for developers.
Q_DECLARE_LOGGING_CATEGORY(lcBase)
Q_DECLARE_LOGGING_CATEGORY(lcMeasure)
Q_DECLARE_LOGGING_CATEGORY(lcServer)
Q_DECLARE_LOGGING_CATEGORY(lcNotebook)
Q_DECLARE_LOGGING_CATEGORY(lcUi)

} // namespace napkin
