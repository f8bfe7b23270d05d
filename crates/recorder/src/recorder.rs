//! Sources of the recorder library, embedded in the binary.

use std::path::Path;
use std::{fs, io};

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../tool/", $name)))),*]
    };
}

/// Name and content of each file that the build of the recorder library needs.
pub const FILES: &[(&str, &str)] = files!(
    "Makefile" "README.md" "events.c" "events.h" "null.c" "ompt.h" "pages.c" "pages.h" "preload.c" "recorder.c" "small.c"
    "small.h" "token.c" "token.h"
);

/// Writes the sources into an existing folder.
pub fn write_into(folder: &Path) -> io::Result<()> {
    FILES.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}

/// Default of a variable in the recorder's Makefile, so that build flags are defined only there.
pub fn makefile_default(variable: &str) -> &'static str {
    let makefile = FILES.iter().find(|(name, _)| *name == "Makefile").map_or("", |(_, text)| *text);
    let value = |line: &'static str| line.strip_prefix(variable)?.trim_start().strip_prefix("?=");
    makefile.lines().find_map(value).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_recorder_files_are_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tool");
        let carried: BTreeSet<&str> = FILES.iter().map(|(name, _)| *name).collect();
        for entry in fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(name.ends_with(".so") || carried.contains(name.as_str()), "{name} is in no binary");
        }
        assert!(makefile_default("CFLAGS").contains("-shared"));
    }

    #[test]
    fn event_kinds_equal_those_of_reader() {
        let header = FILES.iter().find(|(name, _)| *name == "events.h").unwrap().1;
        let body = header.split_once("enum event_kind {").unwrap().1.split_once("};").unwrap().0;
        let names: Vec<String> = body
            .lines()
            .filter_map(|line| line.trim().split([',', ' ']).next().filter(|name| !name.is_empty()))
            .map(|name| name.replace('_', "").to_lowercase())
            .collect();
        let known: Vec<String> =
            numalab_nlt::What::NAMES.iter().map(|(_, name)| (*name).to_lowercase()).collect();
        assert_eq!(names, known);
        assert!(numalab_nlt::What::NAMES.iter().map(|(number, _)| *number).eq(1..=names.len() as u8));
    }
}
