//! Files that cannot be found or read, or that end too early.

use crate::support::{Scratch, assert_shows, error_of_machine, error_of_workload};
use numalab_files::Facts;
use numalab_lower::{machine, workload};
use std::fs;
use std::path::Path;

#[test]
fn files_that_cannot_be_read_are_named() {
    let scratch = Scratch::new();
    assert_shows(
        &error_of_machine(&scratch.write("m.toml", "")),
        &["cannot read FILE: it is empty", "numalab schema machine"],
    );
    assert_shows(&error_of_machine(&scratch.write("m.toml", " \n\n")), &["it is empty"]);
    assert_shows(&error_of_machine(scratch.0.path()), &["it is a directory"]);
    assert_shows(&error_of_machine(&scratch.0.path().join("none.toml")), &["there is no such file"]);
    assert_shows(
        &error_of_machine(&scratch.write("m.toml", b"name = \"\xff\"")),
        &["this is not UTF-8 text", "FILE:1:9"],
    );
    assert_shows(
        &error_of_workload(&scratch.write("w.yaml", vec![b'#'; (4 << 20) + 1])),
        &["larger than 4 MiB"],
    );
    assert_shows(
        &error_of_machine(&scratch.write("m.yaml", "name: x")),
        &["this is YAML", "the machine comes first"],
    );
    #[cfg(unix)]
    assert_shows(&error_of_machine(Path::new("/dev/zero")), &["it is not a regular file"]);
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let path = scratch.write("m.toml", "name = \"m\"");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser can read the file in spite of its permissions.
    if fs::File::open(&path).is_err() {
        assert_shows(&error_of_machine(&path), &["cannot read FILE: permission denied"]);
    }
}

#[test]
fn a_truncated_file_says_where_it_ends() {
    let text = include_str!("../../../../machines/bcs16.toml");
    let cut = &text[..text.find("\"2.26 us").unwrap() + 5];
    assert_shows(
        &error_of_machine(&Scratch::new().write("m.toml", cut)),
        &["invalid basic string", "expected `\"`"],
    );
    let text = include_str!("../../../../workloads/loadbal.yaml");
    let cut = &text[..text.find("partition").unwrap() + 3];
    assert_shows(
        &error_of_workload(&Scratch::new().write("w.yaml", cut)),
        &["this is not YAML", "--> FILE:"],
    );
}

#[test]
fn unknown_names_bring_the_nearest() {
    let error = machine("bcs61", &[]).unwrap_err().to_string();
    assert_shows(&error, &["there is no machine `bcs61`", "did you mean `bcs16`?"]);
    let error = workload("zzz", &[], &Facts::default()).unwrap_err().to_string();
    assert_shows(&error, &["there is no workload `zzz`", "loadbal"]);
    let error = machine("board:4 sokcet:2 core:2", &[]).unwrap_err().to_string();
    assert_shows(&error, &["--> synthetic machine:1:9", "^^^^^^", "socket"]);
}
