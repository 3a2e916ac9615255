// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/catalogue.h"

#include <algorithm>

namespace napkin {

namespace {

template <typename Item>
const Item* findById(const std::vector<Item>& items, QStringView id)
{
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.id == id; });
    return found == items.end() ? nullptr : &*found;
}

} // namespace

std::vector<Fact<BitRate>> LinkClass::ratings() const
{
    std::vector<Fact<BitRate>> facts;
    for (const std::optional<BitRate>& rate : {rated, symmetric}) {
        if (!rate)
            continue;
        const QDateTime date = source.date.startOfDay(Qt::UTC);
        // What could not be confirmed is no rating but a stand-in.
        facts.push_back(source.checked ? Fact<BitRate>::rated(*rate, source.text, date)
                                       : Fact<BitRate>::assumed(*rate, source.text, date));
    }
    return facts;
}

const LinkClass* Catalogue::linkClass(QStringView id) const
{
    return findById(m_linkClasses, id);
}

const MachineType* Catalogue::machineType(QStringView id) const
{
    return findById(m_machineTypes, id);
}

const LanguageModel* Catalogue::model(QStringView id) const
{
    return findById(m_models, id);
}

} // namespace napkin
