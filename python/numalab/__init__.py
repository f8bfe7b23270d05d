"""Simulator of large shared-memory machines running OpenMP.

Every call is a command of the command line ``numalab``, with its defaults, its checks and its messages, and gives the
same bytes::

    >>> import numalab
    >>> result = numalab.sim("bcs16", "loadbal", policy=["static", "numa-steal:nearest"])
    >>> result.policies
    ['static', 'numa-steal:nearest']
    >>> result.best
    'numa-steal:nearest'

Machines, workloads and runtimes are names of the catalogue, paths of files, or objects (`Machine`, `Workload`,
`Runtime`) made from texts and tables. Times in records are picoseconds (``..._ps``), amounts of data bytes.
"""

try:
    from . import _numalab
except ImportError as missing:
    raise ImportError(
        "this folder has the sources of numalab; python/build-and-test builds a wheel in target/wheels, which pip installs"
    ) from missing

from ._calls import advise, distances, explain, show, sim, sweep, validate
from ._errors import InputError, Note, NumalabError, RunError
from ._files import Machine, Runtime, Sweep, Workload, machines, runtimes, sweeps, workloads
from ._results import Clinic, Comparison, Explanation, Result, Series, Table

__all__ = [
    "Clinic",
    "Comparison",
    "Explanation",
    "InputError",
    "Machine",
    "Note",
    "NumalabError",
    "Result",
    "RunError",
    "Runtime",
    "Series",
    "Sweep",
    "Table",
    "Workload",
    "advise",
    "distances",
    "explain",
    "machines",
    "runtimes",
    "show",
    "sim",
    "sweep",
    "sweeps",
    "validate",
    "workloads",
]
