// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/peer/pairingcode.h"

#include <QDateTime>
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace napkin {

class CopyLine;

// Takes the code that another machine shows: what to type there, then its address and the code.
class PairForm : public QWidget
{
    Q_OBJECT
public:
    explicit PairForm(QWidget* parent = nullptr);

    void begin(const QString& place = {}); // empties the fields
    void setBusy(bool busy);
    [[nodiscard]] QLineEdit* placeField() const { return m_place; }
    [[nodiscard]] QLineEdit* codeField() const { return m_code; }
    [[nodiscard]] QPushButton* pairButton() const { return m_pair; }

Q_SIGNALS:
    void pairRequested(const QString& place, const QString& code);
    void cancelled();

private:
    void send();
    QLineEdit* m_place;
    QLineEdit* m_code;
    QPushButton* m_pair;
    QPushButton* m_cancel;
    bool m_busy = false;
};

// Shows a code to be typed on another machine, with the line to paste there and the time left.
class InviteForm : public QWidget
{
    Q_OBJECT
public:
    explicit InviteForm(QWidget* parent = nullptr);

    void present(const PairingCode& code, int port, const QStringList& addresses,
                 const QDateTime& expires);
    [[nodiscard]] QString code() const;
    [[nodiscard]] QString line() const; // to be typed on the other machine

Q_SIGNALS:
    void anotherRequested();
    void closed();

private:
    void tick();
    QLabel* m_code;
    CopyLine* m_copyCode;
    CopyLine* m_line;
    QLabel* m_others;
    QLabel* m_left;
    QPushButton* m_another;
    QTimer m_timer;
    QDateTime m_expires;
};

} // namespace napkin
