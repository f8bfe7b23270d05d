"""Machines, workloads, runtimes and sweeps: names, files, texts and tables."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from . import _numalab
from ._errors import InputError, of_python


def _plain(value: Any) -> Any:
    """The value with dataclasses and mappings as plain tables; keys and fields that are ``None`` are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _plain({field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    if isinstance(value, Mapping):
        return {str(name): _plain(of) for name, of in value.items() if of is not None}
    if isinstance(value, (list, tuple)):
        return [_plain(of) for of in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    # Numbers of other libraries, such as numpy's.
    return value.item() if hasattr(value, "item") else value


class _File:
    """A text that calls use like a file. It does not change: a file is read once, when the object is made."""

    _kind: ClassVar[str]
    _toml: ClassVar[bool]

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any] | Any, name: str | None = None):
        """``source``: a name of the catalogue, the path of a file, or a table (a mapping or a dataclass) with the
        keys of a file. ``name`` stands in messages; default: the source's own."""
        if isinstance(source, (str, os.PathLike)):
            try:
                place, text = _numalab.entry(self._kind, os.fspath(source))
            except ValueError as wrong:
                raise InputError(of_python(str(wrong))) from None
            self._hold(text, name or Path(place.removesuffix(" (built in)")).name)
        else:
            table = _plain(source)
            if not isinstance(table, dict):
                raise TypeError(f"a {self._kind} is made of a name, a path or a table, not of {type(source).__name__}")
            try:
                given = json.dumps(table, indent=2, allow_nan=False)
                text = _numalab.toml_of(given) if self._toml else given
            except (TypeError, ValueError) as wrong:
                raise InputError(f"the table is no {self._kind}: {wrong}") from None
            self._hold(text, name or str(table.get("name", self._kind)))

    @classmethod
    def from_text(cls, text: str, name: str | None = None):
        """Object of a file's text: TOML for machines and runtimes, YAML for workloads and sweeps."""
        made = cls.__new__(cls)
        made._hold(text, name or f"text of a {cls._kind}")
        return made

    def _hold(self, text: str, name: str) -> None:
        self._text = text
        self._held = _numalab.Text(self._kind, name, text)
        try:
            _numalab.check(self._kind, self._held.name)
        except ValueError as wrong:
            raise InputError(of_python(str(wrong))) from None

    @property
    def name(self) -> str:
        """Name in messages."""
        return self._held.name

    @property
    def text(self) -> str:
        """Text of the file."""
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text to a file, which the command line reads as well."""
        Path(path).write_text(self._text, encoding="utf-8")

    def __reduce__(self):
        return _from_text, (type(self), self._text, self.name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    def __str__(self) -> str:
        return self._text


def _from_text(of: type[_File], text: str, name: str) -> _File:
    return of.from_text(text, name)


class Machine(_File):
    """Hardware: levels, caches, memory, links. Keys as in a machine file (``numalab schema machine``)."""

    _kind = "machine"
    _toml = True


class Workload(_File):
    """Program: regions of memory and phases. Keys as in a workload file (``numalab schema workload``)."""

    _kind = "workload"
    _toml = False


class Runtime(_File):
    """OpenMP runtime: algorithms and costs of constructs. Keys as in a runtime file (``numalab schema runtime``)."""

    _kind = "runtime"
    _toml = True


class Sweep(_File):
    """Grid of runs. Keys as in a sweep file (``numalab schema sweep``)."""

    _kind = "sweep"
    _toml = False


def _names(kind: str) -> dict[str, str]:
    return {name: description for of, name, description in _numalab.catalogue() if of == kind}


def machines() -> dict[str, str]:
    """Machines that can be named without a path, with their descriptions."""
    return _names("machine")


def workloads() -> dict[str, str]:
    """Workloads that can be named without a path, with their descriptions."""
    return _names("workload")


def runtimes() -> dict[str, str]:
    """OpenMP runtimes that can be named without a path, with their descriptions."""
    return _names("runtime")


def sweeps() -> dict[str, str]:
    """Sweeps that can be named without a path, with their descriptions."""
    return _names("sweep")
