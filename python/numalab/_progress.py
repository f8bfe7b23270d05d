"""Progress of long calls."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

# Nothing is shown of shorter calls, in seconds.
_PATIENCE = 1.0


class Bar:
    """A line of text, in a notebook or on a terminal, while a call takes long; elsewhere nothing."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._display: Any = None
        self._in_notebook = "ipykernel" in sys.modules
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._started < _PATIENCE:
            return
        share = min(done / total, 1.0) if total else 0.0
        full = round(30 * share)
        self._show(f"[{'#' * full}{'.' * (30 - full)}] {share:4.0%}, {time.monotonic() - self._started:.0f} s")

    def _show(self, text: str) -> None:
        if self._in_notebook:
            from IPython.display import Pretty, display

            class Line(Pretty):
                def _repr_pretty_(self, printer: Any, _: bool) -> None:
                    printer.text(self.data)

            if self._display is None:
                self._display = display(Line(text), display_id=True)
            else:
                self._display.update(Line(text))
        elif sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\r" + text)
            sys.stderr.flush()
            self._shown = True

    def close(self) -> None:
        """Removes the line."""
        if self._display is not None:
            self._show("")
        if self._shown:
            sys.stderr.write("\r" + " " * 50 + "\r")
            sys.stderr.flush()


def listener(progress: Callable[[int, int], object] | bool) -> tuple[Callable[[int, int], object] | None, Callable[[], None]]:
    """What is called with the progress, and what ends its display."""
    if progress is True:
        bar = Bar()
        return bar, bar.close
    return (progress or None), lambda: None
