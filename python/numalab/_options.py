"""Options of calls as arguments of the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ._files import _File

# Keywords that repeat their flag for each value.
_REPEATED = {"policy", "placement", "set", "only", "filter", "series"}


def value(of: Any) -> str:
    """A value as the command line takes it."""
    if isinstance(of, bool):
        return "true" if of else "false"
    if isinstance(of, _File):
        return of.name
    if isinstance(of, os.PathLike):
        return os.fspath(of)
    if hasattr(of, "item"):
        return value(of.item())
    return of if isinstance(of, str) else repr(of) if isinstance(of, float) else str(of)


def values(of: Any) -> str:
    """Values of a list, with semicolons between them if one has a comma."""
    if isinstance(of, str) or not isinstance(of, Iterable):
        return value(of)
    texts = [value(each) for each in of]
    return (";" if any("," in text for text in texts) else ",").join(texts)


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Flags of options. ``None`` and ``False`` stand for an absent flag, ``True`` for one without a value, a mapping
    for NAME=VALUE pairs, a list for several values."""
    flags: list[str] = []
    for name, given in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if given is None or given is False:
            continue
        if given is True:
            flags.append(flag)
        elif isinstance(given, Mapping):
            flags += [f"{flag}={key}={values(of)}" for key, of in given.items()]
        elif name in _REPEATED and not isinstance(given, str):
            flags += [f"{flag}={value(of)}" for of in given]
        else:
            flags.append(f"{flag}={values(given)}")
    return flags
