// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/gotobox.h"

#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace napkin {

namespace {

constexpr int mostShown = 60;
constexpr int detailRole = Qt::UserRole + 1;
constexpr int itemRole = Qt::UserRole;

// Title on the left, what it is on the right.
class GoToDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        painter->save();
        const QPalette& p = option.palette;
        if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
            QColor tint = themeColor(ColorRole::Accent, p);
            tint.setAlphaF(option.state & QStyle::State_Selected ? 0.18F : 0.08F);
            painter->fillRect(option.rect, tint);
        }
        QRect box = option.rect.adjusted(gap(2), 0, -gap(3), 0);
        const QRect icon(box.left(), box.center().y() - 8, 17, 17);
        index.data(Qt::DecorationRole).value<QIcon>().paint(painter, icon);
        box.setLeft(icon.right() + gap(2));
        const QString detail = index.data(detailRole).toString();
        const QFont small = sized(option.font, TypeSize::Small);
        const int detailWidth = QFontMetrics(small).horizontalAdvance(detail);
        painter->setFont(small);
        painter->setPen(themeColor(ColorRole::Secondary, p));
        painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, detail);
        box.setRight(box.right() - detailWidth - gap(2));
        painter->setFont(option.font);
        painter->setPen(themeColor(ColorRole::Text, p));
        const QString title = QFontMetrics(option.font)
                                  .elidedText(index.data().toString(), Qt::ElideRight, box.width());
        painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, title);
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex&) const override
    {
        return {200, QFontMetrics(option.font).height() + gap(3)};
    }
};

} // namespace

std::optional<int> fuzzyScore(QStringView query, QStringView text)
{
    int score = 0;
    qsizetype at = 0;
    qsizetype last = -1;
    for (const QChar wanted : query) {
        if (wanted.isSpace())
            continue;
        while (at < text.size() && text[at].toCaseFolded() != wanted.toCaseFolded())
            ++at;
        if (at == text.size())
            return std::nullopt;
        const bool begins = at == 0 || !text[at - 1].isLetterOrNumber();
        if (at == last + 1)
            score += 5;
        if (begins)
            score += 4;
        score -= static_cast<int>(std::min<qsizetype>(at - last - 1, 8)) / 2;
        last = at++;
    }
    return score * 100 - static_cast<int>(std::min<qsizetype>(text.size(), 99));
}

GoToBox::GoToBox(QWidget* window)
    : QFrame(window, Qt::Popup)
    , m_query(new QLineEdit)
    , m_list(new QListWidget)
    , m_none(new QLabel(tr("Nothing of that name.")))
{
    setFrameShape(QFrame::Box);
    setFrameShadow(QFrame::Plain);
    setForegroundRole(QPalette::Mid);
    setAccessibleName(tr("Go to anything"));
    m_query->setPlaceholderText(tr("Machine, cable, run or command"));
    m_query->setAccessibleName(tr("Go to anything"));
    m_query->addAction(themeIcon(u"search"), QLineEdit::LeadingPosition);
    m_query->installEventFilter(this);
    m_query->setMinimumHeight(34);
    m_list->setAccessibleName(tr("What fits"));
    m_list->setItemDelegate(new GoToDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setMouseTracking(true);
    m_none->setAlignment(Qt::AlignCenter);
    connect(m_query, &QLineEdit::textChanged, this, &GoToBox::filter);
    connect(m_query, &QLineEdit::returnPressed, this, &GoToBox::goToCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &GoToBox::goToCurrent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(gap(2), gap(2), gap(2), gap(2));
    column->setSpacing(gap(2));
    column->addWidget(m_query);
    column->addWidget(m_list, 1);
    column->addWidget(m_none);
}

void GoToBox::open(std::vector<GoToItem> items)
{
    m_items = std::move(items);
    m_query->clear();
    filter({});
    const QWidget* window = parentWidget();
    const int width = std::min(560, window->width() - gap(8));
    resize(width, std::min(420, window->height() - gap(16)));
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, gap(12))));
    show();
    m_query->setFocus();
}

QStringList GoToBox::shown() const
{
    QStringList titles;
    for (int i = 0; i < m_list->count(); ++i)
        titles << m_list->item(i)->text();
    return titles;
}

void GoToBox::filter(const QString& query)
{
    struct Hit
    {
        int score;
        std::size_t item;
    };
    std::vector<Hit> hits;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (const auto score = fuzzyScore(query, m_items[i].title))
            hits.push_back({*score, i});
    }
    if (!query.trimmed().isEmpty()) {
        std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
            return a.score != b.score ? a.score > b.score : a.item < b.item;
        });
    }
    m_list->clear();
    for (const Hit& hit : hits) {
        if (m_list->count() == mostShown)
            break;
        const GoToItem& item = m_items[hit.item];
        auto* row = new QListWidgetItem(item.icon, item.title, m_list);
        row->setData(detailRole, item.detail);
        row->setData(itemRole, static_cast<int>(hit.item));
        row->setToolTip(item.title);
    }
    m_list->setCurrentRow(0);
    m_list->setVisible(!hits.empty());
    m_none->setVisible(hits.empty());
}

void GoToBox::goToCurrent()
{
    const QListWidgetItem* row = m_list->currentItem();
    if (!row)
        return;
    const auto go = m_items[static_cast<std::size_t>(row->data(itemRole).toInt())].go;
    hide();
    go();
}

bool GoToBox::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_query || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const int count = m_list->count();
    int step = 0;
    switch (key->key()) {
    case Qt::Key_Down:
        step = 1;
        break;
    case Qt::Key_Up:
        step = -1;
        break;
    case Qt::Key_PageDown:
        step = 8;
        break;
    case Qt::Key_PageUp:
        step = -8;
        break;
    case Qt::Key_Escape:
        hide();
        return true;
    default:
        return false;
    }
    if (count > 0)
        m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, count - 1));
    return true;
}

} // namespace napkin
