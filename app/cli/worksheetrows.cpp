// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/worksheetrows.h"

#include "core/catalogue/catalogue.h"

namespace napkin::cli {

QCoro::Task<Result<std::vector<WorksheetRow>>> worksheetRows(std::shared_ptr<Notebook> notebook)
{
    const auto catalogue = Catalogue::load();
    if (!catalogue)
        co_return tl::unexpected(catalogue.error());
    const auto links = co_await notebook->links();
    if (!links)
        co_return tl::unexpected(links.error());
    const auto records = co_await notebook->records(RecordQuery{});
    if (!records)
        co_return tl::unexpected(records.error());
    co_return buildWorksheet(*links, *records, *catalogue);
}

} // namespace napkin::cli
