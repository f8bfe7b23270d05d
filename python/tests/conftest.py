"""Helpers of the tests."""

import os
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


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    """Names are looked up in the current folder first."""
    monkeypatch.chdir(tmp_path)
