// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/linkchoice.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace napkin::cli {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::cli::LinkChoice)
};

using Choice = tl::expected<LinkChoice, LinkFault>;

tl::unexpected<LinkFault> refuse(ErrorCode code, const QString& what, const QString& why,
                                 const QString& advice)
{
    return tl::unexpected(LinkFault{fail(code, what, why).value(), advice});
}

QString knownNames(const std::vector<LinkEntry>& links)
{
    QStringList names;
    for (const LinkEntry& link : links)
        names << (link.name.isEmpty() ? link.ends : link.name);
    if (names.isEmpty())
        return Words::tr("the notebook has no links yet");
    return Words::tr("the notebook has these links: %1").arg(names.join(QStringLiteral(", ")));
}

std::vector<LinkEntry> linksCalled(const std::vector<LinkEntry>& links, const QString& name)
{
    std::vector<LinkEntry> found;
    std::copy_if(links.begin(), links.end(), std::back_inserter(found), [&](const LinkEntry& link) {
        return link.name == name || (!link.ends.isEmpty() && link.ends == name);
    });
    return found;
}

tl::unexpected<LinkFault> unknownClass(const QString& classId, const Catalogue& catalogue)
{
    QStringList ids;
    for (const LinkClass& linkClass : catalogue.linkClasses())
        ids << linkClass.id;
    return refuse(ErrorCode::NotFound, Words::tr("The link class “%1”").arg(classId),
                  Words::tr("the classes are: %1").arg(ids.join(QStringLiteral(", "))),
                  Words::tr("napkin-cli classes shows them with their ratings."));
}

Choice existing(const LinkEntry& link, const QString& classId)
{
    if (!classId.isEmpty() && link.classId != classId)
        return refuse(ErrorCode::InvalidArgument,
                      Words::tr("The class “%1” for the link “%2”").arg(classId, link.name),
                      link.classId.isEmpty()
                          ? Words::tr("the link is there without a class")
                          : Words::tr("the link is there with class %1").arg(link.classId),
                      Words::tr("Leave --class out, change the class in the drawing, or give the "
                                "new link another name."));
    return LinkChoice{link, false};
}

} // namespace

QCoro::Task<Choice> chooseLink(std::shared_ptr<Notebook> notebook,
                               std::shared_ptr<const Catalogue> catalogue, QString name,
                               QString classId)
{
    if (!classId.isEmpty() && catalogue->linkClass(classId) == nullptr)
        co_return unknownClass(classId, *catalogue);
    const auto links = co_await notebook->links();
    if (!links)
        co_return tl::unexpected(LinkFault{links.error(), QString()});
    const std::vector<LinkEntry> found = linksCalled(*links, name);
    if (found.size() > 1)
        co_return refuse(ErrorCode::InvalidArgument, Words::tr("The link name “%1”").arg(name),
                         Words::tr("%1 links have it").arg(found.size()),
                         Words::tr("Give them different names in the drawing."));
    if (found.size() == 1)
        co_return existing(found.front(), classId);
    if (classId.isEmpty())
        co_return refuse(
            ErrorCode::NotFound, Words::tr("The link “%1”").arg(name), knownNames(*links),
            links->empty() ? Words::tr("Add --class ID to create it; napkin-cli classes lists "
                                       "the ids.")
                           : Words::tr("Use one of those, or add --class ID to create it; "
                                       "napkin-cli classes lists the ids."));
    const auto planned = Notebook::plannedLink(name, classId);
    if (!planned)
        co_return tl::unexpected(LinkFault{planned.error(), QString()});
    co_return LinkChoice{*planned, true};
}

LinkOfRun linkOfRun(const QString& name, const QString& classId, const Catalogue& catalogue)
{
    LinkOfRun link{name, QString(), {}};
    if (const LinkClass* known = catalogue.linkClass(classId)) {
        link.className = known->shortName;
        link.ratings = known->ratings();
    }
    return link;
}

} // namespace napkin::cli
