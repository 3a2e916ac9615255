// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taskscope.h"
#include "core/notebook/notebook.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <optional>

namespace napkin {

class DrawingDocument;

// Writes the drawing to the notebook after every edit: edits close to each other become one write,
// writes keep their order, one is under way at a time.
class DrawingSaver : public QObject
{
    Q_OBJECT
public:
    // Both must outlive this, or its last write.
    DrawingSaver(DrawingDocument* document, Notebook* notebook, QObject* parent = nullptr);

    void touch();   // there is something to write, soon
    void saveNow(); // what is not written yet, without waiting for more
    // Why the last write failed; nullopt after one that did not.
    [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }
    [[nodiscard]] bool isClean() const { return !m_dirty && !m_saving; }

Q_SIGNALS:
    void settled(); // nothing under way; all is written unless failed() came before
    void failed(const napkin::Error& error); // tried again with the next edit

private:
    static QCoro::Task<void> write(QPointer<DrawingSaver> self);

    QPointer<DrawingDocument> m_document;
    QPointer<Notebook> m_notebook;
    TaskScope m_scope;
    std::optional<Error> m_fault;
    QTimer m_soon;
    bool m_dirty = false;
    bool m_saving = false;
};

} // namespace napkin
