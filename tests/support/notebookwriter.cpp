// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/notebook/notebookfixture.h"

#include <QCoreApplication>

#include <cstdio>

using namespace napkin;

// Records for ever and prints each number once it was acknowledged: to be killed.
int main(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    if (argc != 2)
        return 2;
    const auto notebook = test::openNotebook(QString::fromLocal8Bit(argv[1]));
    while (true) {
        const auto number =
            test::recordIn(*notebook, test::throughputResult(BitRate::megabitsPerSecond(941)));
        std::printf("%lld\n", static_cast<long long>(number));
        std::fflush(stdout);
    }
}
