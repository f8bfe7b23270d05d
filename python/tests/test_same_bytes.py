"""Law: a call and the command line give the same bytes."""

import random

import numalab
from numalab._options import arguments

MACHINES = ["skylake8", "opteron4", "s6030", "hp8", "epyc-9654-2p", "socket:2 core:4"]
WORKLOADS = {
    "stream": {"workload.footprint": ["1 MB", "80 MB"]},
    "loadbal": {"workload.packages": [64, 500]},
    "locks": {},
    "epcc": {"workload.construct": ["barrier", "parallel", "critical"]},
    "first_touch_init": {},
    "matvec": {"workload.init": ["serial", "parallel"]},
    "false_sharing": {},
    "fib": {"workload.n": [12, 15]},
}
CHOICES = {
    "threads": [None, 1, 2, 4],
    "placement": [None, None, "interleave", "first-touch", {"nothing": "bind:0"}],
    "proc_bind": [None, "spread", "close"],
    "runtime": [None, "llvm", "gcc"],
    "seed": [None, 1, 7],
    "replicas": [1, 2],
    "no_series": [True],
    "no_sequential": [True, False],
}


def test_random_runs(command_line):
    draw = random.Random(20261130)
    compared = refused = 0
    while compared < 300:
        machine, workload = draw.choice(MACHINES), draw.choice(list(WORKLOADS))
        options = {name: draw.choice(values) for name, values in CHOICES.items()}
        values = {path: draw.choice(all_) for path, all_ in WORKLOADS[workload].items()}
        options["set"] = values if draw.random() < 0.7 else None
        called = {**options}
        called["series"] = False if called.pop("no_series") else None
        called["sequential"] = not called.pop("no_sequential")
        called["seed"] = called["seed"] or 0
        flags = ["sim", machine, workload, *arguments(options), "--format=json"]
        try:
            result = numalab.sim(machine, workload, **called, progress=False)
        except numalab.InputError:
            refused += 1
            assert refused < 400
            continue
        assert result.to_json() == command_line(*flags), flags
        compared += 1


def test_all_forms(command_line):
    result = numalab.sim("skylake8", "stream", series={"threads": [1, 4]})
    flags = ["sim", "skylake8", "stream", "--series=threads=1,4"]
    assert result.to_csv() == command_line(*flags, "--format=csv")
    assert result.table(100).rstrip() == command_line(*flags).rstrip()
    advice = numalab.advise("skylake8", "stream", threads=4)
    assert advice.to_json() == command_line("advise", "skylake8", "stream", "--threads=4", "--format=json")
    why = numalab.explain("skylake8", "stream", threads=4)
    assert why.to_json() == command_line("explain", "skylake8", "stream", "--threads=4", "--format=json")
    far = numalab.distances("opteron4")
    assert far.to_json() == command_line("distances", "opteron4", "--format=json")
    rows = numalab.validate(experiment="loadbal", machine="bcs16")
    flags = ["validate", "--experiment=loadbal", "--machine=bcs16", "--format=json"]
    assert rows.to_json() == command_line(*flags)


def test_a_file_and_an_object_give_the_same(tmp_path, command_line):
    machine = numalab.Machine("skylake8")
    machine.save(tmp_path / "mine.toml")
    by_object = numalab.sim(machine, "stream", threads=2)
    by_path = numalab.sim(tmp_path / "mine.toml", "stream", threads=2)
    assert by_object.to_json() == by_path.to_json()
    assert by_path.to_json() == command_line("sim", "mine.toml", "stream", "--threads=2", "--format=json")


def test_a_changed_file_is_read_again(tmp_path, slower):
    path = tmp_path / "mine.toml"
    text = numalab.Machine("skylake8").text
    path.write_text(text)
    before = numalab.sim(path, "stream", threads=8).seconds
    path.write_text(slower(text))
    assert numalab.sim(path, "stream", threads=8).seconds != before
