// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/drawingsaver.h"

#include "ui/document/drawingdocument.h"

namespace napkin {

DrawingSaver::DrawingSaver(DrawingDocument* document, Notebook* notebook, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_notebook(notebook)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(std::chrono::milliseconds(300));
    connect(&m_soon, &QTimer::timeout, this, &DrawingSaver::saveNow);
    connect(document, &DrawingDocument::edited, this, &DrawingSaver::touch);
}

void DrawingSaver::touch()
{
    m_dirty = true;
    if (!m_soon.isActive())
        m_soon.start();
}

void DrawingSaver::saveNow()
{
    m_soon.stop();
    if (!m_dirty || m_saving || !m_document || !m_notebook)
        return;
    m_saving = true;
    m_scope.start(write(this));
}

QCoro::Task<void> DrawingSaver::write(QPointer<DrawingSaver> self)
{
    while (self && self->m_dirty && self->m_document && self->m_notebook) {
        self->m_dirty = false;
        const DrawingWithLayout state = self->m_document->state();
        const auto done = co_await self->m_notebook->saveDrawing(state.drawing, state.layout);
        if (!self)
            co_return;
        self->m_fault = done ? std::nullopt : std::optional(done.error());
        if (!done) {
            self->m_dirty = true;
            Q_EMIT self->failed(done.error());
            break;
        }
    }
    if (!self)
        co_return;
    self->m_saving = false;
    Q_EMIT self->settled();
}

} // namespace napkin
