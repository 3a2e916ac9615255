// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
#include "core/results/rateseries.h"
#include "core/workflow/resultrows.h"

#include <QCoreApplication>

#include <cmath>

namespace napkin::detail {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ResultText)
};

QString rateText(double bitsPerSecond)
{
    return formatBitRate(BitRate::bitsPerSecond(std::llround(bitsPerSecond)));
}

} // namespace

ResultText rowsOf(const ThroughputOptions& options, const ThroughputData& data)
{
    ResultText text;
    if (options.ending != Ending::WhenSure)
        return text;
    if (const auto forward = rateCertainty(data, Direction::Forward))
        text.rows.push_back(certaintyRow(Words::tr("Forward, mean"), *forward, rateText));
    if (const auto reverse = rateCertainty(data, Direction::Reverse))
        text.rows.push_back(certaintyRow(Words::tr("Reverse, mean"), *reverse, rateText));
    return text;
}

} // namespace napkin::detail
