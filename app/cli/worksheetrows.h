// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/notebook/notebook.h"
#include "core/notebook/worksheet.h"

#include <QCoroTask>

#include <memory>
#include <vector>

namespace napkin::cli {

// The worksheet of everything in the notebook.
QCoro::Task<Result<std::vector<WorksheetRow>>> worksheetRows(std::shared_ptr<Notebook> notebook);

} // namespace napkin::cli
