// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/charts/pathmtuchart.h"

#include "ui/measure/measurewords.h"
#include "ui/widgets/headings.h"

#include <QLocale>

#include <algorithm>

namespace napkin {

namespace {

QString bytesText(int bytes)
{
    return QLocale().toString(bytes) + QChar(QChar::Nbsp) + QLatin1Char('B');
}

} // namespace

PathMtuChart::PathMtuChart(QWidget* parent)
    : PlotView(parent)
{
    setAccessibleName(tr("Chart of the packet sizes tried"));
    begin();
}

void PathMtuChart::begin()
{
    m_summary.reset();
    setData({});
}

void PathMtuChart::setData(const PathMtuData& data)
{
    m_data = data;
    tell();
}

void PathMtuChart::setSummary(const PathMtuSummary& summary)
{
    m_summary = summary;
    tell();
}

void PathMtuChart::tell()
{
    QStringList lines;
    for (const auto direction : {Direction::Forward, Direction::Reverse}) {
        if (!tried(direction).empty())
            lines << sideWords(direction);
    }
    setAccessibleDescription(lines.isEmpty() ? tr("Nothing measured yet")
                                             : lines.join(QLatin1Char('\n')));
    update();
}

std::vector<SizeProbe> PathMtuChart::tried(Direction direction) const
{
    std::vector<SizeProbe> probes;
    std::ranges::copy_if(m_data.probes, std::back_inserter(probes),
                         [direction](const SizeProbe& one) { return one.direction == direction; });
    std::ranges::sort(probes, std::ranges::greater(), &SizeProbe::size);
    return probes;
}

std::optional<int> PathMtuChart::interfaceMtu(Direction direction) const
{
    return direction == Direction::Forward ? m_data.nearInterfaceMtu : m_data.farInterfaceMtu;
}

QString PathMtuChart::fateWords(const SizeProbe& probe)
{
    switch (probe.fate) {
    case SizeProbe::Fate::Passed:
        return tr("passed");
    case SizeProbe::Fate::TooBigHere:
        return tr("too big for the interface");
    case SizeProbe::Fate::TooBigOnWay:
        return probe.by.isEmpty() ? tr("too big, the path said")
                                  : tr("too big, said %1", "an address").arg(probe.by);
    case SizeProbe::Fate::Silent:
        return tr("no answer");
    }
    return {};
}

QString PathMtuChart::sideWords(Direction direction) const
{
    QStringList words;
    const auto& side = direction == Direction::Forward
                           ? (m_summary ? m_summary->forward : std::nullopt)
                           : (m_summary ? m_summary->reverse : std::nullopt);
    if (side && side->mtu)
        words << tr("path MTU %1").arg(bytesText(*side->mtu));
    if (const auto own = interfaceMtu(direction))
        words << (direction == Direction::Forward
                      ? tr("near end’s interface %1").arg(bytesText(*own))
                      : tr("far end’s interface %1").arg(bytesText(*own)));
    for (const SizeProbe& one : tried(direction))
        words << tr("%1 %2", "a size, what became of it").arg(bytesText(one.size), fateWords(one));
    return arrow(direction) + QLatin1Char(' ') + words.join(QStringLiteral(", "));
}

void PathMtuChart::paintPlot(QPainter& painter)
{
    const bool both = !tried(Direction::Reverse).empty();
    QRectF outer = inner();
    if (!both) {
        paintSide(painter, outer, Direction::Forward, {});
        return;
    }
    const double half = (outer.width() - gap(6)) / 2;
    paintSide(painter, QRectF(outer.left(), outer.top(), half, outer.height()), Direction::Forward,
              tr("→ to the far end"));
    paintSide(painter, QRectF(outer.right() - half, outer.top(), half, outer.height()),
              Direction::Reverse, tr("← from the far end"));
}

void PathMtuChart::paintSide(QPainter& painter, const QRectF& outer, Direction direction,
                             const QString& title)
{
    const std::vector<SizeProbe> probes = tried(direction);
    const double top = lineHeight() * (title.isEmpty() ? 1.2 : 2.4); // the interface is named there
    PlotPanel panel;
    panel.x.setFromZero(largestSize()); // both sides on one scale
    panel.x.title = tr("IP packet (B)");
    const double names = widthOf(bytesText(100'000));
    double words = 0;
    for (const SizeProbe& one : probes)
        words = std::max(words, widthOf(fateWords(one)) + gap(3));
    words = std::min(words, outer.width() * 0.4);
    layOut(panel, outer.adjusted(names, top, 0, 0), words);
    painter.setFont(smallFont());
    painter.setPen(color(ColorRole::Text));
    painter.drawText(QRectF(outer.left(), outer.top(), outer.width(), lineHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter, title);
    drawAxes(painter, panel, Grid::Vertical);
    const double room =
        panel.area.height() / std::max<double>(static_cast<double>(probes.size()), 8);
    const double height = std::min(room, lineHeight() + gap(2));
    for (std::size_t i = 0; i < probes.size(); ++i) {
        const double y = panel.area.top() + static_cast<double>(i) * height;
        drawBar(painter,
                QRectF(panel.area.left(), y + height * 0.15,
                       panel.place(probes[i].size, 0).x() - panel.area.left(), height * 0.7),
                probes[i]);
    }
    for (const std::size_t i : named(probes, height)) {
        const double y = panel.area.top() + (static_cast<double>(i) + 0.5) * height;
        drawWords(painter, panel, y, names, words - gap(2), probes[i]);
    }
    if (const auto own = interfaceMtu(direction))
        drawInterface(painter, panel, direction, *own);
}

double PathMtuChart::largestSize() const
{
    int largest = 0;
    for (const auto direction : {Direction::Forward, Direction::Reverse})
        largest = std::max(largest, interfaceMtu(direction).value_or(0));
    for (const SizeProbe& one : m_data.probes)
        largest = std::max(largest, one.size);
    return largest > 0 ? largest : 1'500;
}

// Where there is no room for the words of all: those at the edge first, then what fits between.
std::vector<std::size_t> PathMtuChart::named(const std::vector<SizeProbe>& probes,
                                             double height) const
{
    const auto passes = [](const SizeProbe& one) { return one.fate == SizeProbe::Fate::Passed; };
    const auto edge =
        static_cast<std::size_t>(std::ranges::find_if(probes, passes) - probes.begin());
    std::vector<std::size_t> order;
    if (edge < probes.size())
        order.push_back(edge);
    if (edge > 0)
        order.push_back(edge - 1);
    for (std::size_t i = 0; i < probes.size(); ++i)
        order.push_back(i);
    std::vector<std::size_t> taken;
    for (const std::size_t i : order) {
        const bool fits = std::ranges::none_of(taken, [&](std::size_t other) {
            const double apart = std::abs(static_cast<double>(i) - static_cast<double>(other));
            return apart * height < lineHeight() - 2;
        });
        if (fits)
            taken.push_back(i);
    }
    return taken;
}

void PathMtuChart::drawWords(QPainter& painter, const PlotPanel& panel, double y, double names,
                             double room, const SizeProbe& probe) const
{
    const double top = y - lineHeight() / 2;
    const QFontMetricsF metrics(smallFont());
    painter.setFont(smallFont());
    painter.setPen(color(ColorRole::Text));
    painter.drawText(QRectF(panel.area.left() - names - gap(4), top, names + gap(2), lineHeight()),
                     Qt::AlignRight | Qt::AlignVCenter, bytesText(probe.size));
    painter.setPen(probe.fate == SizeProbe::Fate::Silent ? color(ColorRole::Problem)
                                                         : color(ColorRole::Secondary));
    painter.drawText(QRectF(panel.area.right() + gap(2), top, room, lineHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(fateWords(probe), Qt::ElideRight, room));
}

void PathMtuChart::drawBar(QPainter& painter, const QRectF& bar, const SizeProbe& probe) const
{
    switch (probe.fate) {
    case SizeProbe::Fate::Passed:
        painter.fillRect(bar, color(ColorRole::Measured));
        return;
    case SizeProbe::Fate::TooBigHere:
    case SizeProbe::Fate::TooBigOnWay:
        painter.setPen(QPen(color(ColorRole::Caution), 1.2));
        painter.setBrush(Qt::NoBrush);
        break;
    case SizeProbe::Fate::Silent:
        painter.setPen(QPen(color(ColorRole::Problem), 1.2, Qt::DashLine));
        painter.setBrush(QBrush(color(ColorRole::Problem), Qt::BDiagPattern));
        break;
    }
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
}

void PathMtuChart::drawInterface(QPainter& painter, const PlotPanel& panel, Direction direction,
                                 int mtu) const
{
    const QColor ink = color(ColorRole::Rated);
    const double x = panel.place(mtu, 0).x();
    painter.setPen(QPen(ink, 1.4, Qt::DashLine));
    painter.drawLine(QPointF(x, panel.area.top() - 4), QPointF(x, panel.area.bottom()));
    const QString text = direction == Direction::Forward
                             ? tr("near end’s interface %1").arg(bytesText(mtu))
                             : tr("far end’s interface %1").arg(bytesText(mtu));
    painter.setFont(smallFont());
    painter.setPen(ink);
    const bool leftOf = x > panel.area.center().x();
    painter.drawText(QRectF(leftOf ? x - widthOf(text) - 6 : x + 4,
                            panel.area.top() - lineHeight() - 2, widthOf(text) + 4, lineHeight()),
                     (leftOf ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text);
}

} // namespace napkin
