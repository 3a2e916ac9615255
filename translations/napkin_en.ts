<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>napkin::CablePanel</name>
    <message numerus="yes">
        <source>%n runs, the newest complete ones shown.</source>
        <translation>
            <numerusform>%n run.</numerusform>
            <numerusform>%n runs, the newest complete ones shown.</numerusform>
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
</TS>
