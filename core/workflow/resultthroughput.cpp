// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quantity/format.h"
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

ResultText rowsOf(const ThroughputSummary& summary)
{
    ResultText text;
    if (summary.forward && summary.forward->certainty)
        text.rows.push_back(
            certaintyRow(Words::tr("Forward, mean"), *summary.forward->certainty, rateText));
    if (summary.reverse && summary.reverse->certainty)
        text.rows.push_back(
            certaintyRow(Words::tr("Reverse, mean"), *summary.reverse->certainty, rateText));
    return text;
}

} // namespace napkin::detail
