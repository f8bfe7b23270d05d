#!/usr/bin/env python3
"""Converts a trace of NumaLab into OTF2, as Vampir and Scalasca read it.

    numalab sim bcs16 loadbal --policy dynamic --trace dynamic.prv
    python3 docs/prv2otf2.py dynamic.prv dynamic-otf2
    otf2-print dynamic-otf2/traces.otf2

Needs python3-otf2 (Debian), and the .pcf and .row files beside the .prv. The levels of the machine become the system
tree, threads locations, reasons regions; the distance of a task's creator is a region of its own and an attribute. The
bytes per second of resources become metrics of the machine.
"""

import pathlib
import sys

import otf2
from otf2.enums import LocationType, MetricMode, MetricType, RegionRole, Paradigm, Type

NANOSECONDS = 10**9
REASON = 90_000_001
COUNTERS = 91_000_000


def legend(path):
    """Names of reasons by number, and names of counters by their type."""
    reasons, counters, types = {}, {}, []
    values = False
    for line in path.read_text().splitlines():
        words = line.split(None, 2)
        if line.startswith("EVENT_TYPE"):
            types, values = [], False
        elif line.startswith("VALUES"):
            values = True
        elif not words or not words[0].isdigit():
            values = values and bool(words)
        elif values and REASON in types:
            reasons[int(words[0])] = line.split(None, 1)[1]
        elif len(words) == 3 and words[1].isdigit():
            types.append(int(words[1]))
            if int(words[1]) >= COUNTERS:
                counters[int(words[1])] = words[2].removesuffix(" [B/s]")
    return reasons, counters


def places(path):
    """Board, socket and node of every thread."""
    threads = path.read_text().split("LEVEL THREAD SIZE")[1].splitlines()[1:]
    words = [line.split() for line in threads if line]
    return [{name: int(value) for name, value in zip(line[::2], line[1::2])} for line in words]


def distance(reason):
    """Whose task a span belongs to, if it is one's."""
    return reason.split("(task of ")[1].rstrip(")") if "(task of " in reason else None


def convert(source, folder):
    reasons, counters = legend(source.with_suffix(".pcf"))
    threads = places(source.with_suffix(".row"))
    spans = [[] for _ in threads]
    rates = []
    with open(source) as lines:
        next(lines)
        for line in lines:
            fields = [int(field) for field in line.split(":")]
            if fields[0] == 1:
                spans[fields[4] - 1].append([fields[5], fields[6], 0])
            elif fields[0] == 2 and fields[6] == REASON:
                spans[fields[4] - 1][-1][2] = fields[7]
            elif fields[0] == 2 and fields[6] in counters:
                rates.append((fields[5], fields[6], fields[7]))
    with otf2.writer.open(str(folder), timer_resolution=NANOSECONDS) as trace:
        write(trace, reasons, counters, threads, spans, rates)


def write(trace, reasons, counters, threads, spans, rates):
    define = trace.definitions
    machine = define.system_tree_node("machine", class_name="machine")
    nodes, groups = {}, {}
    regions = {
        number: define.region(name, region_role=RegionRole.TASK if distance(name) else RegionRole.CODE,
                              paradigm=Paradigm.OPENMP if distance(name) else Paradigm.USER)
        for number, name in reasons.items()
    }
    attribute = define.attribute("task of", "Distance of the thread that created the task", Type.STRING)

    def tree(thread):
        within, path = machine, ()
        for level in ("board", "socket", "node"):
            path += (thread[level],)
            if path not in nodes:
                nodes[path] = define.system_tree_node(f"{level} {thread[level]}", class_name=level, parent=within)
            within = nodes[path]
        return path, within

    for number, (thread, list_) in enumerate(zip(threads, spans)):
        path, node = tree(thread)
        if path not in groups:
            groups[path] = define.location_group(f"threads on node {thread['node']}", system_tree_parent=node)
        writer = trace.event_writer(f"thread {number}", group=groups[path])
        for begin, end, reason in list_:
            whose = distance(reasons[reason])
            writer.enter(begin, regions[reason], {attribute: whose} if whose else None)
            writer.leave(end, regions[reason])
    if rates:
        group = define.location_group("resources", system_tree_parent=machine)
        writer = trace.event_writer("resources", group=group, type=LocationType.METRIC)
        metrics = {
            number: define.metric(name, unit="B/s", metric_mode=MetricMode.ABSOLUTE_NEXT, value_type=Type.DOUBLE,
                                  metric_type=MetricType.OTHER)
            for number, name in counters.items()
        }
        for at, number, rate in rates:
            writer.metric(at, metrics[number], float(rate))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: prv2otf2.py TRACE.prv FOLDER")
    convert(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
