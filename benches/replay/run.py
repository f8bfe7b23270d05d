#!/usr/bin/env python3
"""Predicts how long a team of two takes on this computer, and measures it.

    benches/replay/run.py [ROUNDS]

Each kernel is recorded once, under `dynamic,1`, and replayed with two threads under each policy. Then it runs, without any recorder;
policies take turns, and samples during which the system took a processor away do not count: the median of the others is what the
prediction is held against. With fewer than three of them a line is open, and counts for nothing. Needs clang with libomp;
NUMALAB names the program. Columns: predicted and measured microseconds a region, the error, the half of the middle half of the
samples, samples that count of all. A line follows on the cost of recording: one thread with the recorder (time pass) and without.

Programs of others come last, as far as they are here (Debian: primecount-bin, andi, fasttree), under the schedules that are in them:
recorded with a team of two and a token, replayed, and beside it the least time that free teams of two took within regions.
They run too long to go undisturbed on a computer that has other work, whose load is told: `chrt -f 1 benches/replay/run.py`, as
root, takes the processors from all of it.
"""

import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
NUMALAB = os.environ.get("NUMALAB", str(HERE.parent.parent / "target/release/numalab"))
CLANG = os.environ.get("CC", "clang-19")
KERNELS = ["loadbal", "matvec", "cg", "heat", "fib"]
POLICIES = ["static", "dynamic", "guided", "tasks"]
REPEATS = 20
# Undisturbed samples that a comparison needs.
ENOUGH = 3


def schedule(policy):
    return policy if policy == "static" else f"{policy},1"


def run(words, **variables):
    done = subprocess.run(words, env=os.environ | variables, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def samples(program, kernel, policy):
    words = [program, kernel, str(REPEATS)] + (["tasks"] if policy == "tasks" else [])
    text = run(words, OMP_NUM_THREADS="2", OMP_SCHEDULE=schedule(policy), KMP_BLOCKTIME="infinite")
    # The first one makes the team.
    return [tuple(map(float, line.split())) for line in text.splitlines()[1:]]


def predicted(recording, policies):
    words = [NUMALAB, "sim", "socket:1 core:2", recording, "-t", "2", "--core-ratio", "1", "--runtime", "llvm",
             "--format", "json", "--no-sequential"]
    for policy in policies:
        words += ["-p", policy]
    result = json.loads(run(words))
    found = {}
    for policy, one in zip(policies, result["runs"]):
        phases = [phase for phase in one["phases"] if not phase["name"].startswith("serial")]
        found[policy] = sum(phase["time_ps"] for phase in phases) / 1e6 / REPEATS
    return found


def spread(values):
    if len(values) < 4:
        return 0.0
    quarters = statistics.quantiles(values, n=4)
    return (quarters[2] - quarters[0]) / 2


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/kernels"
        run([CLANG, "-g", "-O2", "-fopenmp", "-o", program, str(HERE / "kernels.c"), "-lm"])
        guesses, seen = {}, {}
        for kernel in KERNELS:
            recording = f"{folder}/{kernel}.nlt"
            run([NUMALAB, "record", "-t", "2", "--pages", "off", "-o", recording, "--", program, kernel, str(REPEATS)],
                OMP_SCHEDULE="dynamic,1")
            policies = ["tasks"] if kernel == "fib" else POLICIES
            for policy, guess in predicted(recording, policies).items():
                guesses[kernel, policy] = guess
                seen[kernel, policy] = []
        for _ in range(rounds):
            for kernel, policy in seen:
                seen[kernel, policy] += samples(program, kernel, policy)
        errors, orders, right = [], 0, 0
        print(f"{'kernel':<9}{'policy':<9}{'predicted us':>13}{'measured us':>13}{'error':>9}{'spread':>9}{'samples':>16}")
        medians = {}
        for (kernel, policy), all_ in seen.items():
            kept = [ns / 1e3 for ns, switches in all_ if switches == 0]
            if len(kept) < ENOUGH:
                print(f"{kernel:<9}{policy:<9}{guesses[kernel, policy]:>13.1f}{'open':>13}{'':>18}{f'{len(kept)} of {len(all_)}':>16}")
                continue
            median = statistics.median(kept)
            medians[kernel, policy] = (median, spread(kept))
            error = guesses[kernel, policy] / median - 1
            errors.append(abs(error))
            print(f"{kernel:<9}{policy:<9}{guesses[kernel, policy]:>13.1f}{median:>13.1f}{100 * error:>+8.1f}%"
                  f"{100 * spread(kept) / median:>8.1f}%{f'{len(kept)} of {len(all_)}':>16}")
        for kernel in KERNELS[:-1]:
            for at, one in enumerate(POLICIES):
                for other in POLICIES[at + 1:]:
                    if (kernel, one) not in medians or (kernel, other) not in medians:
                        continue
                    (a, spread_a), (b, spread_b) = medians[kernel, one], medians[kernel, other]
                    if abs(a - b) > 0.1 * min(a, b) + spread_a + spread_b:
                        orders += 1
                        right += (guesses[kernel, one] < guesses[kernel, other]) == (a < b)
        if not errors:
            sys.exit("nothing ran undisturbed")
        print(f"median error {100 * statistics.median(errors):.1f} %; {right} of {orders} orders right where policies differ by more "
              "than 10 % and their spreads")
        overhead(program, folder, rounds)
        foreign(folder, min(rounds, 5))


def overhead(program, folder, rounds):
    """One thread with grains of at least 10 us: the recorder's library in the program, and not."""
    library = pathlib.Path(folder) / "recorder"
    run([NUMALAB, "record", "export", str(library)])
    run(["make", "-C", str(library)], CC=CLANG)
    [built] = library.glob("*.so")
    times = {False: [], True: []}
    for _ in range(rounds):
        for recorded in (False, True):
            variables = {"OMP_NUM_THREADS": "1", "OMP_SCHEDULE": "dynamic,1"}
            if recorded:
                variables |= {"OMP_TOOL_LIBRARIES": str(built), "NUMALAB_RECORD": f"{folder}/events", "NUMALAB_TOKEN": "0"}
            lines = run([program, "loadbal", str(REPEATS)], **variables).splitlines()[1:]
            times[recorded] += [tuple(map(float, line.split())) for line in lines]
    medians = {}
    for recorded, all_ in times.items():
        # On one thread a switch is rare.
        least = min(switches for _, switches in all_)
        medians[recorded] = statistics.median(ns / 1e3 for ns, switches in all_ if switches == least)
    more = medians[True] / medians[False] - 1
    print(f"loadbal on one thread: {medians[False]:.1f} us without and {medians[True]:.1f} us with the recorder, {100 * more:+.1f} %")


def sequences(path, count, length):
    """Related sequences of nucleotides."""
    draw = random.Random(1)
    base = [draw.choice("ACGT") for _ in range(length)]
    with open(path, "w") as out:
        for number in range(count):
            copy = "".join(one if draw.random() > 0.1 else draw.choice("ACGT") for one in base)
            out.write(f">s{number}\n{copy}\n")
    return path


def foreign(folder, rounds):
    dna = sequences(f"{folder}/dna.fa", 10, 1500)
    programs = [["primecount", "1e14", "-t", "2"], ["andi", "-t", "2", dna], ["fasttreeMP", "-nt", "-quiet", dna]]
    print(f"load of the computer: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    for words in programs:
        if not shutil.which(words[0]):
            print(f"{words[0]}: not here")
            continue
        recording = f"{folder}/{words[0]}.nlt"
        run([NUMALAB, "record", "-t", "2", "--pages", "off", "--rounds", str(rounds), "-o", recording, "--"] + words)
        shown = json.loads(run([NUMALAB, "trace", "show", recording, "--format", "json"]))
        free = [ns / 1e6 for ns in shown["recording"]["free"]["regions_ns"]]
        result = json.loads(run([NUMALAB, "sim", "socket:1 core:2", recording, "-t", "2", "--core-ratio", "1", "--runtime", "llvm",
                                 "--set", "workload.compared=none", "-p", "static", "--format", "json", "--no-sequential"]))
        phases = result["runs"][0]["phases"]
        guess = sum(phase["time_ps"] for phase in phases if not phase["name"].startswith("serial")) / 1e9
        print(f"{words[0]:<12} predicted {guess:.2f} ms in regions; {len(free)} free teams took {min(free):.2f} ms at least, "
              f"{statistics.median(free):.2f} in the middle: {100 * (guess / min(free) - 1):+.1f} %")


main()
