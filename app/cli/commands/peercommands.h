// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandline.h"
#include "core/peer/peerstore.h"

namespace napkin::cli {

// What the commands that have to do with paired machines share.

// Never the key.
[[nodiscard]] Json jsonPeer(const PairedPeer& peer);

// Like Context::fail, with exit code 5 for a fault of the file of paired machines.
int failPeers(const Context& context, const Error& error, const QString& advice = {});

// By name or id; NotFound names those that there are.
[[nodiscard]] Result<PairedPeer> peerCalled(const PeerStore& store, const QString& name);

void addPairing(CommandLine& line, CLI::App* group); // invite, pair

struct InstallOptions
{
    QStringList arguments; // of the service: "serve", "--peer", ...
};
// Writes and starts the user's service; stops and removes it.
[[nodiscard]] QCoro::Task<int> installService(std::shared_ptr<const Context> context,
                                              InstallOptions options);
[[nodiscard]] QCoro::Task<int> uninstallService(std::shared_ptr<const Context> context);

} // namespace napkin::cli
