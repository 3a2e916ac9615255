# SPDX-License-Identifier: GPL-3.0-or-later
# The headers that most sources include, parsed once for each kind of source instead of once a source. Our own
# are among them where nearly everything depends on them anyway. Sources still include what they use; the stage `package`
# builds without.
option(NAPKIN_PRECOMPILE "Precompile library headers" ON)

# napkin_precompiled_headers(KIND HEADERS ... LINKS ...)
function(napkin_precompiled_headers kind)
    cmake_parse_arguments(ARG "" "" "HEADERS;LINKS" ${ARGN})
    if(NOT NAPKIN_PRECOMPILE)
        return()
    endif()
    set(source ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// SPDX-License-Identifier: GPL-3.0-or-later\n")
    add_library(napkin_precompiled_${kind} OBJECT ${source})
    target_link_libraries(napkin_precompiled_${kind} PRIVATE napkin_options ${ARG_LINKS})
    target_precompile_headers(napkin_precompiled_${kind} PRIVATE ${ARG_HEADERS})
    # CMake leaves the time of a changed list of headers as it was; with another definition it is compiled anew.
    string(MD5 list "${ARG_HEADERS}")
    target_compile_definitions(napkin_precompiled_${kind} PRIVATE NAPKIN_PRECOMPILED_LIST="${list}")
    # Time stamps would keep ccache from finding anything again.
    target_compile_options(napkin_precompiled_${kind} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# napkin_use_precompiled(TARGET KIND): KIND is library (libraries only), core (with our values; no Gui, no Widgets), ui
# or test.
function(napkin_use_precompiled target kind)
    if(NAPKIN_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM napkin_precompiled_${kind})
    endif()
endfunction()

set(library_headers
    <algorithm> <array> <atomic> <cerrno> <chrono> <cmath> <cstdint> <cstring> <deque> <functional> <limits> <map>
    <memory> <mutex> <optional> <random> <set> <span> <string> <string_view> <thread> <tuple> <utility> <variant>
    <vector>
    <nlohmann/json.hpp> <tl/expected.hpp>
    <QByteArray> <QCoroTask> <QCoreApplication> <QDateTime> <QDir> <QFile> <QFileInfo> <QHash> <QHostAddress> <QLocale>
    <QObject> <QPointer> <QRandomGenerator> <QRegularExpression> <QString> <QStringList> <QTcpSocket> <QTimer> <QtEndian>)
set(library_libraries Qt6::Core Qt6::Network QCoro6::Core nlohmann_json::nlohmann_json tl::expected Threads::Threads)
# In angle brackets: a path of this machine would keep ccache from finding anything in another clone.
set(value_headers
    <core/base/boundedjson.h> <core/base/cancel.h> <core/base/clock.h> <core/base/deadline.h> <core/base/error.h>
    <core/base/errortext.h> <core/base/gate.h> <core/base/id.h> <core/base/waiting.h>
    <core/quantity/format.h> <core/quantity/quantity.h>
    <core/results/hostfacts.h> <core/results/result.h> <core/results/spec.h>)
set(ui_headers
    <QAbstractTableModel> <QAction> <QApplication> <QBoxLayout> <QCheckBox> <QComboBox> <QEvent> <QFormLayout>
    <QGraphicsItem> <QHBoxLayout> <QKeyEvent> <QLabel> <QLineEdit> <QMainWindow> <QMenu> <QPainter> <QPushButton>
    <QScrollArea> <QScrollBar> <QSpinBox> <QToolButton> <QVBoxLayout> <QWidget>
    <core/notebook/notebook.h> <core/notebook/worksheet.h> <core/topology/topology.h> <core/workflow/resulttext.h>
    <ui/theme/theme.h>)
set(ui_libraries ${library_libraries} Qt6::Widgets)

napkin_precompiled_headers(library HEADERS ${library_headers} LINKS ${library_libraries})
napkin_precompiled_headers(core HEADERS ${library_headers} ${value_headers} LINKS ${library_libraries})
napkin_precompiled_headers(ui HEADERS ${library_headers} ${value_headers} ${ui_headers} LINKS ${ui_libraries})
if(NAPKIN_TESTS)
    napkin_precompiled_headers(test
        HEADERS ${library_headers} ${value_headers} ${ui_headers} <QProcess> <QSignalSpy> <QTcpServer> <QTemporaryDir> <QTest>
        LINKS ${ui_libraries})
    # Not linked: Qt6::Test defines the folder of each test that links it.
    target_include_directories(napkin_precompiled_test SYSTEM PRIVATE
        $<TARGET_PROPERTY:Qt6::Test,INTERFACE_INCLUDE_DIRECTORIES>)
endif()
