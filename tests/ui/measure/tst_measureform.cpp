// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/errortext.h"
#include "ui/measure/measureform.h"
#include "ui/measure/measurewords.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTest>

using namespace napkin;

namespace {

// Of those with that accessible name, the one that is shown.
template <typename Field>
Field* field(const QWidget& form, const QString& name)
{
    for (Field* one : form.findChildren<Field*>()) {
        if (one->accessibleName() == name && one->isVisibleTo(&form))
            return one;
    }
    return nullptr;
}

QCheckBox* check(const QWidget& form, const QString& text)
{
    for (QCheckBox* one : form.findChildren<QCheckBox*>()) {
        if (one->text().startsWith(text) && one->isVisibleTo(&form))
            return one;
    }
    return nullptr;
}

void choose(const MeasureForm& form, ProbeKind kind)
{
    auto* box = field<QComboBox>(form, QStringLiteral("Measure"));
    box->setCurrentIndex(box->findData(static_cast<int>(kind)));
}

bool isOffered(const QComboBox* box, int index)
{
    return qobject_cast<QStandardItemModel*>(box->model())->item(index)->isEnabled();
}

PeerBook bookWith(const QString& name, const QString& host)
{
    PeerBook book;
    PairedPeer peer;
    peer.id = PeerId::create();
    peer.name = name;
    peer.host = host;
    book.put(peer);
    return book;
}

} // namespace

// Each kind has its own options, and what comes out is what was chosen.
class TestMeasureForm : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyKindIsOffered();
    void everyKindMakesAValidRun_data();
    void everyKindMakesAValidRun();
    void memoryOfThisMachineOrAPairedOne();
    void storageNeedsAFileOfThisMachine();
    void aCableLeavesTheMachine();
    void stopWhenSure();
    void aFaultNamesItsField();
    void pairedNamesAreCompleted();
    void latencyTakesWhatIsTyped();
    void icmpKeepsItsInterval();
    void aPortOnlyWhereOneIsNeeded();
    void aPairedMachineIsNeededForSizes();
    void whatCanNotBeReadIsRefused();
};

void TestMeasureForm::everyKindIsOffered()
{
    MeasureForm form;
    const auto* box = field<QComboBox>(form, QStringLiteral("Measure"));
    QVERIFY(box);
    QCOMPARE(box->count(), probeKindCount);
    for (int i = 0; i < box->count(); ++i)
        QVERIFY(box->itemText(i).startsWith(kindTitle(static_cast<ProbeKind>(i))));
}

void TestMeasureForm::everyKindMakesAValidRun_data()
{
    QTest::addColumn<int>("kind");
    for (int i = 0; i < probeKindCount; ++i)
        QTest::newRow(qPrintable(probeKindName(static_cast<ProbeKind>(i)))) << i;
}

void TestMeasureForm::everyKindMakesAValidRun()
{
    QFETCH(int, kind);
    MeasureForm form;
    form.setPeers(bookWith(QStringLiteral("spark-b"), QStringLiteral("192.0.2.7")));
    choose(form, static_cast<ProbeKind>(kind));
    const bool isLone = isOfMachine(static_cast<ProbeKind>(kind));
    if (!isLone)
        QTest::keyClicks(field<QLineEdit>(form, QStringLiteral("Far end")),
                         QStringLiteral("192.0.2.7"));
    if (auto* file = field<QLineEdit>(form, QStringLiteral("File")))
        file->setText(QStringLiteral("/tmp/model.gguf"));
    const auto spec = form.spec();
    QVERIFY2(spec.has_value(), spec ? "" : qPrintable(spec.error().detail));
    QCOMPARE(static_cast<int>(spec->kind()), kind);
    QVERIFY(validate(*spec).has_value());
    QCOMPARE(spec->far.peer.has_value(), !isLone);
}

// No cable, no far end: a machine.
void TestMeasureForm::memoryOfThisMachineOrAPairedOne()
{
    MeasureForm form;
    const PeerBook book = bookWith(QStringLiteral("spark-b"), QStringLiteral("192.0.2.7"));
    form.setPeers(book);
    Drawing drawing;
    drawing.machines = {{MachineId::create(), QStringLiteral("spark-b"), {}, {}}};
    drawing.machines[0].peer = book.peers[0].id;
    form.setDrawing(drawing);
    QVERIFY(field<QLineEdit>(form, QStringLiteral("Far end")));
    QVERIFY(!field<QComboBox>(form, QStringLiteral("Machine")));
    choose(form, ProbeKind::Memory);
    for (const char* name : {"Far end", "Source"})
        QVERIFY(!field<QLineEdit>(form, QString::fromLatin1(name)));
    QVERIFY(!field<QComboBox>(form, QStringLiteral("Cable")));
    QVERIFY(!field<QSpinBox>(form, QStringLiteral("Port")));
    auto* machine = field<QComboBox>(form, QStringLiteral("Machine"));
    QVERIFY(machine);
    QVERIFY(!form.spec()->near.peer);
    machine->setCurrentText(QStringLiteral("spark-b"));
    field<QSpinBox>(form, QStringLiteral("Duration"))->setValue(9);
    const auto spec = form.spec();
    QVERIFY(spec.has_value());
    QCOMPARE(spec->near.peer, std::optional(book.peers[0].id));
    QCOMPARE(spec->near.machine, std::optional(drawing.machines[0].id));
    QCOMPARE(spec->far, Endpoint());
    QCOMPARE(std::get<MemoryOptions>(spec->options).duration, std::chrono::milliseconds(9'000));
    QCOMPARE(runTitle(*spec), QStringLiteral("Memory bandwidth of spark-b"));
    form.setPeers({}); // no longer paired
    QVERIFY(!form.spec()->near.peer);
    choose(form, ProbeKind::Throughput);
    QVERIFY(field<QLineEdit>(form, QStringLiteral("Far end")));
    QVERIFY(field<QComboBox>(form, QStringLiteral("Cable")));
}

void TestMeasureForm::storageNeedsAFileOfThisMachine()
{
    MeasureForm form;
    form.setPeers(bookWith(QStringLiteral("spark-b"), QStringLiteral("192.0.2.7")));
    choose(form, ProbeKind::Storage);
    QVERIFY(!field<QComboBox>(form, QStringLiteral("Machine")));
    QVERIFY(!form.spec().has_value());
    auto* file = field<QLineEdit>(form, QStringLiteral("File"));
    QVERIFY(file);
    file->setText(QStringLiteral("/models/x.gguf"));
    const auto spec = form.spec();
    QVERIFY(spec.has_value());
    QVERIFY(!spec->near.peer);
    QCOMPARE(std::get<StorageOptions>(spec->options).file, QStringLiteral("/models/x.gguf"));
}

// Whoever asks for a cable gets the cable.
void TestMeasureForm::aCableLeavesTheMachine()
{
    Drawing drawing;
    drawing.machines = {
        {MachineId::create(), QStringLiteral("a"), {}, {{PortId::create(), {}, {}}}},
        {MachineId::create(),
         QStringLiteral("b"),
         {},
         {{PortId::create(), {}, QStringLiteral("192.0.2.7")}}}};
    drawing.links = {{LinkId::create(),
                      LinkPeriodId::create(),
                      {},
                      QStringLiteral("ethernet-10g"),
                      drawing.machines[0].ports[0].id,
                      drawing.machines[1].ports[0].id}};
    MeasureForm form;
    form.setDrawing(drawing);
    choose(form, ProbeKind::Memory);
    form.selectLink(drawing.links[0].id);
    const auto spec = form.spec();
    QVERIFY(spec.has_value());
    QCOMPARE(spec->kind(), ProbeKind::Throughput);
    QCOMPARE(spec->link, std::optional(drawing.links[0].id));
    choose(form, ProbeKind::Memory);
    QVERIFY(!form.spec()->link); // whatever cable was chosen before
    form.focusHost();
    QVERIFY(field<QLineEdit>(form, QStringLiteral("Far end")));
}

void TestMeasureForm::aFaultNamesItsField()
{
    MeasureForm form;
    field<QLineEdit>(form, QStringLiteral("Far end"))->setText(QStringLiteral("192.0.2.7"));
    choose(form, ProbeKind::UdpThroughput);
    field<QLineEdit>(form, QStringLiteral("Offer"))->setText(QStringLiteral("abc"));
    const auto spec = form.spec();
    QVERIFY(!spec);
    const QString text = describe(spec.error()).what;
    QVERIFY2(text.startsWith(QStringLiteral("Offer: “abc”")), qPrintable(text));
}

void TestMeasureForm::pairedNamesAreCompleted()
{
    MeasureForm form;
    form.setPeers(bookWith(QStringLiteral("spark-b"), QStringLiteral("10.0.0.2")));
    QCompleter* completer = field<QLineEdit>(form, QStringLiteral("Far end"))->completer();
    QVERIFY(completer);
    completer->setCompletionPrefix(QStringLiteral("SPA"));
    QCOMPARE(completer->currentCompletion(), QStringLiteral("spark-b"));
    form.setPeers(bookWith(QStringLiteral("mini"), QStringLiteral("10.0.0.2"))); // renamed
    QCOMPARE(completer->completionCount(), 0);
    completer->setCompletionPrefix(QStringLiteral("mi"));
    QCOMPARE(completer->currentCompletion(), QStringLiteral("mini"));
}

void TestMeasureForm::stopWhenSure()
{
    MeasureForm form;
    QTest::keyClicks(field<QLineEdit>(form, QStringLiteral("Far end")),
                     QStringLiteral("192.0.2.7"));
    auto* sure = check(form, QStringLiteral("Stop when sure"));
    auto* duration = field<QSpinBox>(form, QStringLiteral("Duration"));
    QVERIFY(sure && duration);
    QVERIFY(!sure->isChecked()); // a fixed time is what it was
    duration->setValue(1);
    QCOMPARE(std::get<ThroughputOptions>(form.spec()->options).ending, Ending::FixedTime);
    sure->click();
    QVERIFY(duration->text().startsWith(QStringLiteral("at most")));
    const auto spec = form.spec();
    QVERIFY(spec.has_value());
    const auto& options = std::get<ThroughputOptions>(spec->options);
    QCOMPARE(options.ending, Ending::WhenSure);
    QVERIFY(options.duration >= std::chrono::seconds(2));
}

void TestMeasureForm::latencyTakesWhatIsTyped()
{
    MeasureForm form;
    choose(form, ProbeKind::Latency);
    QTest::keyClicks(field<QLineEdit>(form, QStringLiteral("Far end")),
                     QStringLiteral("192.0.2.7"));
    for (QAbstractButton* one : form.findChildren<QAbstractButton*>()) {
        if (one->text() == QStringLiteral("More options"))
            one->setChecked(true);
    }
    auto* size = field<QLineEdit>(form, QStringLiteral("Message"));
    QVERIFY(size);
    size->setText(QStringLiteral("1 KiB"));
    field<QSpinBox>(form, QStringLiteral("Duration"))->setValue(3);
    field<QSpinBox>(form, QStringLiteral("One every"))->setValue(20);
    check(form, QStringLiteral("Stop when sure"))->setChecked(false);
    const auto spec = form.spec();
    QVERIFY(spec.has_value());
    const auto& options = std::get<LatencyOptions>(spec->options);
    QCOMPARE(options.method, EchoMethod::Icmp);
    QCOMPARE(options.messageSize, ByteCount::bytes(1'024));
    QCOMPARE(options.duration, std::chrono::milliseconds(3'000));
    QCOMPARE(options.interval, std::chrono::microseconds(20'000));
    QCOMPARE(options.ending, Ending::FixedTime);
}

// ICMP may not be sent faster than the kernel lets everybody; the others go as fast as they come.
void TestMeasureForm::icmpKeepsItsInterval()
{
    MeasureForm form;
    form.setPeers(bookWith(QStringLiteral("spark-b"), QStringLiteral("192.0.2.7")));
    QTest::keyClicks(field<QLineEdit>(form, QStringLiteral("Far end")), QStringLiteral("spark-b"));
    choose(form, ProbeKind::Latency);
    auto* method = field<QComboBox>(form, QStringLiteral("With"));
    QVERIFY(method);
    const auto interval = [&form] {
        return std::get<LatencyOptions>(form.spec()->options).interval;
    };
    QVERIFY(interval() >= std::chrono::milliseconds(2));
    method->setCurrentIndex(method->findData(static_cast<int>(EchoMethod::Tcp)));
    QCOMPARE(interval(), std::chrono::microseconds(0));
    QCOMPARE(form.spec()->far.host, QStringLiteral("192.0.2.7")); // where it was paired
    method->setCurrentIndex(method->findData(static_cast<int>(EchoMethod::Icmp)));
    QVERIFY(interval() >= std::chrono::milliseconds(2));
}

void TestMeasureForm::aPortOnlyWhereOneIsNeeded()
{
    MeasureForm form;
    const QString port = QStringLiteral("Port");
    QVERIFY(field<QSpinBox>(form, port));
    choose(form, ProbeKind::Latency);
    QVERIFY(!field<QSpinBox>(form, port)); // the kernel answers an echo
    choose(form, ProbeKind::PathMtu);
    QVERIFY(field<QSpinBox>(form, port)); // the transfer needs one
    check(form, QStringLiteral("Then a transfer"))->click();
    QVERIFY(!field<QSpinBox>(form, port));
}

void TestMeasureForm::aPairedMachineIsNeededForSizes()
{
    MeasureForm form;
    const auto* kind = field<QComboBox>(form, QStringLiteral("Measure"));
    const int sizes = static_cast<int>(ProbeKind::MessageSweep);
    auto* host = field<QLineEdit>(form, QStringLiteral("Far end"));
    QTest::keyClicks(host, QStringLiteral("192.0.2.7"));
    QVERIFY(!isOffered(kind, sizes));
    QVERIFY(kind->itemText(sizes).contains(QStringLiteral("needs a paired machine")));
    form.setPeers(bookWith(QStringLiteral("spark-b"), QStringLiteral("192.0.2.7")));
    QVERIFY(isOffered(kind, sizes));
    choose(form, ProbeKind::MessageSweep);
    QVERIFY(form.spec().has_value());

    // Chosen already, and the machine is no longer paired: said, and not measured.
    host->clear();
    QTest::keyClicks(host, QStringLiteral("192.0.2.8"));
    const auto* need = form.findChild<QLabel*>(QStringLiteral("measureNeed"));
    QVERIFY(need && need->isVisibleTo(&form));
    QVERIFY(need->text().contains(QStringLiteral("paired")));
    QVERIFY(!form.spec().has_value());
    QCOMPARE(form.spec().error().code, ErrorCode::InvalidArgument);
}

void TestMeasureForm::whatCanNotBeReadIsRefused()
{
    MeasureForm form;
    choose(form, ProbeKind::UdpThroughput);
    QTest::keyClicks(field<QLineEdit>(form, QStringLiteral("Far end")),
                     QStringLiteral("192.0.2.7"));
    auto* rate = field<QLineEdit>(form, QStringLiteral("Offer"));
    QVERIFY(rate);
    rate->setText(QStringLiteral("300 Mb/s"));
    QCOMPARE(std::get<UdpOptions>(form.spec()->options).rate, BitRate::megabitsPerSecond(300));
    rate->setText(QStringLiteral("very fast"));
    QVERIFY(!form.spec().has_value());
}

QTEST_MAIN(TestMeasureForm)
#include "tst_measureform.moc"
