//! Recognition of the tool that printed a file.

use super::{error, read};
use crate::support::{Scratch, assert_shows};
use numalab_imports::foreign::{Tool, read as read_file, read_as};

#[test]
fn several_tools_in_one_file() {
    let log = read("log.txt");
    assert_eq!(log.tools, [Tool::Mlc, Tool::Lscpu, Tool::Numactl, Tool::Stream]);
    assert!(log.latency.is_some() && log.topology.is_some() && log.distances.is_some());
    assert!(log.rows.iter().any(|row| row.experiment == "stream"));
}

#[test]
fn nobody_printed_this() {
    assert_shows(&error(""), &["the file is empty"]);
    assert_shows(&error(&"\n".repeat(1_000_001)), &["more than 1000000 lines"]);
    assert_shows(&error(" \n\n"), &["the file is empty"]);
    assert_shows(
        &error("Dear diary,\n"),
        &["FILE:1:1", "no known tool's output is recognised", "mlc, lscpu, numactl"],
    );
    assert_shows(
        &error("nodes\nnode free: none available\n"),
        &["the nearest is the output of \"numactl --hardware\"", "expected \"available: … nodes\""],
    );
}

#[test]
fn tools_have_names() {
    for tool in Tool::ALL {
        assert_eq!(tool.name().parse(), Ok(tool));
    }
    assert_eq!(
        "likwid".parse::<Tool>().unwrap_err().to_string(),
        "no tool is called `likwid`; did you mean `likwid-bench`?"
    );
}

#[test]
fn files() {
    let scratch = Scratch::new();
    let text = super::sample("mlc-3.9-latency-cxl.txt");
    let expected = read("mlc-3.9-latency-cxl.txt").latency;
    // Encoding of a redirection in PowerShell.
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for bytes in [text.as_bytes().to_vec(), utf16] {
        let path = scratch.write("mlc.txt", bytes);
        assert_eq!(read_file(&path).unwrap().latency, expected);
        assert_eq!(read_as(&path, Tool::Mlc).unwrap().latency, expected);
    }
    let path = scratch.write("binary", [0xff, 0x00, 0x80, 0xff]);
    assert_shows(&read_file(&path).unwrap_err().to_string(), &["this is not UTF-8 text", ":1:1"]);
    assert_shows(
        &read_file(&path.with_file_name("none")).unwrap_err().to_string(),
        &["there is no such file"],
    );
}
