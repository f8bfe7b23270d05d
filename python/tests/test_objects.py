"""Machines, workloads and runtimes as objects."""

import dataclasses
import pickle
import re

import pytest

import numalab

TRIANGLE = """
name: triangle
description: A triangle of rows
parameters: {n: 64}
regions: {rows: {size: 8 * n * n}}
phases:
  - name: sweep
    measured: true
    loop:
      iterations: n
      instructions: 100 * i
      touches: [{region: rows, slice: {start: 8 * n * i, length: 8 * (i + 1)}, mode: read}]
"""


def test_a_text_is_used_like_a_file():
    workload = numalab.Workload.from_text(TRIANGLE, name="triangle")
    result = numalab.sim("skylake8", workload, threads=4, policy=["static", "dynamic,4"])
    assert result.policies == ["static", "dynamic,4"]
    assert repr(workload) == "<Workload 'triangle'>"


def test_errors_show_the_line_with_a_caret():
    wrong = TRIANGLE.replace("touches", "touchs")
    with pytest.raises(numalab.InputError) as error:
        numalab.sim("skylake8", numalab.Workload.from_text(wrong, name="mine"))
    text = str(error.value)
    assert "touchs" in text and "mine:12:" in text and "^" in text and "`touches`" in text
    text = numalab.Machine("skylake8").text
    with pytest.raises(numalab.InputError, match="parsec"):
        numalab.Machine.from_text(re.sub(r'^latency = "([0-9.]+) ns"', r'latency = "\1 parsec"', text, flags=re.MULTILINE))


def test_a_machine_of_a_table():
    @dataclasses.dataclass
    class Level:
        kind: str
        count: int

    @dataclasses.dataclass
    class Mine:
        name: str
        level: list
        core: dict
        memory: dict
        description: str | None = None

    core = {"clock": "2 GHz", "flops_per_cycle": 16, "instructions_per_cycle": 2, "outstanding": 10}
    memory = {"latency": "90 ns", "bandwidth": "50 GB/s", "capacity": "64 GB"}
    machine = Mine("mine", [Level("socket", 2), Level("core", 4)], core, memory)
    result = numalab.sim(numalab.Machine(dataclasses.asdict(machine)), "stream", series=False)
    assert result["static"]["threads"] == 8
    with pytest.raises(numalab.InputError, match="latncy"):
        numalab.Machine({**dataclasses.asdict(machine), "memory": {**memory, "latncy": "1 ns"}})
    with pytest.raises(TypeError):
        numalab.Machine(3)


def test_two_of_one_name_are_two(slower):
    text = numalab.Machine("skylake8").text
    slow = numalab.Machine.from_text(slower(text), name="mine")
    fast = numalab.Machine.from_text(text, name="mine")
    both = numalab.sim([slow, fast], "stream", series=False, threads=8)
    times = [point["runs"][0]["makespan_ps"] for point in both.points]
    assert times[0] > times[1]


def test_objects_can_be_pickled():
    machine = pickle.loads(pickle.dumps(numalab.Machine("skylake8")))
    assert numalab.sim(machine, "stream", threads=1, series=False).best == "static"


def test_the_catalogue():
    assert "bcs16" in numalab.machines() and "stream" in numalab.workloads() and "gcc" in numalab.runtimes()
    assert "skylake8" in numalab.show("skylake8")
