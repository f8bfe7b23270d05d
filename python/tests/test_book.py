"""Python on pages of the book does what it says."""

import doctest
import re
from pathlib import Path

import numalab

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "python.md"


def test_examples_of_the_page():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) > 4
    text = "\n".join(blocks)
    example = doctest.DocTestParser().get_doctest(text, {"numalab": numalab}, PAGE.name, str(PAGE), 0)
    told = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    results = runner.run(example, out=told.append)
    assert results.failed == 0, "".join(told)


def test_the_notebook_runs():
    import nbclient
    import nbformat

    notebook = nbformat.read(PAGE.parent / "tour.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)
    assert any("sockt" in output.get("text", "") and "`socket`" in output.get("text", "") for output in shown)
