// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/quantity/provenance.h"
#include "core/quantity/quantity.h"

#include <QDate>
#include <QString>

#include <optional>
#include <vector>

namespace napkin {

// Where a figure comes from. An unchecked one is shown as unconfirmed, never as a fact.
struct Source
{
    QString text;
    QDate date; // when it was looked up
    bool checked = false;
    bool operator==(const Source&) const = default;
};

enum class Medium { Ethernet, Thunderbolt, Usb4, WiFi, Pcie, Loopback };

// A rated kind of link ("10 gigabit Ethernet").
struct LinkClass
{
    QString id;        // stable: "ethernet-10g"
    QString name;      // "10 gigabit Ethernet"
    QString shortName; // "10 GbE", for labels on the canvas
    Medium medium = Medium::Ethernet;
    std::optional<BitRate> rated;     // none for loopback
    std::optional<BitRate> symmetric; // Thunderbolt 5: rated 120 "up to" one way, 80 both ways
    bool upTo = false;                // the rating is a best case (Wi-Fi, Thunderbolt 5)
    std::optional<int> defaultMtu;    // bytes
    QString note;
    Source source;

    // The ratings a measured value is shown against, the quoted one first: one, or two (Thunderbolt
    // 5), or none.
    [[nodiscard]] std::vector<Fact<BitRate>> ratings() const;
};

struct PortKind
{
    QString linkClassId;
    int count = 1;
    bool optional = false; // sold as an option
};

struct MachineType
{
    QString id;
    QString name;
    std::vector<ByteCount> memoryChoices;
    std::optional<ByteRate> memoryBandwidth; // rated
    std::vector<PortKind> ports;
    QString track; // S, X, M, N or empty
    QString note;
    Source source;
};

struct LanguageModel
{
    QString id;
    QString name;
    int layers = 0;
    int hidden = 0;
    int heads = 0;
    std::optional<int> keyValueHeads; // none: latent attention, or not known
    std::optional<int> headSize;
    double parametersBillions = 0;
    double activeBillions = 0;
    Source source;
};

// What the program knows of the world, read once from resources/catalogue. A value: copy or share
// it freely.
class Catalogue
{
public:
    // From the files compiled into the program. An error names file and place.
    [[nodiscard]] static Result<Catalogue> load();
    // From a folder of the same shape (tests, authors).
    [[nodiscard]] static Result<Catalogue> loadFrom(const QString& folder);

    [[nodiscard]] const std::vector<LinkClass>& linkClasses() const { return m_linkClasses; }
    [[nodiscard]] const std::vector<MachineType>& machineTypes() const { return m_machineTypes; }
    [[nodiscard]] const std::vector<LanguageModel>& models() const { return m_models; }

    // Null when there is none of that id.
    [[nodiscard]] const LinkClass* linkClass(QStringView id) const;
    [[nodiscard]] const MachineType* machineType(QStringView id) const;
    [[nodiscard]] const LanguageModel* model(QStringView id) const;

private:
    std::vector<LinkClass> m_linkClasses;
    std::vector<MachineType> m_machineTypes;
    std::vector<LanguageModel> m_models;
};

} // namespace napkin
