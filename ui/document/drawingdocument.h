// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/topology/topology.h"

#include <QObject>
#include <QPointF>
#include <QString>
#include <QUndoStack>

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace napkin {

template <typename Field>
class ChangeValueCommand;
class PartCommand;
struct DrawingPart;

// A port as people read it: its name, or "port 2" after its place on the machine.
[[nodiscard]] QString portTitle(const Machine& machine, const Port& port);

// The machine at the other end of `link`, seen from `machine`; null when dangling.
[[nodiscard]] const Machine* otherEnd(const Drawing& drawing, const Link& link, MachineId machine);

// The drawing being worked on: what is drawn, where it stands, and how it got there. Read freely;
// every edit below is one undoable command, one that changes nothing pushes none. Signals come
// after the whole change is made, so that a receiver always reads a consistent drawing.
class DrawingDocument : public QObject
{
    Q_OBJECT
public:
    // Keyboard moves of the same machines in a row become one step of undo.
    enum class MoveKind { Drag, Keyboard };

    explicit DrawingDocument(QObject* parent = nullptr);
    ~DrawingDocument() override;

    [[nodiscard]] const Drawing& drawing() const { return m_state.drawing; }
    [[nodiscard]] const Layout& layout() const { return m_state.layout; }
    [[nodiscard]] const DrawingWithLayout& state() const { return m_state; }
    [[nodiscard]] QUndoStack* undoStack() { return &m_undoStack; }

    // Takes over another drawing and forgets the history. Machines without a place get one.
    void load(DrawingWithLayout drawing);

    void renameDrawing(const QString& name);

    // With one port. An empty name becomes "machine-1" and so on.
    MachineId addMachine(QPointF centre, const QString& name = {});
    // Machines with their cables, and cables, as one step.
    void remove(std::span<const MachineId> machines, std::span<const LinkId> links);
    void removeMachine(MachineId machine) { remove({&machine, 1}, {}); }
    void removeLink(LinkId link) { remove({}, {&link, 1}); }
    // InvalidArgument for an empty name.
    Result<void> renameMachine(MachineId machine, const QString& name);
    void setMachineType(MachineId machine, const QString& typeId);
    // Says which machine of the world it is; InvalidArgument when another one of the drawing is
    // said to be that already.
    Result<void> setMachinePeer(MachineId machine, std::optional<PeerId> peer);
    void moveMachines(const std::map<MachineId, QPointF>& centres, MoveKind kind);

    PortId addPort(MachineId machine, const QString& name = {});
    void removePort(PortId port); // with its cables
    void renamePort(PortId port, const QString& name);
    void setPortAddress(PortId port, const QString& address);

    // From a free port of one machine to a free port of the other; a machine without one gets a
    // new port in the same step. InvalidArgument for one machine with itself.
    Result<LinkId> addLink(MachineId a, MachineId b, const QString& classId = {});
    // InvalidArgument for ports of one machine or a port that has a cable already.
    Result<LinkId> addLinkBetween(PortId a, PortId b, const QString& classId = {});
    void renameLink(LinkId link, const QString& name);
    // Starts a new period of the link; undo gives the old one back.
    void setLinkClass(LinkId link, const QString& classId);
    // Ports of two machines; InvalidArgument as for addLinkBetween.
    Result<void> setLinkEnds(LinkId link, PortId a, PortId b);

    [[nodiscard]] bool isPortTaken(PortId port, LinkId except = {}) const;

Q_SIGNALS:
    void drawingRenamed();
    void machineAdded(napkin::MachineId machine);
    void machineChanged(napkin::MachineId machine); // itself or one of its ports
    void machineRemoved(napkin::MachineId machine);
    void linkAdded(napkin::LinkId link);
    void linkChanged(napkin::LinkId link);
    void linkRemoved(napkin::LinkId link);
    void layoutChanged(napkin::MachineId machine);
    void wasReset();
    void edited(); // by a command, its undo or redo: worth saving

private:
    template <typename Field>
    friend class ChangeValueCommand;
    friend class PartCommand;

    template <typename Field>
    void change(Field field, typename Field::Value value, const QString& text);
    void insertPart(const DrawingPart& part);
    void removePart(const DrawingPart& part);
    void pushInsertion(DrawingPart part, const QString& text);
    void pushRemoval(DrawingPart part, const QString& text);
    [[nodiscard]] DrawingPart partOf(std::span<const MachineId> machines,
                                     std::span<const LinkId> links,
                                     std::span<const PortId> ports) const;
    [[nodiscard]] PortId freePort(const Machine& machine, DrawingPart* part) const;
    [[nodiscard]] QString removalText(std::span<const MachineId> machines,
                                      std::span<const LinkId> links) const;
    [[nodiscard]] Result<void> checkEnds(PortId a, PortId b, LinkId except) const;
    [[nodiscard]] QString freshMachineName() const;

    DrawingWithLayout m_state;
    QUndoStack m_undoStack;
};

} // namespace napkin
