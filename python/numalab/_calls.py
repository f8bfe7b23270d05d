"""Calls, each a command of the command line."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _numalab
from ._errors import InputError, Note, RunError, of_python
from ._files import Machine, Runtime, Sweep, Workload, _File
from ._options import arguments, value
from ._progress import listener
from ._results import Clinic, Comparison, Explanation, Result, Series, Table, of_record

#: Name of the catalogue, path of a file, or object.
MachineLike = Union[str, "os.PathLike[str]", Machine]
WorkloadLike = Union[str, "os.PathLike[str]", Workload]
RuntimeLike = Union[str, "os.PathLike[str]", Runtime]
#: True: progress on a terminal or in a notebook, of calls that take longer than a second. A function is called with
#: the finished and all parts of the work.
Progress = Union[bool, Callable[[int, int], object]]


def run(
    words: Sequence[str],
    *,
    fixed: bool = False,
    wants_record: bool = False,
    progress: Progress = False,
    stack: int = 2,
) -> Any:
    """Runs a command line, without the program's name, and raises what it refuses."""
    tick, close = listener(progress)
    try:
        answer = _numalab.run(list(words), fixed, wants_record, tick)
    finally:
        close()
    reason, message = answer.failure or ("", "")
    if reason == "input":
        raise InputError(of_python(message))
    if reason in ("run", "stopped"):
        raise RunError(of_python(message))
    for note in answer.notes.splitlines():
        if note.startswith("warning: "):
            warnings.warn(of_python(note.removeprefix("warning: ")), Note, stacklevel=stack + 1)
    return answer


def _is_fixed(kind: str, given: Any) -> bool:
    return given is None or _numalab.is_fixed(kind, value(given))


def _result(words: list[str], keep: object, fixed: bool, progress: Progress) -> Any:
    answer = run(words, fixed=fixed, wants_record=True, progress=progress, stack=4)
    return of_record(answer.record, words, answer.notes.splitlines(), keep)


def sim(
    machine: MachineLike | Sequence[MachineLike],
    workload: WorkloadLike,
    *,
    policy: str | Sequence[str] | None = None,
    threads: int | None = None,
    procs: str | Sequence[int] | None = None,
    places: str | None = None,
    proc_bind: str | None = None,
    placement: str | Mapping[str, str] | None = None,
    runtime: RuntimeLike | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    series: Mapping[str, Any] | Sequence[str] | str | bool | None = None,
    what_if: bool = False,
    dsm: str | Sequence[str] | None = None,
    seed: int = 0,
    replicas: int | None = None,
    unsure: int | bool = False,
    exact: bool = False,
    sequential: bool = True,
    assume: bool = False,
    assume_as: MachineLike | None = None,
    core_ratio: float | None = None,
    recorded_on: MachineLike | None = None,
    data: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Progress = True,
) -> Comparison | Series:
    """Runs a workload on a machine under several policies, or over the values of a parameter.

    Parameters
    ----------
    machine, workload
        Names of the catalogue, paths, or objects. Several machines give a `Series` over them. A recorded program
        (``.nlt``) is a workload and needs ``core_ratio``.
    policy
        Policies to compare, such as ``["static", "dynamic,16"]``; default: those of the workload.
    threads
        Size of the team; default: one thread for each core.
    procs, places, proc_bind
        Processors (``"0-7,16"`` or numbers), ``OMP_PLACES`` and ``OMP_PROC_BIND``.
    placement
        Placement of all pages (``"interleave"``) or by region (``{"a": "bind:0"}``).
    set
        Values of the files, such as ``{"machine.memory.latency": "90 ns", "workload.n": 4096}``.
    series
        ``{"threads": [1, 2, 4]}`` or ``"threads=1..8"``; ``False``: one run, even if the workload has a series. Of two
        (``{"threads": [1, 8], "runtime": ["gcc", "llvm"]}``), the first is the horizontal axis.
    replicas, unsure
        Number of replicas with the noise of a system; of runs with values within their tolerances (``True``: 24).
    seed, exact, sequential, what_if, dsm, assume, assume_as, core_ratio, recorded_on, data, jobs
        As the flags of ``numalab help sim``; ``sequential=False`` leaves out the run on one thread.
    progress
        Whether progress is shown, or a function of the finished and all parts.

    Returns
    -------
    Comparison or Series
        Times are in picoseconds in records and rows.

    Raises
    ------
    InputError
        A name, a file or a value is wrong. The text points at the line.
    RunError
        The run failed.

    Examples
    --------
    >>> import numalab
    >>> result = numalab.sim("skylake8", "stream", threads=8, series=False)
    >>> [run["policy"] for run in result.runs]
    ['static']
    >>> numalab.sim("skylake8", "stream", series={"threads": [1, 8]})
    <Series of 2 points over threads>
    """
    several = not isinstance(machine, (str, os.PathLike, _File))
    options = {
        "policy": policy,
        "threads": threads,
        "procs": procs,
        "places": places,
        "proc_bind": proc_bind,
        "placement": placement,
        "runtime": runtime,
        "set": set,
        "series": None if isinstance(series, bool) else series,
        "no_series": series is False,
        "what_if": what_if,
        "dsm": dsm,
        "seed": seed or None,
        "replicas": replicas,
        "unsure": unsure,
        "exact": exact,
        "no_sequential": not sequential,
        "assume": assume,
        "assume_as": assume_as,
        "core_ratio": core_ratio,
        "recorded_on": recorded_on,
        "data": data,
        "jobs": jobs,
    }
    machines = [value(each) for each in machine] if several else [value(machine)]
    named = [f"--machine={name}" for name in machines] if several else machines
    words = ["sim", *named, value(workload), *arguments(options)]
    varied = [series] if isinstance(series, (str, bool)) else list(series or ())
    fixed = (
        not assume
        and assume_as is None
        and recorded_on is None
        and data is None
        and not any(str(over).startswith(("machine", "runtime")) for over in varied)
        and _is_fixed("workload", workload)
        and _is_fixed("runtime", runtime)
        and all(_is_fixed("machine", name) for name in machines)
    )
    return _result(words, (machine, workload, runtime, assume_as, recorded_on, series), fixed, progress)


def explain(
    machine: MachineLike,
    workload: WorkloadLike,
    *,
    policy: str | None = None,
    threads: int | None = None,
    procs: str | Sequence[int] | None = None,
    places: str | None = None,
    proc_bind: str | None = None,
    placement: str | Mapping[str, str] | None = None,
    runtime: RuntimeLike | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    seed: int = 0,
    exact: bool = False,
    only_blame: bool = False,
    budget: str | int | None = None,
    assume: bool = False,
    assume_as: MachineLike | None = None,
    core_ratio: float | None = None,
    recorded_on: MachineLike | None = None,
    data: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Progress = True,
) -> Explanation:
    """Explains why a run takes as long as it does, and which changes make it shorter.

    The parameters are those of `sim`, for one policy (default: the workload's first). ``only_blame`` leaves out what
    needs more simulations; ``budget`` limits these (``"all"``, or work such as ``"500M"``).

    >>> import numalab
    >>> why = numalab.explain("skylake8", "stream", only_blame=True)
    >>> why.data["bottleneck"]["name"]
    'local latency'
    """
    return _examine("explain", locals())


def advise(
    machine: MachineLike,
    workload: WorkloadLike,
    *,
    policy: str | None = None,
    threads: int | None = None,
    procs: str | Sequence[int] | None = None,
    places: str | None = None,
    proc_bind: str | None = None,
    placement: str | Mapping[str, str] | None = None,
    runtime: RuntimeLike | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    seed: int = 0,
    exact: bool = False,
    budget: str | int | None = None,
    assume: bool = False,
    assume_as: MachineLike | None = None,
    core_ratio: float | None = None,
    recorded_on: MachineLike | None = None,
    data: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Progress = True,
) -> Clinic:
    """Compares every loop schedule for each loop, and says what to type.

    The parameters are those of `explain`. ``loops`` of the result has the schedules of each loop, the best first, with
    their ranges over replicas (picoseconds), what they lose beside the best (a fraction) and the text that sets them.

    >>> import numalab
    >>> advice = numalab.advise("skylake8", "stream", threads=2, budget="20M")
    >>> advice.loops[0]["schedules"][0]["regret"]
    0.0
    """
    return _examine("advise", locals())


def _examine(command: str, given: dict[str, Any]) -> Any:
    """Result of a command about one run, from the parameters of its call."""
    machine, workload, progress = given.pop("machine"), given.pop("workload"), given.pop("progress")
    files = (machine, workload, given["runtime"], given["assume_as"], given["recorded_on"])
    options = {**given, "seed": given["seed"] or None}
    words = [command, value(machine), value(workload), *arguments(options)]
    return _result(words, files, False, progress)



def distances(
    machine: MachineLike,
    *,
    compare: str | os.PathLike[str] | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    assume: bool = False,
    assume_as: MachineLike | None = None,
) -> Result:
    """Distances between the nodes of a machine: idle latency, bandwidth of one core and of all, beside those that the
    firmware reports. ``compare``: file of a measured matrix.

    >>> import numalab
    >>> len(numalab.distances("hp8").data["simulated"])
    8
    """
    options = {"compare": compare, "set": set, "assume": assume, "assume_as": assume_as}
    words = ["distances", value(machine), *arguments(options)]
    return _result(words, (machine, assume_as), False, False)


def validate(
    measurements: str | os.PathLike[str] | None = None,
    *,
    machine: MachineLike | None = None,
    experiment: str | None = None,
    runtime: RuntimeLike | None = None,
    seeds: int | None = None,
    commands: bool = False,
    all: bool = False,
    progress: Progress = True,
) -> Result:
    """Compares published measurements, or those of a host in a file, with simulations.

    >>> import numalab
    >>> rows = numalab.validate(experiment="loadbal", machine="bcs16")
    >>> {row["machine"] for row in rows.data["rows"]}
    {'bcs16'}
    """
    options = {
        "machine": machine,
        "experiment": experiment,
        "runtime": runtime,
        "seeds": seeds,
        "commands": commands,
        "all": all,
    }
    file = [] if measurements is None else [os.fspath(measurements)]
    return _result(["validate", *file, *arguments(options)], (machine, runtime), False, progress)


def sweep(
    file: str | os.PathLike[str] | Sweep,
    *,
    store: str | os.PathLike[str] | None = None,
    filter: str | Sequence[str] | None = None,
    jobs: int | None = None,
    progress: Progress = True,
) -> Table:
    """Runs a grid of points: one row for each. ``passed`` of the table is False if a gate does not hold.

    ``store``: folder in which results are kept, and found again by a later call; default: none is kept.
    """
    with tempfile.TemporaryDirectory(prefix="numalab-") as scratch:
        rows = Path(scratch) / "rows"
        options = {"store": store or Path(scratch) / "store", "filter": filter, "jobs": jobs}
        words = ["sweep", value(file), *arguments(options)]
        texts = [f"--output={rows}.csv", f"--output={rows}.jsonl"]
        answer = run([*words, *texts], progress=progress, stack=3)
        csv, lines = (Path(f"{rows}.{ending}").read_text("utf-8") for ending in ("csv", "jsonl"))
    passed = answer.failure is None
    summary = answer.text.decode()
    return Table(csv, "[" + ",\n".join(lines.splitlines()) + "]\n", [*answer.notes.splitlines(), summary], passed)


def show(name: str | os.PathLike[str] | _File) -> str:
    """Description of a machine, a workload, a runtime or a sweep, as text."""
    answer = run(["show", value(name)], stack=3)
    return answer.text.decode()
