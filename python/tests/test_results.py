"""Results as tables of other libraries, files and pages."""

import pandas
import polars
import pyarrow
import pytest

import numalab


@pytest.fixture(scope="module")
def result():
    return numalab.sim("skylake8", "loadbal", policy=["static", "dynamic"], replicas=3, set={"workload.packages": 200})


def test_arrow_streams_are_taken_by_all(result):
    table = pyarrow.table(result)
    assert table.num_rows == 2 and table.schema.field("makespan_ps").type == pyarrow.uint64()
    assert table["policy"].to_pylist() == result.policies
    frame = polars.DataFrame(result)
    assert frame["makespan_ps"].to_list() == [run["makespan_ps"] for run in result.runs]
    assert isinstance(result.to_pandas(), pandas.DataFrame)
    # A stream is made anew each time.
    assert pyarrow.table(result).equals(table)


def test_arrow_has_the_types_of_parquet(result, tmp_path):
    import pyarrow.parquet

    result.save(tmp_path / "rows.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "rows.parquet").equals(pyarrow.table(result))


def test_files_have_the_format_of_their_ending(result, tmp_path):
    for name in ("rows.csv", "rows.json", "table.txt", "picture.svg", "report.html"):
        result.save(tmp_path / name)
    assert (tmp_path / "rows.csv").read_text() == result.to_csv()
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
    with pytest.raises(numalab.NumalabError):
        result.save(tmp_path / "rows.docx")


def test_intervals_hold_the_nominal_time(result):
    for policy, (low, high) in result.intervals.items():
        assert low <= result.seconds[policy] <= high
    assert result["static"]["policy"] == "static"
    with pytest.raises(KeyError, match="the policies are"):
        result["guided"]


def test_pages_of_notebooks(result):
    shown = result._repr_html_()
    assert "makespan" in shown and "<img alt=" in shown
    assert "<!DOCTYPE html>" in str(result.report())
    assert result.report()._repr_html_().startswith("<iframe srcdoc=")
    assert "<pre>" in numalab.explain("skylake8", "stream", only_blame=True)._repr_html_()


def test_a_sweep_is_a_table(tmp_path):
    text = """
name: two
points: {machine: [skylake8], workload: [stream], threads: [1, 2], policy: [static]}
"""
    table = numalab.sweep(numalab.Sweep.from_text(text, name="two"), store=tmp_path / "kept")
    assert pyarrow.table(table).num_rows == 2 and table.passed
    assert [row["threads"] for row in table.data] == [1, 2]
    assert (tmp_path / "kept").is_dir()
