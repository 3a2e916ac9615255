// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/textreport.h"
#include "core/catalogue/catalogue.h"
#include "core/notebook/notebook.h"

#include <QCoroTask>

#include <memory>
#include <optional>
#include <tuple>

namespace napkin::cli {

// A fault with an advice that fits it better than the usual one (which an empty one stands for).
struct LinkFault
{
    Error error;
    QString advice;
};

struct LinkChoice
{
    LinkEntry link;
    bool isNew = false; // planned: it comes into being with the first record
};

// The link of that name in the notebook; a new one when a class is given and there is none.
QCoro::Task<tl::expected<LinkChoice, LinkFault>>
chooseLink(std::shared_ptr<Notebook> notebook, std::shared_ptr<const Catalogue> catalogue,
           QString name, QString classId);

// What to hold a run on it against.
[[nodiscard]] LinkOfRun linkOfRun(const QString& name, const QString& classId,
                                  const Catalogue& catalogue);

} // namespace napkin::cli
