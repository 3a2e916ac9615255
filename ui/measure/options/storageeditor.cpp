// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/options/storageeditor.h"

#include "core/quantity/parse.h"
#include "ui/measure/options/fields.h"
#include "ui/theme/theme.h"
#include "ui/widgets/headings.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace napkin {

StorageEditor::StorageEditor()
    : OptionsEditor(ProbeKind::Storage)
    , m_file(new QLineEdit)
    , m_seconds(secondsBox(1, 600, 10))
    , m_request(new QLineEdit(QStringLiteral("1 MiB")))
    , m_depth(spinBox(1, 64, 4, {}))
{
    m_file->setPlaceholderText(tr("a large file, such as a model"));
    m_file->setToolTip(tr("Read once from its start, and not changed. The record keeps its name "
                          "without the folders."));
    m_file->setObjectName(QStringLiteral("storageFile"));
    auto* browse = new QPushButton(tr("Choose a file…"));
    connect(browse, &QPushButton::clicked, this, &StorageEditor::choose);
    m_seconds->setToolTip(tr("The longest it may take; the end of the file ends it, too"));
    m_request->setToolTip(tr("The size of each request: 64 KiB to 64 MiB"));
    m_depth->setToolTip(tr("How many requests are under way at once"));
    auto* hint = new TypeLabel(tr("Past the page cache: what it holds of the file is dropped "
                                  "first. Only files of this machine are read."),
                               TypeSize::Small);
    hint->setWordWrap(true);
    addField(usualForm(), tr("File"), m_file);
    usualForm()->addRow(new QLabel, browse);
    addField(usualForm(), tr("At most"), m_seconds);
    usualForm()->addRow(hint);
    addField(moreForm(), tr("Request"), m_request);
    addField(moreForm(), tr("At once"), m_depth);
}

void StorageEditor::choose()
{
    auto* dialog =
        new QFileDialog(this, tr("A file to read"), QFileInfo(m_file->text()).absolutePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_file, &QLineEdit::setText);
    dialog->open();
}

Result<ProbeOptions> StorageEditor::options() const
{
    StorageOptions options;
    options.file = m_file->text();
    options.duration = std::chrono::seconds(m_seconds->value());
    options.depth = m_depth->value();
    const auto request = parseByteCount(m_request->text());
    if (!request)
        return tl::unexpected(request.error());
    options.request = *request;
    return ProbeOptions(options);
}

} // namespace napkin
