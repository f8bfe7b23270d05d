//! The library is one that Python can load. What it does is tested in Python (`python/build-and-test`).

use std::fs;

#[test]
fn the_library_has_the_entry_that_python_looks_for() {
    let here = std::env::current_exe().unwrap();
    let name = format!("{}_numalab{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = fs::read(here.with_file_name(name)).unwrap();
    let entry = b"PyInit__numalab\0";
    assert!(library.windows(entry.len()).any(|bytes| bytes == entry));
}
