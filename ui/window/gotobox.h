// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QIcon>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace napkin {

struct GoToItem
{
    QString title;  // what is searched
    QString detail; // what it is: "machine", "Ctrl+1"
    QIcon icon;
    std::function<void()> go;
};

// How well `query` fits: every character of it in order, the better the closer together and the
// nearer to the beginning of words. nullopt: not at all. An empty query fits everything.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView query, QStringView text);

// Go to anything: type a few letters, Enter goes there. Closes by itself; blocks nothing.
class GoToBox : public QFrame
{
    Q_OBJECT
public:
    explicit GoToBox(QWidget* window);

    void open(std::vector<GoToItem> items); // near the top of its window
    [[nodiscard]] QStringList shown() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& query);
    void goToCurrent();

    std::vector<GoToItem> m_items;
    QLineEdit* m_query;
    QListWidget* m_list;
    QLabel* m_none;
};

} // namespace napkin
