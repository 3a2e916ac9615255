// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the canvas and the inspector in many states, to be looked at.

#include "tests/ui/canvas/samples.h"
#include "ui/canvas/napkinpage.h"
#include "ui/inspector/inspector.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QTest>

#include <functional>

using namespace napkin;

namespace {

struct Window
{
    DrawingDocument document;
    QWidget widget;
    NapkinPage* page;
    Inspector* inspector;

    explicit Window(const Catalogue& catalogue, QSize size = {1200, 720})
        : page(new NapkinPage(&document, &catalogue, &widget))
        , inspector(new Inspector(&document, &catalogue, &widget))
    {
        auto* row = new QHBoxLayout(&widget);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(0);
        row->addWidget(page, 1);
        row->addWidget(inspector);
        inspector->setFixedWidth(inspector->sizeHint().width());
        QObject::connect(page, &NapkinPage::selectionChanged, inspector, &Inspector::setSelection);
        widget.resize(size);
        widget.show();
    }
    void setWorksheet(const std::vector<WorksheetRow>& rows) const
    {
        page->setWorksheet(rows);
        inspector->setWorksheet(rows);
    }
};

void save(Window& window, const QString& path)
{
    QTest::qWait(50);
    window.widget.grab().save(path);
}

void longNames(Window& window)
{
    const MachineId a = window.document.addMachine(
        {-280, 0}, QStringLiteral("the-big-workstation-under-the-desk-in-the-study.example.org"));
    const MachineId b = window.document.addMachine({280, 0}, QStringLiteral("b"));
    for (int i = 0; i < 3; ++i) {
        const LinkId link = *window.document.addLink(a, b, QStringLiteral("usb4v2-80"));
        const Link it = *window.document.drawing().link(link);
        window.document.renamePort(it.a, QStringLiteral("enp193s0f1np%1_with_more").arg(i));
        window.document.setPortAddress(it.a, QStringLiteral("fd00:1234:5678:9abc::%1").arg(i + 1));
        window.document.setPortAddress(it.b, QStringLiteral("10.0.0.%1").arg(i));
        if (i == 0)
            window.document.renameLink(link, QStringLiteral("the long blue one from the cellar"));
    }
    window.document.setMachineType(a, QStringLiteral("mac-mini-m6-16"));
    window.page->canvas()->fit();
    window.page->canvas()->setCurrent(a);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QDir folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("."));
    const Catalogue catalogue = Catalogue::load().value();
    for (const Appearance look : {Appearance::Light, Appearance::Dark}) {
        applyAppearance(app, look);
        const auto path = [&](const char* name) {
            return folder.filePath(
                QStringLiteral("%1-%2.png").arg(QLatin1StringView(name), appearanceName(look)));
        };
        {
            Window window(catalogue);
            save(window, path("empty"));
        }
        {
            Window window(catalogue);
            window.setWorksheet(samples::buildLab(window.document, catalogue));
            window.page->canvas()->fit();
            window.page->canvas()->setFocus();
            window.page->canvas()->select({{}, {window.document.drawing().links[2].id}});
            save(window, path("cable"));
            window.page->canvas()->select({{window.document.drawing().machines[0].id}, {}});
            save(window, path("machine"));
            window.page->canvas()->setZoom(0.5);
            save(window, path("half"));
            (void)window.page->canvas()->savePicture(path("picture"));
            (void)window.page->canvas()->savePicture(
                path("picture").replace(QStringLiteral(".png"), QStringLiteral(".svg")));
        }
        {
            Window window(catalogue, {960, 600});
            longNames(window);
            save(window, path("long"));
        }
        {
            Window window(catalogue);
            samples::buildMany(window.document, 200, 500);
            window.page->canvas()->fit();
            save(window, path("many"));
            window.page->canvas()->setZoom(0.6);
            save(window, path("many-near"));
        }
    }
    return 0;
}
