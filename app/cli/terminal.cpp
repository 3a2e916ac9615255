// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal.h"

#include <QStringList>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

namespace napkin::cli {

namespace {

constexpr int leastWidth = 40;

bool canRewriteLines()
{
    const char* kind = std::getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && kind != nullptr && qstrcmp(kind, "dumb") != 0;
}

int columnsOf(int descriptor)
{
    winsize size{};
    if (isatty(descriptor) == 0 || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return std::max<int>(size.ws_col, leastWidth);
}

// What the system said against it; 0 when all was written.
int writeAll(int descriptor, const QByteArray& bytes)
{
    qsizetype done = 0;
    while (done < bytes.size()) {
        const ssize_t n =
            ::write(descriptor, bytes.constData() + done, static_cast<size_t>(bytes.size() - done));
        if (n > 0) {
            done += n;
        } else if (errno == EAGAIN) {
            pollfd ready{descriptor, POLLOUT, 0};
            if (::poll(&ready, 1, 1000) <= 0)
                return EAGAIN;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

// What a terminal without UTF-8 shows instead.
QByteArray toAscii(const QString& text)
{
    static const std::array<std::pair<QChar, const char*>, 17> stands{{{QChar(0x00a0), " "},
                                                                       {QChar(0x202f), " "},
                                                                       {QChar(0x2013), "-"},
                                                                       {QChar(0x2014), "-"},
                                                                       {QChar(0x2018), "'"},
                                                                       {QChar(0x2019), "'"},
                                                                       {QChar(0x201c), "\""},
                                                                       {QChar(0x201d), "\""},
                                                                       {QChar(0x2026), "~"},
                                                                       {QChar(0x00b5), "u"},
                                                                       {QChar(0x03bc), "u"},
                                                                       {QChar(0x2248), "~"},
                                                                       {QChar(0x2192), "->"},
                                                                       {QChar(0x2190), "<-"},
                                                                       {QChar(0x21c4), "<->"},
                                                                       {QChar(0x2212), "-"},
                                                                       {QChar(0x00d7), "x"}}};
    QByteArray ascii;
    ascii.reserve(text.size());
    for (const QChar c : text) {
        if (c.unicode() < 0x80) {
            ascii += static_cast<char>(c.unicode());
            continue;
        }
        const auto found =
            std::find_if(stands.begin(), stands.end(), [c](const auto& s) { return s.first == c; });
        if (found != stands.end())
            ascii += found->second;
        else if (!c.isLowSurrogate())
            ascii += '?';
    }
    return ascii;
}

// Names and labels come from outside: control characters in them must not steer the terminal.
QString withoutControls(QString text)
{
    for (QChar& c : text) {
        const char16_t code = c.unicode();
        if ((code < 0x20 && c != u'\n') || (code >= 0x7f && code < 0xa0))
            c = u'?';
    }
    return text;
}

} // namespace

Terminal::Terminal(Charset charset)
    : m_charset(charset)
    , m_live(canRewriteLines())
{}

QByteArray Terminal::encoded(const QString& text) const
{
    const QString plain = withoutControls(text);
    return m_charset == Charset::Utf8 ? plain.toUtf8() : toAscii(plain);
}

void Terminal::print(const QString& text)
{
    printBytes(encoded(text) + '\n');
}

void Terminal::printBytes(const QByteArray& bytes)
{
    clearLive();
    const int fault = m_closed ? 0 : writeAll(STDOUT_FILENO, bytes);
    if (fault == 0)
        return;
    m_closed = true;
    if (fault != EPIPE)
        m_writeFault = fault;
}

void Terminal::note(const QString& text)
{
    clearLive();
    writeAll(STDERR_FILENO, encoded(text) + '\n');
}

void Terminal::showLive(const QString& line)
{
    if (!m_live)
        return;
    const int room = columnsOf(STDERR_FILENO) - 1;
    writeAll(STDERR_FILENO, '\r' + encoded(line.left(room)) + "\x1b[K");
    m_lineShown = true;
}

void Terminal::clearLive()
{
    if (!m_lineShown)
        return;
    writeAll(STDERR_FILENO, "\r\x1b[K");
    m_lineShown = false;
}

std::optional<int> Terminal::width() const
{
    if (isatty(STDOUT_FILENO) == 0)
        return std::nullopt;
    return columnsOf(STDOUT_FILENO);
}

QString wrapped(const QString& text, int width, int indent)
{
    QStringList lines;
    const QString margin(indent, u' ');
    for (const QString& paragraph : text.split(u'\n')) {
        QString line;
        for (const QString& word : paragraph.split(u' ', Qt::SkipEmptyParts)) {
            const bool fits = line.size() + 1 + word.size() <= width - indent;
            if (line.isEmpty()) {
                line = word;
            } else if (fits) {
                line += u' ' + word;
            } else {
                lines << line;
                line = word;
            }
        }
        lines << line;
    }
    return lines.join(u'\n' + margin);
}

} // namespace napkin::cli
