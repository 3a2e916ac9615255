// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/gate.h"

#include <mutex>
#include <utility>

namespace napkin {

// What other threads hold. The mutex makes "post to the gate" and "the gate is gone" exclude each
// other.
struct Gate::Remote
{
    std::mutex mutex;
    Gate* gate = nullptr;

    void post(Opened how)
    {
        const std::lock_guard lock(mutex);
        if (gate != nullptr)
            QMetaObject::invokeMethod(
                gate, [g = gate, how] { g->open(how); }, Qt::QueuedConnection);
    }
};

Gate::~Gate()
{
    m_cancel.reset();
    if (m_remote) {
        const std::lock_guard lock(m_remote->mutex);
        m_remote->gate = nullptr;
    }
}

Gate& Gate::after(std::chrono::milliseconds timeout)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { open(Opened::TimedOut); });
    m_timer.start(std::max(timeout, std::chrono::milliseconds(0)));
    return *this;
}

Gate& Gate::on(CancelToken token)
{
    m_cancel.emplace(std::move(token), [remote = remote()] { remote->post(Opened::Cancelled); });
    return *this;
}

std::function<void()> Gate::opener()
{
    return [remote = remote()] { remote->post(Opened::Signal); };
}

const std::shared_ptr<Gate::Remote>& Gate::remote()
{
    if (!m_remote) {
        m_remote = std::make_shared<Remote>();
        m_remote->gate = this;
    }
    return m_remote;
}

void Gate::open(Opened how)
{
    if (m_opened)
        return;
    m_opened = how;
    m_timer.stop();
    if (m_waiting)
        resumeSoon();
}

void Gate::resumeSoon()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (auto handle = std::exchange(m_waiting, nullptr))
                handle.resume();
        },
        Qt::QueuedConnection);
}

} // namespace napkin
