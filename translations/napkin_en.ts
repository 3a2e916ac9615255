<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>napkin::ByteRateChart</name>
    <message numerus="yes">
        <source>Median %1, best %2, %n passes</source>
        <translation>
            <numerusform>Median %1, best %2, %n pass</numerusform>
            <numerusform>Median %1, best %2, %n passes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::CablePanel</name>
    <message numerus="yes">
        <source>%n runs, none that counts: cut short, voided, or over loopback.</source>
        <translation>
            <numerusform>%n run, which does not count: cut short, voided, or over loopback.</numerusform>
            <numerusform>%n runs, none that counts: cut short, voided, or over loopback.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs, the newest that count are shown.</source>
        <translation>
            <numerusform>%n run.</numerusform>
            <numerusform>%n runs, the newest that count are shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln&#xa0;retransmissions</source>
        <translation>
            <numerusform>%Ln&#xa0;retransmission</numerusform>
            <numerusform>%Ln&#xa0;retransmissions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::ConnectTime</name>
    <message numerus="yes">
        <source>none of %Ln attempts connected (%1)</source>
        <translation>
            <numerusform>the only attempt did not connect (%1)</numerusform>
            <numerusform>none of %Ln attempts connected (%1)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::DrawingDocument</name>
    <message numerus="yes">
        <source>Move %n machines</source>
        <translation>
            <numerusform>Move %n machine</numerusform>
            <numerusform>Move %n machines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n cables</source>
        <translation>
            <numerusform>Remove %n cable</numerusform>
            <numerusform>Remove %n cables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n items</source>
        <translation>
            <numerusform>Remove %n item</numerusform>
            <numerusform>Remove %n items</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::DrawingPanel</name>
    <message numerus="yes">
        <source>%n machines</source>
        <translation>
            <numerusform>%n machine</numerusform>
            <numerusform>%n machines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cables</source>
        <translation>
            <numerusform>%n cable</numerusform>
            <numerusform>%n cables</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::Echo</name>
    <message numerus="yes">
        <source>no reply to %Ln echoes; the machine may be off, or a firewall may drop them</source>
        <translation>
            <numerusform>no reply to %Ln echo; the machine may be off, or a firewall may drop it</numerusform>
            <numerusform>no reply to %Ln echoes; the machine may be off, or a firewall may drop them</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::FactsText</name>
    <message numerus="yes">
        <source>%n logical cores</source>
        <translation>
            <numerusform>%n logical core</numerusform>
            <numerusform>%n logical cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::Latency</name>
    <message numerus="yes">
        <source>none of %Ln messages was answered</source>
        <translation>
            <numerusform>the one message was not answered</numerusform>
            <numerusform>none of %Ln messages was answered</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::LatencyChart</name>
    <message numerus="yes">
        <source>%Ln messages so far</source>
        <translation>
            <numerusform>%Ln message so far</numerusform>
            <numerusform>%Ln messages so far</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln messages</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::LoadedLatency</name>
    <message numerus="yes">
        <source>none of %Ln messages was answered</source>
        <translation>
            <numerusform>the one message was not answered</numerusform>
            <numerusform>none of %Ln messages was answered</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::MachineItem</name>
    <message numerus="yes">
        <source>%n more</source>
        <comment>ports</comment>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::MemoryBandwidth</name>
    <message numerus="yes">
        <source>this machine lets the program use %Ln processors</source>
        <translation>
            <numerusform>this machine lets the program use one processor</numerusform>
            <numerusform>this machine lets the program use %Ln processors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::PeerServer</name>
    <message numerus="yes">
        <source>too many wrong keys from there; it has to wait %Ln seconds</source>
        <translation>
            <numerusform>too many wrong keys from there; it has to wait %Ln second</numerusform>
            <numerusform>too many wrong keys from there; it has to wait %Ln seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::PeersPage</name>
    <message numerus="yes">
        <source>%n machines answered. Names are claims: anybody on this network can use any name. Only a code makes sure.</source>
        <translation>
            <numerusform>%n machine answered. Names are claims: anybody on this network can use any name. Only a code makes sure.</numerusform>
            <numerusform>%n machines answered. Names are claims: anybody on this network can use any name. Only a code makes sure.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::RateChart</name>
    <message numerus="yes">
        <source>%Ln points over %1 s</source>
        <translation>
            <numerusform>%Ln point over %1 s</numerusform>
            <numerusform>%Ln points over %1 s</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::RelativeTime</name>
    <message numerus="yes">
        <source>%n min ago</source>
        <translation>
            <numerusform>%n min ago</numerusform>
            <numerusform>%n min ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h ago</source>
        <translation>
            <numerusform>%n h ago</numerusform>
            <numerusform>%n h ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s) ago</source>
        <translation>
            <numerusform>%n day ago</numerusform>
            <numerusform>%n days ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::ResultText</name>
    <message numerus="yes">
        <source>%Ln stalls</source>
        <translation>
            <numerusform>%Ln stall</numerusform>
            <numerusform>%Ln stalls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln drop-outs</source>
        <translation>
            <numerusform>%Ln drop-out</numerusform>
            <numerusform>%Ln drop-outs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln damaged blocks</source>
        <translation>
            <numerusform>%Ln damaged block</numerusform>
            <numerusform>%Ln damaged blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocks out of sequence</source>
        <translation>
            <numerusform>%Ln block out of sequence</numerusform>
            <numerusform>%Ln blocks out of sequence</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::RunCharts</name>
    <message numerus="yes">
        <source>%Ln faults</source>
        <translation>
            <numerusform>%Ln fault</numerusform>
            <numerusform>%Ln faults</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::RunDetails</name>
    <message numerus="yes">
        <source>%n conditions changed, marked ≠</source>
        <translation>
            <numerusform>%n condition changed, marked ≠</numerusform>
            <numerusform>%n conditions changed, marked ≠</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::SweepChart</name>
    <message numerus="yes">
        <source>%Ln messages so far</source>
        <translation>
            <numerusform>%Ln message so far</numerusform>
            <numerusform>%Ln messages so far</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::TaskStrip</name>
    <message numerus="yes">
        <source>%n s left</source>
        <translation>
            <numerusform>%n s left</numerusform>
            <numerusform>%n s left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n min left</source>
        <translation>
            <numerusform>%n min left</numerusform>
            <numerusform>%n min left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h left</source>
        <translation>
            <numerusform>%n h left</numerusform>
            <numerusform>%n h left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::cli::LiveProgress</name>
    <message numerus="yes">
        <source>%Ln retransmissions</source>
        <translation>
            <numerusform>%Ln retransmission</numerusform>
            <numerusform>%Ln retransmissions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln attempts   %2 %3</source>
        <translation>
            <numerusform>%1 of %Ln attempt   %2 %3</numerusform>
            <numerusform>%1 of %Ln attempts   %2 %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::cli::NotebookCommand</name>
    <message numerus="yes">
        <source>%1: %Ln runs checked, no problem found.</source>
        <translation>
            <numerusform>%1: %Ln run checked, no problem found.</numerusform>
            <numerusform>%1: %Ln runs checked, no problem found.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln runs checked, problems found: %2</source>
        <translation>
            <numerusform>%1: %Ln run checked, problems found: %2</numerusform>
            <numerusform>%1: %Ln runs checked, problems found: %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The figures that lists show of %Ln runs were computed by another version of Napkin and would come out otherwise now. The runs are whole. Bring the lists up to date with: napkin-cli notebook refresh</source>
        <translation>
            <numerusform>The figures that lists show of %Ln run were computed by another version of Napkin and would come out otherwise now. The run is whole. Bring the lists up to date with: napkin-cli notebook refresh</numerusform>
            <numerusform>The figures that lists show of %Ln runs were computed by another version of Napkin and would come out otherwise now. The runs are whole. Bring the lists up to date with: napkin-cli notebook refresh</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: the figures of %Ln runs were computed anew.</source>
        <translation>
            <numerusform>%1: the figures of %Ln run were computed anew.</numerusform>
            <numerusform>%1: the figures of %Ln runs were computed anew.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::cli::OptionText</name>
    <message numerus="yes">
        <source>%Ln threads</source>
        <translation>
            <numerusform>%Ln thread</numerusform>
            <numerusform>%Ln threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln streams</source>
        <translation>
            <numerusform>%Ln stream</numerusform>
            <numerusform>%Ln streams</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln attempts</source>
        <translation>
            <numerusform>%Ln attempt</numerusform>
            <numerusform>%Ln attempts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln rounds</source>
        <translation>
            <numerusform>%Ln round</numerusform>
            <numerusform>%Ln rounds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln attempts a size</source>
        <translation>
            <numerusform>%Ln attempt a size</numerusform>
            <numerusform>%Ln attempts a size</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::cli::ProgressText</name>
    <message numerus="yes">
        <source>%Ln faults</source>
        <translation>
            <numerusform>%Ln fault</numerusform>
            <numerusform>%Ln faults</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sizes tried</source>
        <translation>
            <numerusform>%Ln size tried</numerusform>
            <numerusform>%Ln sizes tried</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::cli::Reach</name>
    <message numerus="yes">
        <source>%Ln further addresses were not tried.</source>
        <translation>
            <numerusform>%Ln further address was not tried.</numerusform>
            <numerusform>%Ln further addresses were not tried.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln answered, RTT %2 median, %3 least</source>
        <translation>
            <numerusform>%1 of %Ln answered, RTT %2 median, %3 least</numerusform>
            <numerusform>%1 of %Ln answered, RTT %2 median, %3 least</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::cli::Serve</name>
    <message numerus="yes">
        <source> (and %Ln more before it)</source>
        <translation>
            <numerusform> (and %Ln more before it)</numerusform>
            <numerusform> (and %Ln more before it)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln machines are paired.</source>
        <translation>
            <numerusform>%Ln machine is paired.</numerusform>
            <numerusform>%Ln machines are paired.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln streams</source>
        <translation>
            <numerusform>%Ln stream</numerusform>
            <numerusform>%Ln streams</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>napkin::cli::TextReport</name>
    <message numerus="yes">
        <source>%1 of %Ln attempts</source>
        <translation>
            <numerusform>%1 of %Ln attempt</numerusform>
            <numerusform>%1 of %Ln attempts</numerusform>
        </translation>
    </message>
</context>
</TS>
