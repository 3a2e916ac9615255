# SPDX-License-Identifier: GPL-3.0-or-later
# The library headers that most sources include, parsed once for each kind of source instead of once a source: it
# halves the time of a build. Sources still include what they use; the stage `package` builds without.
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
    # Time stamps would keep ccache from finding anything again.
    target_compile_options(napkin_precompiled_${kind} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# napkin_use_precompiled(TARGET KIND): KIND is core (no Gui, no Widgets), ui or test.
function(napkin_use_precompiled target kind)
    if(NAPKIN_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM napkin_precompiled_${kind})
    endif()
endfunction()

set(core_headers
    <algorithm> <array> <chrono> <cmath> <cstdint> <deque> <functional> <map> <memory> <mutex> <optional> <set> <span>
    <string> <string_view> <thread> <tuple> <utility> <variant> <vector>
    <nlohmann/json.hpp> <tl/expected.hpp>
    <QByteArray> <QCoroTask> <QCoreApplication> <QDateTime> <QDir> <QFile> <QFileInfo> <QHash> <QHostAddress> <QLocale>
    <QObject> <QPointer> <QRegularExpression> <QString> <QStringList> <QTcpSocket> <QTimer>)
set(core_libraries Qt6::Core Qt6::Network QCoro6::Core nlohmann_json::nlohmann_json tl::expected Threads::Threads)
set(ui_headers
    <QAbstractTableModel> <QAction> <QApplication> <QBoxLayout> <QComboBox> <QGraphicsItem> <QLabel> <QLineEdit>
    <QMainWindow> <QMenu> <QPainter> <QPushButton> <QWidget>)
set(ui_libraries ${core_libraries} Qt6::Widgets)

napkin_precompiled_headers(core HEADERS ${core_headers} LINKS ${core_libraries})
napkin_precompiled_headers(ui HEADERS ${core_headers} ${ui_headers} LINKS ${ui_libraries})
if(NAPKIN_TESTS)
    napkin_precompiled_headers(test
        HEADERS ${core_headers} ${ui_headers} <QProcess> <QSignalSpy> <QTcpServer> <QTemporaryDir> <QTest>
        LINKS ${ui_libraries})
    # Not linked: Qt6::Test defines the folder of each test that links it.
    target_include_directories(napkin_precompiled_test SYSTEM PRIVATE
        $<TARGET_PROPERTY:Qt6::Test,INTERFACE_INCLUDE_DIRECTORIES>)
endif()
