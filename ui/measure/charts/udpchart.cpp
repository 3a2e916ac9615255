// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/udpchart.h"

#include "core/quantity/format.h"
#include "ui/measure/measurewords.h"

#include <QLocale>
#include <QPainterPath>

#include <algorithm>

namespace napkin {

namespace {

constexpr int lossSteps = 200;

QPainterPath pathOf(const QList<QPointF>& points, const PlotPanel& panel)
{
    QPainterPath path;
    for (qsizetype i = 0; i < points.size(); ++i) {
        const QPointF at = panel.place(points[i].x(), points[i].y());
        if (i == 0)
            path.moveTo(at);
        else
            path.lineTo(at);
    }
    return path;
}

} // namespace

UdpChart::UdpChart(QWidget* parent)
    : PlotView(parent)
{
    setAccessibleName(tr("Chart of UDP offered and arrived, and of what was lost"));
    begin({});
}

void UdpChart::begin(const UdpOptions& options)
{
    m_options = options;
    const Duration whole = options.duration + options.omit;
    m_expected = std::max(inSeconds(whole), 1.0);
    m_step = std::max(0.5, m_expected / lossSteps);
    m_offered = RateHistory(options.streams, whole);
    m_arrived = RateHistory(options.streams, whole);
    m_forward.clear();
    m_reverse.clear();
    m_summary.reset();
    m_count = 0;
    add({});
}

std::vector<UdpChart::Step>& UdpChart::steps(Direction direction)
{
    return direction == Direction::Forward ? m_forward : m_reverse;
}

const std::vector<UdpChart::Step>& UdpChart::steps(Direction direction) const
{
    return direction == Direction::Forward ? m_forward : m_reverse;
}

void UdpChart::add(const std::vector<UdpSample>& fresh)
{
    std::vector<ThroughputSample> offered;
    std::vector<ThroughputSample> arrived;
    for (const UdpSample& one : fresh) {
        ThroughputSample rate;
        rate.stream = one.stream;
        rate.direction = one.direction;
        rate.start = one.start;
        rate.length = one.length;
        rate.bytes = one.bytes;
        rate.omitted = one.omitted;
        (one.atReceiver ? arrived : offered).push_back(rate);
        if (!one.atReceiver)
            continue;
        const double middle = inSeconds(one.start + one.length / 2);
        if (middle < 0 || middle > 10 * m_expected)
            continue;
        std::vector<Step>& all = steps(one.direction);
        const auto at = static_cast<std::size_t>(middle / m_step);
        if (all.size() <= at)
            all.resize(at + 1);
        all[at].received += one.packets;
        if (one.lost) {
            all[at].lost += *one.lost;
            all[at].isTold = true;
        }
    }
    m_offered.add(offered);
    m_arrived.add(arrived);
    m_count += static_cast<int>(fresh.size());
    setAccessibleDescription(inWords());
    update();
}

void UdpChart::setSummary(const UdpSummary& summary)
{
    m_summary = summary;
    setAccessibleDescription(inWords());
    update();
}

std::optional<BitRate> UdpChart::newest(Direction direction) const
{
    return m_arrived.newest(direction);
}

std::optional<BitRate> UdpChart::newestOffered(Direction direction) const
{
    return m_offered.newest(direction);
}

const UdpDirectionSummary* UdpChart::side(Direction direction) const
{
    if (!m_summary)
        return nullptr;
    const auto& one = direction == Direction::Forward ? m_summary->forward : m_summary->reverse;
    return one ? &*one : nullptr;
}

bool UdpChart::isAsked(Direction direction) const
{
    return m_options.flow == Flow::Bidirectional ||
           (m_options.flow == Flow::Forward) == (direction == Direction::Forward);
}

std::optional<double> UdpChart::meanArrived(Direction direction) const
{
    const UdpDirectionSummary* known = side(direction);
    if (!known || !known->fromTotals || !known->arrived || !m_arrived.segments(direction).empty())
        return std::nullopt;
    return static_cast<double>(known->arrived->bitsPerSecond());
}

QString UdpChart::lossWords(Direction direction) const
{
    const auto& all = steps(direction);
    const bool isTold = std::ranges::any_of(all, &Step::isTold);
    const bool hasLost = std::ranges::any_of(all, [](const Step& one) { return one.lost != 0; });
    if (isTold)
        return hasLost     ? QString()
               : m_summary ? tr("nothing was lost (0 %)")
                           : tr("nothing lost so far (0 %)");
    if (!m_summary)
        return tr("not known yet: the far end tells at the end what arrived");
    const UdpDirectionSummary* known = side(direction);
    if (!known || !known->lossRatio)
        return tr("not known: the receiver did not tell");
    return known->lossRatio->value() <= 0 ? tr("nothing was lost (0 %)")
                                          : tr("%1 lost over the whole run; when was not told")
                                                .arg(formatRatio(*known->lossRatio));
}

QString UdpChart::lossWords() const
{
    QStringList lines;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        if (!isAsked(direction) || (m_count == 0 && !m_summary))
            continue;
        if (const QString words = lossWords(direction); !words.isEmpty())
            lines << (m_options.flow == Flow::Bidirectional
                          ? arrow(direction) + QLatin1Char(' ') + words
                          : words);
    }
    return lines.join(QLatin1Char('\n'));
}

QString UdpChart::inWords() const
{
    if (m_count == 0)
        return tr("Nothing measured yet");
    QStringList lines;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const UdpDirectionSummary* side = this->side(direction);
        if (!side)
            continue;
        QStringList words;
        if (side->arrived)
            words << tr("%1 arrived").arg(formatBitRate(*side->arrived));
        if (side->offered)
            words.prepend(tr("%1 offered").arg(formatBitRate(*side->offered)));
        if (side->lossRatio)
            words << tr("%1 lost").arg(formatRatio(*side->lossRatio));
        lines << arrow(direction) + QLatin1Char(' ') + words.join(QStringLiteral(", "));
    }
    if (lines.isEmpty())
        lines << tr("%1 s so far").arg(formatNumber(std::max(m_arrived.end(), m_offered.end())));
    if (const QString loss = lossWords(); !loss.isEmpty())
        lines << tr("Lost: %1").arg(loss);
    return lines.join(QLatin1Char('\n'));
}

void UdpChart::setRateScale(PlotAxis& axis) const
{
    const double top = 1.05 * std::max({m_offered.highest(), m_arrived.highest(),
                                        static_cast<double>(m_options.rate.bitsPerSecond())});
    const double scale = top >= 1e9 ? 1e9 : top >= 1e6 ? 1e6 : 1e3;
    axis.setFromZero(top,
                     [scale](double bits) { return QLocale().toString(bits / scale, 'g', 6); });
    axis.title = scale >= 1e9   ? QStringLiteral("Gb/s")
                 : scale >= 1e6 ? QStringLiteral("Mb/s")
                                : QStringLiteral("kb/s");
}

void UdpChart::setTimeScale(PlotAxis& axis) const
{
    axis.setFromZero(std::max({m_expected, m_arrived.end(), m_offered.end()}));
}

void UdpChart::paintPlot(QPainter& painter)
{
    const QRectF outer = inner();
    const double below = std::max(outer.height() * 0.32, 3.5 * lineHeight());
    PlotPanel rates;
    setTimeScale(rates.x);
    setRateScale(rates.y);
    PlotPanel loss;
    setTimeScale(loss.x);
    loss.x.title = tr("Time (s)");
    double highest = 0;
    double lowest = 0;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        for (const Step& step : steps(direction)) {
            const double sent = static_cast<double>(step.received + step.lost);
            if (!step.isTold || sent <= 0)
                continue;
            highest = std::max(highest, static_cast<double>(step.lost) / sent);
            lowest = std::min(lowest, static_cast<double>(step.lost) / sent);
        }
    }
    loss.y.setFromZero(std::max(highest * 105, 1.0));
    loss.y.low = std::min(0.0, lowest * 105); // late packets take a loss back
    while (loss.y.ticks.size() > 3)
        loss.y.ticks.remove(1, loss.y.ticks.size() - 2);
    loss.y.title = tr("Lost (%)");
    double room = 0;
    for (const Name& one : names())
        room = std::max(room, widthOf(one.text) + gap(1));
    layOut(rates, outer.adjusted(0, 0, 0, -below - gap(2)), room);
    layOut(loss, QRectF(outer.left(), outer.bottom() - below, outer.width(), below));
    // One time axis: both begin and end in one line.
    const double left = std::max(rates.area.left(), loss.area.left());
    const double right = std::min(rates.area.right(), loss.area.right());
    for (PlotPanel* panel : {&rates, &loss}) {
        panel->area.setLeft(left);
        panel->area.setRight(right);
    }
    for (PlotAxis::Tick& tick : rates.x.ticks)
        tick.text.clear(); // they stand below
    drawAxes(painter, rates, Grid::Horizontal);
    drawAxes(painter, loss, Grid::Horizontal);
    drawRates(painter, rates);
    drawNames(painter, rates);
    drawLoss(painter, loss);
    if (const QString words = lossWords(); !words.isEmpty()) {
        painter.setFont(smallFont());
        painter.setPen(color(ColorRole::Secondary));
        painter.drawText(loss.area, Qt::AlignCenter | Qt::TextWordWrap, words);
    }
    drawReadout(painter, rates);
}

void UdpChart::drawRates(QPainter& painter, const PlotPanel& panel) const
{
    if (m_arrived.omitUntil() > 0) {
        QColor shade = color(ColorRole::Secondary);
        shade.setAlphaF(0.12F);
        QRectF left = panel.area;
        left.setRight(panel.place(m_arrived.omitUntil(), 0).x());
        painter.fillRect(left, shade);
    }
    painter.setBrush(Qt::NoBrush);
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const QColor ink = series(direction == Direction::Forward ? 0 : 1);
        painter.setPen(QPen(ink, 1.4, Qt::DashLine));
        for (const auto& segment : m_offered.segments(direction))
            painter.drawPath(pathOf(segment, panel));
        painter.setPen(QPen(ink, 2.2));
        for (const auto& segment : m_arrived.segments(direction))
            painter.drawPath(pathOf(segment, panel));
        if (const auto mean = meanArrived(direction)) {
            painter.setPen(QPen(ink, 2.2, Qt::DotLine));
            const double y = panel.place(panel.x.low, *mean).y();
            painter.drawLine(QPointF(panel.area.left(), y), QPointF(panel.area.right(), y));
        }
    }
}

// Beside the ends of the lines, apart even where these lie close together.
std::vector<UdpChart::Name> UdpChart::names() const
{
    std::vector<Name> all;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        for (const auto* history : {&m_offered, &m_arrived}) {
            const auto segments = history->segments(direction);
            if (segments.empty())
                continue;
            const QString what = history == &m_offered ? tr("offered") : tr("arrived");
            all.push_back({segments.back().back().y(), arrow(direction) + QLatin1Char(' ') + what,
                           series(direction == Direction::Forward ? 0 : 1)});
        }
        if (const auto mean = meanArrived(direction))
            all.push_back({*mean, arrow(direction) + QLatin1Char(' ') + tr("arrived, mean"),
                           series(direction == Direction::Forward ? 0 : 1)});
    }
    std::ranges::sort(all, std::ranges::greater(), &Name::rate);
    return all;
}

void UdpChart::drawNames(QPainter& painter, const PlotPanel& panel) const
{
    const std::vector<Name> all = names();
    const double height = lineHeight();
    double free = panel.area.top() - height / 2;
    painter.setFont(smallFont());
    for (const Name& one : all) {
        const double top = std::max(free, panel.place(panel.x.low, one.rate).y() - height / 2);
        painter.setPen(one.ink);
        painter.drawText(QRectF(panel.area.right() + gap(1), top, width(), height),
                         Qt::AlignLeft | Qt::AlignVCenter, one.text);
        free = top + height;
    }
}

void UdpChart::drawLoss(QPainter& painter, const PlotPanel& panel) const
{
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        const bool forward = direction == Direction::Forward;
        const bool both = !m_forward.empty() && !m_reverse.empty();
        const QColor ink = both ? series(forward ? 0 : 1) : color(ColorRole::Problem);
        const auto& all = steps(direction);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double sent = static_cast<double>(all[i].received + all[i].lost);
            if (!all[i].isTold || sent <= 0)
                continue; // not known: a gap
            const double share = static_cast<double>(all[i].lost) / sent * 100;
            const double from = static_cast<double>(i) * m_step;
            QRectF bar(panel.place(from, share), panel.place(from + m_step, 0));
            bar = bar.normalized().adjusted(0, 0, -1, 0);
            if (both) {
                bar.setWidth(bar.width() / 2);
                if (!forward)
                    bar.translate(bar.width(), 0);
            }
            painter.fillRect(bar, ink);
        }
    }
}

void UdpChart::drawReadout(QPainter& painter, const PlotPanel& panel) const
{
    if (!pointer() || pointer()->x() < panel.area.left() || pointer()->x() > panel.area.right())
        return;
    const double x = pointer()->x();
    const double when = panel.x.value((x - panel.area.left()) / panel.area.width());
    painter.setPen(QPen(color(ColorRole::Secondary), 1, Qt::DotLine));
    painter.drawLine(QPointF(x, panel.area.top()), QPointF(x, panel.area.bottom()));
    double y = panel.area.top() + lineHeight();
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        QStringList words;
        if (const auto rate = m_offered.at(direction, when))
            words << tr("%1 offered").arg(formatBitRate(*rate));
        if (const auto rate = m_arrived.at(direction, when))
            words << tr("%1 arrived").arg(formatBitRate(*rate));
        if (words.isEmpty())
            continue;
        drawNote(painter, panel.area, {x + 6, y},
                 arrow(direction) + QLatin1Char(' ') + words.join(QStringLiteral(", ")),
                 series(direction == Direction::Forward ? 0 : 1), Qt::AlignLeft);
        y += lineHeight() + 4;
    }
}

} // namespace napkin
