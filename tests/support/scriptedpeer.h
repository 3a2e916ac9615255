// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace napkin::test {

// What a script does with its sockets. Every call throws std::runtime_error when it takes longer
// than five seconds, when the other side has gone, or when the test is over: the script then ends.
class PeerTalk
{
public:
    PeerTalk() = default;
    ~PeerTalk();
    PeerTalk(const PeerTalk&) = delete;
    PeerTalk& operator=(const PeerTalk&) = delete;
    PeerTalk(PeerTalk&&) = delete;
    PeerTalk& operator=(PeerTalk&&) = delete;

    int listen();          // on 127.0.0.1; the port
    int accept();          // the connection's number: 0, 1, ...
    int connect(int port); // to 127.0.0.1; the connection's number
    QByteArray read(int connection, qsizetype count);
    signed char readState(int connection) { return read(connection, 1)[0]; }
    QByteArray readFrame(int connection);
    void write(int connection, const QByteArray& bytes);
    void writeState(int connection, int state)
    {
        write(connection, QByteArray(1, static_cast<char>(state)));
    }
    void writeFrame(int connection, const QByteArray& json); // with its length before it
    // Reads and counts whatever comes on these, until `until` becomes readable.
    std::vector<qint64> drainUntil(const std::vector<int>& connections, int until);
    void fillUntil(const std::vector<int>& connections, int until); // writes instead
    bool isClosedByPeer(int connection); // waits up to five seconds for it
    void close(int connection);
    void reset(int connection); // closes with RST
    void hold();                // does nothing until the test is over
    void pause(std::chrono::milliseconds time);

    void closeAll();
    void stop(); // any thread

private:
    int add(int fd);
    int fdOf(int connection);
    void wait(int fd, short events);

    std::mutex m_mutex;
    std::vector<int> m_fds;
    int m_listener = -1;
    std::atomic<bool> m_stopped = false;
};

// A TCP peer on a thread of its own that plays a script; its connections close when the script
// ends.
class ScriptedPeer
{
public:
    using Script = std::function<void(PeerTalk&)>;

    explicit ScriptedPeer(Script script);
    ~ScriptedPeer();
    ScriptedPeer(const ScriptedPeer&) = delete;
    ScriptedPeer& operator=(const ScriptedPeer&) = delete;
    ScriptedPeer(ScriptedPeer&&) = delete;
    ScriptedPeer& operator=(ScriptedPeer&&) = delete;

    [[nodiscard]] int port() const { return m_port; }
    // What made the script end early; empty when it came to its end. Waits for that.
    [[nodiscard]] std::string fault();

private:
    PeerTalk m_talk;
    int m_port = 0;
    std::string m_fault;
    std::thread m_thread;
};

} // namespace napkin::test
