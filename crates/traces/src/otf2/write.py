"""Writes an archive of OTF2 from lines on standard input; needs python3-otf2 (Debian). Its argument is the folder."""

import sys

import otf2
from otf2.enums import Paradigm, RegionRole, Type


def member(enum, name, otherwise):
    return getattr(enum, name, otherwise)


def main(folder):
    lines = iter(sys.stdin)
    ticks = int(next(lines).split("\t")[1])
    with otf2.writer.open(folder, timer_resolution=ticks) as trace:
        define = trace.definitions
        machine = define.system_tree_node("machine", class_name="machine")
        attribute = define.attribute("task of", "Distance of the thread that created the task", Type.STRING)
        nodes, groups, writers, regions = {}, {}, [], []
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if cells[0] == "thread":
                node = int(cells[1])
                if node not in nodes:
                    name = f"node {node}" if node >= 0 else "somewhere"
                    nodes[node] = define.system_tree_node(name, class_name="node", parent=machine)
                    groups[node] = define.location_group(f"threads, {name}", system_tree_parent=nodes[node])
                writers.append(trace.event_writer(cells[2], group=groups[node]))
            elif cells[0] == "region":
                _, _, role, paradigm, begin, whose, file, name = cells
                region = define.region(
                    f"{name} ({whose})" if whose else name,
                    source_file=file,
                    begin_line_number=int(begin),
                    region_role=member(RegionRole, role, RegionRole.UNKNOWN),
                    paradigm=member(Paradigm, paradigm, Paradigm.UNKNOWN),
                )
                regions.append((region, {attribute: whose} if whose else None))
            else:
                sign, thread, time, number = line.split()
                region, whose = regions[int(number)]
                if sign == "+":
                    writers[int(thread)].enter(int(time), region, whose)
                else:
                    writers[int(thread)].leave(int(time), region)


main(sys.argv[1])
