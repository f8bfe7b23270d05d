"""Keywords, signals, threads and warnings."""

import inspect
import os
import signal
import threading
import time

import pytest

import numalab
from numalab import _numalab

# Flags of the command line that are no keywords: results have methods for files, and Python has the environment and
# the flags of other tools in words of its own.
OTHERS = {
    "sim": """format output svg picture trace trace_window trace_limit bars omp_env display_affinity machine help
        no_series no_sequential interleave weighted_interleave membind preferred preferred_many localalloc cpunodebind
        physcpubind likwid_pin cpuset""",
    "explain": """format output omp_env display_affinity help interleave weighted_interleave membind preferred
        preferred_many localalloc cpunodebind physcpubind likwid_pin cpuset""",
    "advise": """format output omp_env display_affinity help interleave weighted_interleave membind preferred
        preferred_many localalloc cpunodebind physcpubind likwid_pin cpuset""",
    "distances": "format output svg hwloc numactl help",
    "validate": "format output svg help",
}


@pytest.mark.parametrize("command", OTHERS)
def test_keywords_are_the_flags(command):
    keywords = set(inspect.signature(getattr(numalab, command)).parameters)
    keywords -= {"machine", "workload", "measurements", "series", "sequential", "progress"} - {"machine"}
    flags = set(_numalab.words(command)) - set(OTHERS[command].split())
    if command != "validate":
        keywords -= {"machine"}
    assert keywords == flags - {"series"}


def test_messages_name_keywords():
    with pytest.raises(numalab.InputError) as error:
        numalab.sim("skylake8", "stream", threads=0)
    assert "'threads'" in str(error.value) and "--" not in str(error.value)
    with pytest.raises(numalab.InputError, match='did you mean "static"'):
        numalab.sim("skylake8", "stream", policy="statik")
    with pytest.raises(TypeError):
        numalab.sim("skylake8", "stream", polcy="static")
    with pytest.raises(ValueError):
        numalab.sim("skylak8", "stream")


def long_run(**options):
    return numalab.sim("altix-uv", "loadbal", policy="dynamic", set={"workload.packages": 2_000_000}, **options)


def test_ctrl_c_ends_a_run():
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        long_run()
    # The next run is not stopped.
    assert numalab.sim("skylake8", "stream", threads=1, series=False).best == "static"


def test_an_exception_of_the_listener_ends_a_run():
    class Enough(Exception):
        pass

    def listen(done, total):
        raise Enough

    with pytest.raises(Enough):
        long_run(progress=listen)


def test_other_threads_go_on():
    counted, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            counted[0] += 1
            time.sleep(0.001)

    def listen(done, total):
        if counted[0] > 20:
            raise StopIteration

    threading.Thread(target=count).start()
    try:
        with pytest.raises(StopIteration):
            long_run(progress=listen)
    finally:
        ended.set()


def test_runs_in_several_threads_give_what_one_gives():
    alone = [numalab.sim("skylake8", "loadbal", threads=threads, set={"workload.packages": 64}).to_json() for threads in (1, 2, 4, 8)]
    together = [""] * 4

    def run(at):
        options = {"threads": (1, 2, 4, 8)[at], "set": {"workload.packages": 64}}
        together[at] = numalab.sim("skylake8", "loadbal", **options).to_json()

    threads = [threading.Thread(target=run, args=(at,)) for at in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert together == alone


def test_warnings_are_warnings(tmp_path):
    topology = tmp_path / "lscpu.txt"
    topology.write_text(
        "Architecture: x86_64\nCPU(s): 4\nOn-line CPU(s) list: 0-3\nModel name: No Such Processor 1000\n"
        "Thread(s) per core: 1\nCore(s) per socket: 4\nSocket(s): 1\nNUMA node(s): 1\nNUMA node0 CPU(s): 0-3\n"
    )
    with pytest.warns(numalab.Note):
        result = numalab.sim(topology, "stream", assume=True, series=False)
    assert any("assumed" in note for note in result.notes)
