// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/userunit.h"

#include <QStandardPaths>

namespace napkin::cli {

namespace {

// As systemd.syntax(7) wants it: quotes, and neither specifiers nor variables.
QString quoted(const QString& word)
{
    QString text = word;
    text.replace(u'\\', QStringLiteral("\\\\"))
        .replace(u'"', QStringLiteral("\\\""))
        .replace(u'%', QStringLiteral("%%"))
        .replace(u'\n', QStringLiteral("\\n"));
    return u'"' + text + u'"';
}

// Only where variables would be put in: on a command line.
QString argument(const QString& word)
{
    return quoted(word).replace(u'$', QStringLiteral("$$"));
}

} // namespace

QString userUnitPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/systemd/user/napkin.service");
}

QString userUnit(const QString& program, const QStringList& arguments, const QString& writable)
{
    QStringList command{quoted(program)};
    for (const QString& word : arguments)
        command << argument(word);
    // What needs a mount namespace is passed over by a user manager that may not make one; the rest
    // holds everywhere. Settings that drop capabilities are not here: a user manager may not, and
    // would not start the unit.
    return QStringLiteral(R"([Unit]
Description=Napkin: far end of measurements
Documentation=man:napkin-cli(1)

[Service]
ExecStart=%1
Restart=on-failure
RestartSec=5
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths=%2
PrivateTmp=yes
ProtectControlGroups=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
MemoryMax=2G
TasksMax=512
LimitNOFILE=4096
LimitCORE=0

[Install]
WantedBy=default.target
)")
        .arg(command.join(u' '), quoted(u'-' + writable));
}

} // namespace napkin::cli
