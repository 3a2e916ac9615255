// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/throughput/protocol.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QtEndian>

#include <algorithm>

namespace napkin::iperf3 {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::Iperf3Protocol)
};

constexpr QLatin1StringView cookieAlphabet("abcdefghijklmnopqrstuvwxyz234567");

QString meaning(std::int32_t code)
{
    switch (code) {
    case faultRate:
        return Words::tr("the total rate asked for is above the server's limit");
    case faultMaxDuration:
        return Words::tr("the duration is longer than the server allows");
    case faultBadParameters:
        return Words::tr("the server did not accept the options");
    case 142:
        return Words::tr("the server wants a user name and a password");
    case faultDurationExpired:
        return Words::tr("the test took longer than the server allows");
    case faultStreamCreation:
        return Words::tr("the server could not create the streams");
    default:
        return Words::tr("the server reported iperf3 error %1").arg(code);
    }
}

} // namespace

QByteArray makeCookie()
{
    QByteArray cookie(cookieSize, '\0');
    for (int i = 0; i < cookieSize - 1; ++i)
        cookie[i] =
            cookieAlphabet
                .at(QRandomGenerator::system()->bounded(static_cast<int>(cookieAlphabet.size())))
                .toLatin1();
    return cookie;
}

bool isCookie(QByteArrayView bytes)
{
    return bytes.size() == cookieSize && bytes.back() == '\0' &&
           std::all_of(bytes.begin(), bytes.end() - 1,
                       [](char c) { return cookieAlphabet.contains(QLatin1Char(c)); });
}

QByteArray encodeState(State state)
{
    return QByteArray(1, static_cast<char>(state));
}

QByteArray encodeServerFault(ServerFault fault)
{
    QByteArray bytes(1 + serverFaultSize, '\0');
    bytes[0] = static_cast<char>(State::ServerError);
    qToBigEndian(fault.code, bytes.data() + 1);
    qToBigEndian(fault.error, bytes.data() + 5);
    return bytes;
}

ServerFault decodeServerFault(QByteArrayView eightBytes)
{
    return {qFromBigEndian<std::int32_t>(eightBytes.data()),
            qFromBigEndian<std::int32_t>(eightBytes.data() + 4)};
}

QString explain(ServerFault fault)
{
    if (fault.error <= 0)
        return meaning(fault.code);
    return Words::tr("%1 (system error %2)").arg(meaning(fault.code)).arg(fault.error);
}

QByteArray encodeFrame(const QByteArray& json)
{
    QByteArray frame(4, '\0');
    qToBigEndian(static_cast<std::uint32_t>(json.size()), frame.data());
    return frame + json;
}

std::uint32_t decodeLength(QByteArrayView fourBytes)
{
    return qFromBigEndian<std::uint32_t>(fourBytes.data());
}

} // namespace napkin::iperf3
