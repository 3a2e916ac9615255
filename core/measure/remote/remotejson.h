// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/throughput/iperf3server.h"
#include "core/peer/ticket.h"
#include "core/results/result.h"

#include <QStringList>

#include <nlohmann/json.hpp>

#include <chrono>
#include <optional>

// What paired machines tell each other about a measurement, as JSON. Everything that is read comes
// from outside: bounded, and ParseFailed with the place where it is not as it should be.
namespace napkin::remote {

// Asked of a far end: to serve one run.
struct OfferRequest
{
    ProbeSpec spec;
    QStringList from; // addresses that the near end may come from; at most 256
    QString to;       // address to listen on; empty: all
};
[[nodiscard]] nlohmann::json toJson(const OfferRequest& request);
[[nodiscard]] Result<OfferRequest> offerRequestFrom(const nlohmann::json& json);

// What it answers as soon as it listens.
struct OfferTerms
{
    QString id;
    int port = 0;
    DataTicket ticket;
    HostConditions far; // as it stands before the run
};
[[nodiscard]] nlohmann::json toJson(const OfferTerms& terms);
[[nodiscard]] Result<OfferTerms> offerTermsFrom(const nlohmann::json& json);

// Asked of a near end: to make one run.
struct MeasureRequest
{
    ProbeSpec spec;
    std::optional<DataTicket> ticket; // none where the near end's memory is measured
};
[[nodiscard]] nlohmann::json toJson(const MeasureRequest& request);
// PermissionDenied without a ticket, but for the machine's own memory; always for its files.
[[nodiscard]] Result<MeasureRequest> measureRequestFrom(const nlohmann::json& json);

[[nodiscard]] nlohmann::json toJson(const Progress& progress);
[[nodiscard]] Result<Progress> progressFrom(const nlohmann::json& json, ProbeKind kind);

[[nodiscard]] nlohmann::json resultToJson(const ProbeResult& result);
[[nodiscard]] Result<ProbeResult> resultFrom(const nlohmann::json& json);

[[nodiscard]] nlohmann::json toJson(const ServedTest& test);

// How long a run may take, with all that belongs to it.
[[nodiscard]] std::chrono::milliseconds longest(const ProbeSpec& spec);

} // namespace napkin::remote
