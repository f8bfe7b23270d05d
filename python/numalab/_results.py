"""Results of calls."""

from __future__ import annotations

import base64
import html
import json
import os
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from . import _numalab


class Table:
    """Rows of a command: JSON, CSV, and Arrow.

    It is an Arrow stream (``__arrow_c_stream__``): ``pyarrow.table(table)``, ``polars.DataFrame(table)`` and
    ``duckdb.sql("from table")`` take it without copies of the values. Empty cells are nulls; units are the ends of
    the names, such as ``makespan_ps``.
    """

    def __init__(self, csv: str, data: str, notes: Sequence[str] = (), passed: bool = True):
        self._csv = csv
        self._json = data
        #: Notes of the command line about the call.
        self.notes = list(notes)
        #: False if the answer is negative: a gate that does not hold, rows that are missed.
        self.passed = passed

    def to_json(self) -> str:
        """Text of ``--format json``."""
        return self._json

    def to_csv(self) -> str:
        """Text of ``--format csv``: one header, then one row a line."""
        return self._csv

    @cached_property
    def data(self) -> Any:
        """The JSON as lists and dicts."""
        return json.loads(self.to_json())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows as an Arrow stream. Other types than the rows' own cannot be asked for."""
        return _numalab.stream(self.to_csv())

    def to_pandas(self) -> Any:
        """The rows as a ``pandas.DataFrame`` (needs pandas and pyarrow)."""
        import pyarrow

        return pyarrow.table(self).to_pandas()

    def to_polars(self) -> Any:
        """The rows as a ``polars.DataFrame`` (needs polars)."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        rows = max(self.to_csv().count("\n") - 1, 0)
        return f"<{type(self).__name__} of {rows} rows>"


class Result(Table):
    """Result of a run, in all forms in which the command line writes it."""

    def __init__(self, record: Any, arguments: list[str], notes: Sequence[str], keep: object):
        super().__init__("", "", notes)
        self._record = record
        self._arguments = arguments
        # Texts that the arguments name stay as long as the result.
        self._keep = keep

    def to_json(self) -> str:
        return self._text_of("json")

    def to_csv(self) -> str:
        return self._text_of("csv")

    def _text_of(self, form: str) -> str:
        texts = self.__dict__.setdefault("_texts", {})
        if form not in texts:
            texts[form] = getattr(self._record, form)()
        return texts[form]

    def table(self, width: int = 100) -> str:
        """The table that the command line prints, ``width`` columns wide."""
        return self._record.table(width)

    @property
    def command(self) -> str:
        """The command line of this result, as a shell takes it. Objects made of texts stand in it by their names."""
        import shlex

        return shlex.join(["numalab", *self._arguments])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the result to a file, in the format of its ending: ``.txt``, ``.json``, ``.csv``, ``.parquet``,
        ``.svg`` or ``.html``. A report (``.html``) and a picture show threads over time, for which the run is
        simulated again."""
        from ._calls import run

        ending = Path(path).suffix.lower()
        texts = {".json": self.to_json, ".csv": self.to_csv}
        if ending in texts:
            Path(path).write_text(texts[ending](), encoding="utf-8")
        else:
            run([*self._arguments, f"--output={os.fspath(path)}"])

    def report(self) -> Report:
        """The page that ``--output FILE.html`` writes, for a notebook. The run is simulated again, over time."""
        with tempfile.TemporaryDirectory(prefix="numalab-") as scratch:
            path = Path(scratch) / "report.html"
            self.save(path)
            return Report(path.read_text("utf-8"))

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        parts = [f"<pre>{html.escape(self.table())}</pre>"]
        picture = self._record.picture()
        if picture is not None:
            data = base64.b64encode(picture.encode()).decode()
            title = html.escape(repr(self))
            parts.append(f'<img alt="{title}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">')
        parts += [f"<p>{html.escape(note)}</p>" for note in self.notes]
        return "".join(parts)


class Report:
    """Page of a comparison or an explanation: threads over time, traffic, reasons. A notebook shows it."""

    def __init__(self, page: str):
        self._page = page

    def __str__(self) -> str:
        return self._page

    def _repr_html_(self) -> str:
        # In a frame, so that its styles and scripts are its own.
        page = html.escape(self._page)
        return f'<iframe srcdoc="{page}" style="width:100%;height:720px;border:0" sandbox="allow-scripts"></iframe>'


class Comparison(Result):
    """Policies on one machine. One row and one run for each policy."""

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Runs in the order of the policies: dicts with the keys of the JSON, such as ``makespan_ps``, ``threads``
        and ``replicas`` (``low_ps``, ``median_ps``, ``high_ps``: the interval)."""
        return self.data["runs"]

    @property
    def policies(self) -> list[str]:
        """Names of the policies."""
        return [run["policy"] for run in self.runs]

    @property
    def best(self) -> str:
        """Policy with the shortest nominal time. Where intervals overlap, another one may be as good."""
        return min(self.runs, key=lambda run: run["makespan_ps"])["policy"]

    @property
    def seconds(self) -> dict[str, float]:
        """Nominal time of each policy, in seconds."""
        return {run["policy"]: run["makespan_ps"] * 1e-12 for run in self.runs}

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """Shortest and longest time of each policy among its replicas, in seconds; policies without replicas have
        none."""
        ranges = ((run["policy"], run.get("replicas")) for run in self.runs)
        return {name: (of["low_ps"] * 1e-12, of["high_ps"] * 1e-12) for name, of in ranges if of}

    def __getitem__(self, policy: str) -> dict[str, Any]:
        for run in self.runs:
            if run["policy"] == policy:
                return run
        raise KeyError(f"{policy!r}; the policies are {', '.join(self.policies)}")

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.runs)} policies, best: {self.best}>"


class Series(Result):
    """Runs over the values of one parameter, or of two."""

    @property
    def over(self) -> str:
        """Name of the parameter."""
        return self.data["over"]

    @property
    def by(self) -> str | None:
        """Name of the second parameter, each value of which is a curve; ``None`` without one."""
        return self.data.get("by")

    @property
    def points(self) -> list[dict[str, Any]]:
        """Points in the order of the values: ``text`` (the value), ``at`` (as a number) and ``runs``."""
        return self.data["points"]

    def __repr__(self) -> str:
        by = f" by {self.by}" if self.by else ""
        return f"<Series of {len(self.points)} points over {self.over}{by}>"


class Explanation(Result):
    """Causes of a run's time, and changes that make it shorter."""

    @property
    def advice(self) -> list[dict[str, Any]]:
        """Simulated changes, with their gains."""
        return self.data.get("advice", [])

    def __repr__(self) -> str:
        return f"<Explanation with {len(self.advice)} changes>"


class Clinic(Result):
    """Every schedule for each loop, and what to type."""

    @property
    def loops(self) -> list[dict[str, Any]]:
        """Loops in program order: ``name``, ``present``, ``schedules`` (the best first) and ``learners``."""
        return self.data["loops"]

    @property
    def advice(self) -> list[dict[str, Any]]:
        """Simulated changes of placement, binding and runtime, with their gains."""
        return self.data["advice"]

    def __repr__(self) -> str:
        return f"<Clinic of {len(self.loops)} loops>"


def of_record(record: Any, arguments: list[str], notes: Sequence[str], keep: object) -> Result:
    """Result with the type of its record."""
    kinds = {"comparison": Comparison, "series": Series, "explanation": Explanation, "clinic": Clinic}
    return kinds.get(record.kind, Result)(record, arguments, notes, keep)
