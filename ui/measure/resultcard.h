// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quantity/provenance.h"
#include "core/results/summary.h"

#include <QFrame>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace napkin {

class ResultView;
struct RunSource;

// A run at its end: its number, the figures with badges, how far to trust them.
class ResultCard : public QFrame
{
    Q_OBJECT
public:
    explicit ResultCard(QWidget* parent = nullptr);

    // No number: it could not be recorded. A run over loopback is held against no rating.
    void showResult(std::optional<qint64> number, const ProbeResult& result,
                    const std::vector<Fact<BitRate>>& ratings);
    [[nodiscard]] std::optional<qint64> number() const { return m_number; }
    [[nodiscard]] QString text() const; // every word on it

Q_SIGNALS:
    void worksheetRequested(napkin::RecordId record);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void clear(const RunSource& source);
    [[nodiscard]] QString runName() const;
    void addRate(Direction direction, const DirectionSummary& summary, const ProbeResult& result,
                 const std::vector<Fact<BitRate>>& ratings);
    void addThroughput(const ThroughputData& data, const ProbeResult& result,
                       const std::vector<Fact<BitRate>>& ratings);
    void addRatio(int row, int column, const DirectionSummary& summary,
                  const Fact<BitRate>& rating);
    void addConnect(const ConnectData& data, const ProbeResult& result);
    void addNotes(const ProbeResult& result);
    void addNote(const QString& text);

    std::optional<qint64> m_number;
    RecordId m_record;
    QLabel* m_title;
    QLabel* m_state;
    QPushButton* m_show;
    QWidget* m_body = nullptr;
    QVBoxLayout* m_column;
    QGridLayout* m_rates = nullptr;
    ResultView* m_values = nullptr;
    QVBoxLayout* m_notes = nullptr;
};

} // namespace napkin
