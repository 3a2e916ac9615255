// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exitcode.h"
#include "app/cli/jsonreport.h"
#include "app/cli/terminal.h"
#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/notebook/notebook.h"
#include "core/peer/peerstore.h"

#include <QCoroTask>
#include <QString>

#include <functional>
#include <memory>

namespace napkin::cli {

enum class Output { Text, Json };

// What every command is given: where to write, which notebook, when to stop.
struct Context
{
    std::shared_ptr<Terminal> terminal;
    QString command; // "measure throughput", as it stands in JSON
    Output output = Output::Text;
    QString notebookFile; // empty: the default one
    QString peersFile;    // empty: the default one
    CancelToken cancel;

    [[nodiscard]] bool isJson() const { return output == Output::Json; }
    [[nodiscard]] QString notebookPath() const;
    // For running text and figures: as wide as the terminal, and no wider than is read well.
    [[nodiscard]] int textWidth() const;
    [[nodiscard]] std::shared_ptr<PeerStore> peerStore() const;
    // Nothing was ever recorded and no file was named: an empty notebook rather than a fault.
    [[nodiscard]] bool isFirstUse() const;

    // One JSON document with these keys, or this text; then the exit code.
    int finish(ExitCode code, Json payload, const QString& text) const;
    // The fault on standard error, and as a JSON document. `advice` replaces the usual one.
    int fail(const Error& error, const QString& advice = {}) const;
    // Ended by the user: this sentence, and as a JSON document.
    int interrupted(const QString& sentence, Json payload) const;
    int fail(ExitCode code, const Error& error, Json payload, const QString& advice = {}) const;
};

QCoro::Task<Result<std::unique_ptr<Notebook>>> openNotebook(std::shared_ptr<const Context> context,
                                                            Notebook::Mode mode);

// A command that was understood, ready to run. Hands back the exit code.
using Command = std::function<QCoro::Task<int>(std::shared_ptr<const Context>)>;

} // namespace napkin::cli
