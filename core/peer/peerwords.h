// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace napkin {

// The words of this module for what is wrong with what came in.
struct PeerWords
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Peer)
};

} // namespace napkin
