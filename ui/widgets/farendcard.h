// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include <functional>

class QTabWidget;

namespace napkin {

class CopyLine;

// Lines to paste on the other machine so that it can be measured against: install and start a
// server, let it through the firewall, find its address. One tab a system, and one that says what
// each step up brings.
class FarEndCard : public QWidget
{
    Q_OBJECT
public:
    explicit FarEndCard(QWidget* parent = nullptr);

    void setPort(int port);                  // 5201 to begin with
    [[nodiscard]] QStringList lines() const; // every command on it

private:
    struct Entry
    {
        CopyLine* line = nullptr;
        QString command; // with %1 for the port
    };
    void addSteps();
    void addPage(const QString& name, QWidget* page);
    using Lines = QList<QPair<QString, QString>>;
    void addTab(const QString& name, const QString& note, const Lines& lines);

    QTabWidget* m_tabs;
    QVector<Entry> m_entries;
};

} // namespace napkin
