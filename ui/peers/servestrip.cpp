// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/peers/servestrip.h"

#include "ui/peers/peerdesk.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace napkin {

namespace {

constexpr int dotSide = 10;

} // namespace

ServeStrip::ServeStrip(PeerDesk* desk, QWidget* parent)
    : QFrame(parent)
    , m_desk(desk)
    , m_text(new QLabel)
    , m_stop(new QPushButton(tr("Stop")))
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setMinimumWidth(80);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* show = new QPushButton(tr("Peers"));
    show->setToolTip(tr("Who may measure this machine"));
    m_stop->setAccessibleName(tr("Stop letting others measure this machine"));
    connect(show, &QPushButton::clicked, this, &ServeStrip::peersRequested);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_desk->stopServing();
        m_desk->stopThroughput();
    });
    connect(desk, &PeerDesk::servingChanged, this, &ServeStrip::refresh);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(gap(3) + dotSide + gap(2), gap(1), gap(3), gap(1));
    row->setSpacing(gap(2));
    row->addWidget(m_text, 1);
    row->addWidget(show);
    row->addWidget(m_stop);
    hide();
    refresh();
}

QString ServeStrip::text() const
{
    return m_text->text();
}

void ServeStrip::refresh()
{
    QStringList parts;
    if (m_desk->isServing()) {
        const QStringList who = m_desk->connected();
        parts << tr("Paired machines may measure this one (port %1).").arg(m_desk->servingPort());
        parts << (who.isEmpty() ? tr("Nobody is connected.")
                                : tr("Connected: %1.").arg(who.join(QStringLiteral(", "))));
    }
    if (m_desk->isThroughputOn()) {
        const QString client = m_desk->throughputClient();
        parts << (client.isEmpty()
                      ? tr("The iperf3 service is on (port %1).").arg(m_desk->throughputPort())
                      : tr("The iperf3 service measures with %1.").arg(client));
    }
    const bool wanted = !parts.isEmpty();
    const bool changed = wanted == isHidden();
    m_text->setText(parts.join(u' '));
    m_text->setToolTip(m_text->text());
    setAccessibleName(m_text->text());
    setVisible(wanted);
    if (changed)
        Q_EMIT shownOrHidden();
}

void ServeStrip::paintEvent(QPaintEvent*)
{
    const QColor caution = themeColor(ColorRole::Caution, palette());
    QColor tint = caution;
    tint.setAlphaF(0.10F);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), tint);
    painter.setPen(Qt::NoPen);
    painter.setBrush(caution);
    painter.drawEllipse(QRectF(gap(3), (height() - dotSide) / 2.0, dotSide, dotSide));
}

} // namespace napkin
