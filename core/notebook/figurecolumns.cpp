// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/notebook/figurecolumns.h"

#include <SQLiteCpp/Column.h>

namespace napkin::detail {

namespace {

std::int64_t stored(BitRate rate)
{
    return rate.bitsPerSecond();
}

std::int64_t stored(ByteCount size)
{
    return size.bytes();
}

std::int64_t stored(ByteRate rate)
{
    return rate.bytesPerSecond();
}

std::int64_t stored(Duration time)
{
    return time.count();
}

double stored(Ratio ratio)
{
    return ratio.value();
}

double stored(double value)
{
    return value;
}

std::int64_t stored(std::int64_t value)
{
    return value;
}

std::int64_t stored(int value)
{
    return value;
}

std::int64_t stored(bool value)
{
    return value ? 1 : 0;
}

template <typename T>
void bind(SQLite::Statement& statement, const char* name, const std::optional<T>& value)
{
    if (value)
        statement.bind(name, stored(*value));
    else
        statement.bind(name);
}

// Reads the columns one after the other.
class Columns
{
public:
    Columns(const SQLite::Statement& statement, int first)
        : m_statement(statement)
        , m_next(first)
    {}
    template <typename T>
    void read(std::optional<T>& target, T (*from)(std::int64_t))
    {
        const SQLite::Column column = m_statement.getColumn(m_next++);
        if (!column.isNull())
            target = from(column.getInt64());
    }
    template <typename T>
    void read(std::optional<T>& target, T (*from)(double))
    {
        const SQLite::Column column = m_statement.getColumn(m_next++);
        if (!column.isNull())
            target = from(column.getDouble());
    }

private:
    const SQLite::Statement& m_statement;
    int m_next;
};

BitRate bits(std::int64_t value)
{
    return BitRate::bitsPerSecond(value);
}

ByteCount amount(std::int64_t value)
{
    return ByteCount::bytes(value);
}

ByteRate bytes(std::int64_t value)
{
    return ByteRate::bytesPerSecond(value);
}

Duration time(std::int64_t value)
{
    return Duration(value);
}

std::int64_t count(std::int64_t value)
{
    return value;
}

int size(std::int64_t value)
{
    return static_cast<int>(value);
}

bool truth(std::int64_t value)
{
    return value != 0;
}

double plain(double value)
{
    return value;
}

Ratio ratio(double value)
{
    return Ratio::of(value);
}

} // namespace

KeyFigures figuresFrom(const SQLite::Statement& statement, int first, ProbeKind kind)
{
    Columns columns(statement, first);
    KeyFigures figures;
    columns.read(figures.forward, bits);
    columns.read(figures.reverse, bits);
    columns.read(figures.forwardRetransmits, count);
    columns.read(figures.reverseRetransmits, count);
    columns.read(figures.connectMedian, time);
    columns.read(figures.latencyP50, time);
    columns.read(figures.latencyP99, time);
    columns.read(figures.loadedRatio, plain);
    columns.read(figures.lossRatio, ratio);
    columns.read(figures.offered, bits);
    columns.read(figures.pathMtu, size);
    columns.read(figures.interfaceMtu, size);
    columns.read(figures.isBlackHole, truth);
    columns.read(figures.alpha, time);
    columns.read(isOfMachine(kind) ? figures.byteRate : figures.beta, bytes);
    columns.read(figures.betaUpTo, amount);
    columns.read(figures.betaLarge, bytes);
    return figures;
}

void bindFigures(SQLite::Statement& statement, const KeyFigures& figures)
{
    bind(statement, ":forward", figures.forward);
    bind(statement, ":reverse", figures.reverse);
    bind(statement, ":forward_retransmits", figures.forwardRetransmits);
    bind(statement, ":reverse_retransmits", figures.reverseRetransmits);
    bind(statement, ":connect_median", figures.connectMedian);
    bind(statement, ":latency_p50", figures.latencyP50);
    bind(statement, ":latency_p99", figures.latencyP99);
    bind(statement, ":loaded_ratio", figures.loadedRatio);
    bind(statement, ":loss_ratio", figures.lossRatio);
    bind(statement, ":offered", figures.offered);
    bind(statement, ":path_mtu", figures.pathMtu);
    bind(statement, ":interface_mtu", figures.interfaceMtu);
    bind(statement, ":black_hole", figures.isBlackHole);
    bind(statement, ":alpha", figures.alpha);
    bind(statement, ":beta_up_to", figures.betaUpTo);
    bind(statement, ":beta_large", figures.betaLarge);
    bind(statement, ":beta", figures.beta ? figures.beta : figures.byteRate);
}

} // namespace napkin::detail
