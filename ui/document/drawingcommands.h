// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/drawingdocument.h"

#include <QUndoCommand>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace napkin {

enum class CommandId { KeyboardMove = 1 };

// One value of a drawing: where it is found (`read`, `write`) and who hears of its change
// (`announce`). A field holds ids only, so that it outlives what it points at.
struct DrawingNameField
{
    using Value = QString;
    [[nodiscard]] Value read(const DrawingWithLayout& state) const { return state.drawing.name; }
    void write(DrawingWithLayout& state, const Value& value) const { state.drawing.name = value; }
    void announce(DrawingDocument& document) const { Q_EMIT document.drawingRenamed(); }
};

template <auto Member>
struct MachineField
{
    using Value = QString;
    MachineId id;
    [[nodiscard]] Value read(const DrawingWithLayout& state) const
    {
        return state.drawing.machine(id)->*Member;
    }
    void write(DrawingWithLayout& state, const Value& value) const
    {
        state.drawing.machine(id)->*Member = value;
    }
    void announce(DrawingDocument& document) const { Q_EMIT document.machineChanged(id); }
};

struct MachinePeerField
{
    using Value = std::optional<PeerId>;
    MachineId id;
    [[nodiscard]] Value read(const DrawingWithLayout& state) const
    {
        return state.drawing.machine(id)->peer;
    }
    void write(DrawingWithLayout& state, const Value& value) const
    {
        state.drawing.machine(id)->peer = value;
    }
    void announce(DrawingDocument& document) const { Q_EMIT document.machineChanged(id); }
};

template <auto Member>
struct PortField
{
    using Value = QString;
    PortId id;
    [[nodiscard]] Value read(const DrawingWithLayout& state) const
    {
        return state.drawing.port(id)->*Member;
    }
    void write(DrawingWithLayout& state, const Value& value) const
    {
        state.drawing.port(id)->*Member = value;
    }
    void announce(DrawingDocument& document) const
    {
        Q_EMIT document.machineChanged(document.drawing().machineOf(id)->id);
    }
};

struct LinkNameField
{
    using Value = QString;
    LinkId id;
    [[nodiscard]] Value read(const DrawingWithLayout& state) const
    {
        return state.drawing.link(id)->name;
    }
    void write(DrawingWithLayout& state, const Value& value) const
    {
        state.drawing.link(id)->name = value;
    }
    void announce(DrawingDocument& document) const { Q_EMIT document.linkChanged(id); }
};

// The class and the period that goes with it change together.
struct LinkClassField
{
    using Value = std::pair<QString, LinkPeriodId>;
    LinkId id;
    [[nodiscard]] Value read(const DrawingWithLayout& state) const
    {
        const Link* link = state.drawing.link(id);
        return {link->classId, link->period};
    }
    void write(DrawingWithLayout& state, const Value& value) const
    {
        Link* link = state.drawing.link(id);
        link->classId = value.first;
        link->period = value.second;
    }
    void announce(DrawingDocument& document) const { Q_EMIT document.linkChanged(id); }
};

struct LinkEndsField
{
    using Value = std::pair<PortId, PortId>;
    LinkId id;
    [[nodiscard]] Value read(const DrawingWithLayout& state) const
    {
        const Link* link = state.drawing.link(id);
        return {link->a, link->b};
    }
    void write(DrawingWithLayout& state, const Value& value) const
    {
        Link* link = state.drawing.link(id);
        link->a = value.first;
        link->b = value.second;
    }
    void announce(DrawingDocument& document) const { Q_EMIT document.linkChanged(id); }
};

// The centres of some machines.
struct PlacesField
{
    using Value = std::map<MachineId, QPointF>;
    std::vector<MachineId> ids;
    DrawingDocument::MoveKind kind = DrawingDocument::MoveKind::Drag;
    [[nodiscard]] Value read(const DrawingWithLayout& state) const
    {
        Value places;
        for (const MachineId id : ids) {
            places.emplace(id, state.layout.machines.at(id));
        }
        return places;
    }
    void write(DrawingWithLayout& state, const Value& value) const
    {
        for (const auto& [id, centre] : value) {
            state.layout.machines.insert_or_assign(id, centre);
        }
    }
    void announce(DrawingDocument& document) const
    {
        for (const MachineId id : ids) {
            Q_EMIT document.layoutChanged(id);
        }
    }
};

// Whether `next` may be folded into `field`: never, except for moves by keyboard.
template <typename Field>
[[nodiscard]] bool merges(const Field&, const Field&)
{
    return false;
}
[[nodiscard]] inline bool merges(const PlacesField& field, const PlacesField& next)
{
    using enum DrawingDocument::MoveKind;
    return field.kind == Keyboard && next.kind == Keyboard && field.ids == next.ids;
}

// Gives a field another value, and its old one back.
template <typename Field>
class ChangeValueCommand final : public QUndoCommand
{
public:
    using Value = typename Field::Value;

    ChangeValueCommand(DrawingDocument& document, Field field, Value value, const QString& text)
        : QUndoCommand(text)
        , m_document(document)
        , m_field(std::move(field))
        , m_old(m_field.read(document.m_state))
        , m_new(std::move(value))
    {}

    void redo() override { set(m_new); }
    void undo() override { set(m_old); }
    [[nodiscard]] int id() const override
    {
        return std::is_same_v<Field, PlacesField> ? static_cast<int>(CommandId::KeyboardMove) : -1;
    }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = dynamic_cast<const ChangeValueCommand*>(other);
        if (!next || !merges(m_field, next->m_field)) {
            return false;
        }
        m_new = next->m_new;
        setObsolete(m_new == m_old);
        return true;
    }

private:
    void set(const Value& value)
    {
        m_field.write(m_document.m_state, value);
        m_field.announce(m_document);
        Q_EMIT m_document.edited();
    }

    DrawingDocument& m_document;
    Field m_field;
    Value m_old;
    Value m_new;
};

// A part of a drawing with the places it has in its lists, ascending within each.
struct DrawingPart
{
    struct PlacedMachine
    {
        std::size_t index = 0;
        Machine machine;
        QPointF centre;
    };
    struct PlacedPort
    {
        MachineId machine;
        std::size_t index = 0;
        Port port;
    };
    struct PlacedLink
    {
        std::size_t index = 0;
        Link link;
    };
    std::vector<PlacedMachine> machines;
    std::vector<PlacedPort> ports; // of machines that stay
    std::vector<PlacedLink> links;

    [[nodiscard]] bool isEmpty() const
    {
        return machines.empty() && ports.empty() && links.empty();
    }
};

// Puts a part in or takes it out; the other way round on undo.
class PartCommand final : public QUndoCommand
{
public:
    enum class Way { Insert, Remove };

    PartCommand(DrawingDocument& document, DrawingPart part, Way way, const QString& text)
        : QUndoCommand(text)
        , m_document(document)
        , m_part(std::move(part))
        , m_way(way)
    {}

    void redo() override { apply(m_way); }
    void undo() override { apply(m_way == Way::Insert ? Way::Remove : Way::Insert); }

private:
    void apply(Way way)
    {
        way == Way::Insert ? m_document.insertPart(m_part) : m_document.removePart(m_part);
        Q_EMIT m_document.edited();
    }

    DrawingDocument& m_document;
    DrawingPart m_part;
    Way m_way;
};

} // namespace napkin
