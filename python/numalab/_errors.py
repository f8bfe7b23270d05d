"""Exceptions and warnings."""

import re

_FLAG = re.compile(r"--([a-z]+(?:-[a-z]+)*)(?: <[^>]*>)?")
_HELP = re.compile(r"numalab help (sim|explain|sweep|validate|distances) lists its flags")


def of_python(message: str) -> str:
    """A message of the command line with keywords in place of its flags."""
    message = _HELP.sub(r"help(numalab.\1) lists the keywords", message)
    return _FLAG.sub(lambda flag: flag[1].replace("-", "_"), message).removeprefix("error: ")


class NumalabError(Exception):
    """Anything that ends a call without a result. The text is the message of the command line, without colours."""


class InputError(NumalabError, ValueError):
    """A file, a value or the request is wrong. For a file, the text shows the line with a caret, what was expected
    and the nearest valid name."""


class RunError(NumalabError, RuntimeError):
    """A valid request failed: a simulation that cannot end, or a result that cannot be written."""


class Note(UserWarning):
    """Note or warning of the command line about a run, such as values that are assumed."""


for _error in (NumalabError, InputError, RunError, Note):
    # The name that users import, in tracebacks.
    _error.__module__ = "numalab"
