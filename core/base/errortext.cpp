// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/errortext.h"

#include <QCoreApplication>
#include <QStringList>

namespace napkin {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(napkin::ErrorText)
};

struct Sentences
{
    QString what;
    QString advice;
};

// %1 is what the fault concerns.
Sentences networkSentences(ErrorCode code)
{
    switch (code) {
    case ErrorCode::NameNotResolved:
        return {Words::tr("The name %1 could not be resolved to an address."),
                Words::tr("Check the spelling, or use the address of the machine instead.")};
    case ErrorCode::ConnectionRefused:
        return {
            Words::tr("%1 refused the connection: nothing listens there."),
            Words::tr("Start a far end on that machine: napkin-cli serve or iperf3 --server to be "
                      "measured, napkin-cli serve --peer for paired machines.")};
    case ErrorCode::HostUnreachable:
        return {
            Words::tr("%1 cannot be reached."),
            Words::tr("Check the cable, the address, and that both machines are in one network.")};
    case ErrorCode::ConnectionLost:
        return {Words::tr("%1 closed the connection in the middle."),
                Words::tr("Look at the far end: did the program stop, or did the link go down?")};
    case ErrorCode::PeerBusy:
        return {Words::tr("%1 is busy with another test."),
                Words::tr("Try again in a moment, or start a second server with "
                          "napkin-cli serve --port 5202.")};
    case ErrorCode::PeerSilent:
        return {Words::tr("%1 does not answer."),
                Words::tr("Check that the link is up, that an iperf3 or Napkin server runs there, "
                          "and that no firewall stands between.")};
    case ErrorCode::PeerRefused:
        return {Words::tr("%1 refused."),
                Words::tr("Mend what it names, or look at what its program says there.")};
    case ErrorCode::ProtocolViolation:
        return {Words::tr("%1 does not speak the protocol that was expected."),
                Words::tr("Check the port. Another program may be listening there.")};
    case ErrorCode::FrameTooLarge:
        return {Words::tr("%1 sent a message that is larger than allowed."),
                Words::tr("Check the port. Another program may be listening there.")};
    case ErrorCode::AddressInUse:
        return {Words::tr("%1 is already in use on this machine."),
                Words::tr("Stop the other program, or choose another port.")};
    case ErrorCode::AddressNotAvailable:
        return {Words::tr("%1 is not an address of this machine."),
                Words::tr("List the addresses with: ip address.")};
    case ErrorCode::NoSuchInterface:
        return {Words::tr("This machine has no network interface called %1."),
                Words::tr("List the interfaces with: ip link.")};
    case ErrorCode::NothingMeasured:
        return {
            Words::tr("The run with %1 ended without a single byte arriving."),
            Words::tr("Small messages pass and large ones do not: compare the MTU at both ends and "
                      "at every switch between.")};
    default:
        return {};
    }
}

Sentences storageSentences(ErrorCode code)
{
    switch (code) {
    case ErrorCode::StorageUnavailable:
        return {Words::tr("%1 could not be read or written."),
                Words::tr("Check that the folder exists, that you may write there, and that the "
                          "disk has room.")};
    case ErrorCode::ReadFailed:
        return {Words::tr("%1 could not be read."),
                Words::tr("Try another file. When that fails, too, look at what the system says of "
                          "the disk: sudo dmesg.")};
    case ErrorCode::StorageReadOnly:
        return {Words::tr("The notebook %1 cannot be written."),
                Words::tr("Check the rights of the file and its folder, or use another file with "
                          "--notebook.")};
    case ErrorCode::StorageFull:
        return {Words::tr("The disk of %1 is full."),
                Words::tr("Free some space. What was recorded before is safe.")};
    case ErrorCode::StorageLocked:
        return {Words::tr("Another program holds %1."),
                Words::tr("Close the other program and try again.")};
    case ErrorCode::StorageCorrupt:
        return {
            Words::tr("The notebook %1 is damaged."),
            Words::tr("Keep a copy of the file. napkin-cli notebook verify says what is wrong.")};
    case ErrorCode::StorageTooNew:
        return {Words::tr("%1 was written by a newer version of Napkin."),
                Words::tr("Install the newer version to open it. Nothing was changed.")};
    case ErrorCode::NotANotebook:
        return {Words::tr("%1 is not a Napkin notebook."),
                Words::tr("Choose another file. Nothing was changed.")};
    case ErrorCode::KeysExposed:
        return {Words::tr("%1 holds the keys of your peers, and it is open to other users of this "
                          "machine."),
                Words::tr("If others may have read it, revoke the peers and pair them again.")};
    default:
        return {};
    }
}

Sentences generalSentences(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Cancelled:
        return {Words::tr("Cancelled."), {}};
    case ErrorCode::TimedOut:
        return {Words::tr("%1 did not answer in time."),
                Words::tr("Check that the machine is on, and that no firewall stands between.")};
    case ErrorCode::InvalidArgument:
        return {Words::tr("%1 cannot be used."), {}};
    case ErrorCode::ParseFailed:
        return {Words::tr("%1 could not be understood."), {}};
    case ErrorCode::NotFound:
        return {Words::tr("%1 was not found."), {}};
    case ErrorCode::PermissionDenied:
        return {Words::tr("%1 is not permitted."), Words::tr("It may need more rights.")};
    case ErrorCode::Unsupported:
        return {Words::tr("%1 is not supported here."), {}};
    case ErrorCode::WrongValues:
        return {
            Words::tr("%1 gave back other values than were written to it."),
            Words::tr("The memory or the processor makes mistakes, so nothing was recorded. Test "
                      "the machine, for example with memtest86+.")};
    case ErrorCode::ProgramEnded:
        return {Words::tr("The run ended when the program did."), {}};
    case ErrorCode::OutOfMemory:
        return {Words::tr("This machine has too little memory for that, or allows too few threads "
                          "(%1)."),
                Words::tr("Use fewer streams and smaller blocks, or end other programs.")};
    default:
        return {Words::tr("Something went wrong inside Napkin (%1)."),
                Words::tr("Please report it with the words above.")};
    }
}

} // namespace

QString ErrorText::joined() const
{
    QStringList parts;
    for (const QString& part : {what, why, advice}) {
        if (!part.isEmpty())
            parts << part;
    }
    return parts.join(QLatin1Char(' '));
}

ErrorText describe(const Error& error)
{
    Sentences words = networkSentences(error.code);
    if (words.what.isEmpty())
        words = storageSentences(error.code);
    if (words.what.isEmpty())
        words = generalSentences(error.code);
    const QString about = error.context.isEmpty() ? Words::tr("It") : error.context;
    QString why = error.detail;
    if (!why.isEmpty()) {
        why[0] = why[0].toUpper();
        if (!why.endsWith(QLatin1Char('.')))
            why += QLatin1Char('.');
    }
    const QString what =
        words.what.contains(QStringLiteral("%1")) ? words.what.arg(about) : words.what;
    return {what, why, words.advice};
}

} // namespace napkin
