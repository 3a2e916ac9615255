// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace napkin::cli {

enum class Charset { Utf8, Ascii };

// Standard output and standard error. Results go to the one, progress and faults to the other, so
// that a redirected result stays clean. A reader that went away is remembered, never a fault.
class Terminal
{
public:
    explicit Terminal(Charset charset);

    void print(const QString& text);                         // standard output; ends the line
    void printBytes(const QByteArray& bytes);                // standard output, as they are
    void note(const QString& text);                          // standard error; ends the line
    [[nodiscard]] bool isClosed() const { return m_closed; } // nobody reads standard output
    // Why standard output cannot be written (errno), other than that its reader went away: a full
    // disk, say. What was printed since the first fault is lost.
    [[nodiscard]] std::optional<int> writeFault() const { return m_writeFault; }

    // Whether standard error is a terminal on which a line can be written over.
    [[nodiscard]] bool isLive() const { return m_live; }
    void showLive(const QString& line); // in place of the one before; nothing when not live
    void clearLive();

    // Columns of the terminal behind standard output; none when there is no terminal.
    [[nodiscard]] std::optional<int> width() const;

private:
    [[nodiscard]] QByteArray encoded(const QString& text) const;

    Charset m_charset;
    bool m_live;
    bool m_lineShown = false;
    bool m_closed = false;
    std::optional<int> m_writeFault;
};

// `text` broken at blanks into lines of at most `width`, each after the first indented.
[[nodiscard]] QString wrapped(const QString& text, int width, int indent = 0);

} // namespace napkin::cli
