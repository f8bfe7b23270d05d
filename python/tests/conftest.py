"""Helpers of the tests."""

import os
import re
import subprocess

import pytest


@pytest.fixture(scope="session")
def command_line():
    """Runs the command line and returns its standard output."""

    def run(*arguments: str) -> str:
        ended = subprocess.run(
            [os.environ["NUMALAB"], *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={**os.environ, "COLUMNS": "100"},
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    return run


@pytest.fixture(scope="session")
def slower():
    """The text of a machine with a hundredth of its memory's bandwidth."""

    def text_of(text: str) -> str:
        head, memory = text.split("\n[memory]\n", 1)
        found = re.search(r'^bandwidth = "([0-9.]+) GB/s"', memory, re.MULTILINE)
        value = float(found[1]) / 100
        return f"{head}\n[memory]\n{memory[:found.start(1)]}{value}{memory[found.end(1):]}"

    return text_of


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    """Names are looked up in the current folder first."""
    monkeypatch.chdir(tmp_path)
