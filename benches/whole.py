#!/usr/bin/env python3
"""Times whole processes: least CPU seconds of several runs, and most MB, programs taking turns.

    benches/whole.py [-n RUNS] [-c CASES] PROGRAM...

CASES is a regular expression over the names of cases. Run it on a machine that does nothing else.
"""

import argparse
import os
import re
import subprocess
import sys

LARGE, HUGE = "board:104 socket:2 core:10", "board:512 socket:4 core:16"
SCHEDULES = ["static", "numa-steal:most-loaded", "dynamic"]


def cases():
    """Names and the arguments of `numalab sim`."""

    def loadbal(machine, schedule, packages, *more):
        sets = [f"workload.packages={packages}", *more]
        return [machine, "loadbal", "-p", schedule] + [word for text in sets for word in ("--set", text)]

    yield "128/all", ["bcs16", "loadbal", "-j", "1"]
    yield "128/all/two-workers", ["bcs16", "loadbal", "-j", "2"]
    for schedule in SCHEDULES:
        yield f"128/{schedule}", loadbal("bcs16", schedule, 3840)
        yield f"2080/{schedule}", loadbal(LARGE, schedule, 62400)
        yield f"32768/{schedule}", loadbal(HUGE, schedule, 983040)
    yield "32768/dynamic/4TB", loadbal(HUGE, "dynamic", 983040, "workload.footprint=4TB")
    yield "2080/guided", loadbal(LARGE, "guided", 62400)
    for boards in [1, 4, 16, 64, 256]:
        for schedule in SCHEDULES:
            threads = boards * 32
            yield f"threads/{threads}/{schedule}", loadbal(f"board:{boards} socket:4 core:8", schedule, 30 * threads)
    for boards, cores in [(1, 128), (4, 32), (16, 8), (64, 2)]:
        yield f"boards/{boards}/dynamic", loadbal(f"board:{boards} socket:16 core:{cores}", "dynamic", 61440)
    for packages in [15, 30, 120, 480]:
        yield f"packages/{packages}/dynamic", loadbal(LARGE, "dynamic", 2080 * packages)
    for queues in ["thread-local", "hierarchical"]:
        yield f"fib/{queues}", ["bcs16", "fib", "-p", f"tasks:{queues}", "--set", "workload.n=33", "--set", "workload.cutoff=100"]
    for machine in ["altix-uv", "numascale72"]:
        for workload in sorted(os.listdir(os.path.join(os.path.dirname(__file__), "..", "workloads"))):
            name = workload.removesuffix(".yaml")
            yield f"{machine}/{name}", [machine, name, "-j", "1"]


def nominal(program):
    """Arguments for the nominal run alone; none for programs from before the replicas."""
    about = subprocess.run([program, "sim", "--help"], stdout=subprocess.PIPE, check=True).stdout
    return ["--replicas", "1"] if b"--replicas" in about else []


def run(program, arguments):
    """CPU seconds and MB of one run."""
    child = subprocess.Popen([program, "sim", *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"{program} sim {' '.join(arguments)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--runs", type=int, default=3)
    parser.add_argument("-c", "--cases", default="")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    options = parser.parse_args()
    of = {program: nominal(program) for program in options.programs}
    for name, arguments in cases():
        if not re.search(options.cases, name):
            continue
        turns = [[run(program, arguments + of[program]) for program in options.programs] for _ in range(options.runs)]
        figures = (f"{min(t for t, _ in one):9.3f} s {max(m for _, m in one):6.0f} MB" for one in zip(*turns))
        print(f"{name:34}", *figures, sep="  ", flush=True)


if __name__ == "__main__":
    main()
