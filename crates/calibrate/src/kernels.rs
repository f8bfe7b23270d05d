//! Sources of the kernels, embedded in the binary.

use std::path::Path;
use std::{fs, io};

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Names and texts of all files needed to build and run the kernels, sorted by name.
pub fn kernels() -> &'static [(&'static str, &'static str)] {
    FILES
}

/// Writes all files into an existing folder.
pub(crate) fn write_into(folder: &Path) -> io::Result<()> {
    for (name, text) in FILES {
        let path = folder.join(name);
        fs::write(&path, text)?;
        #[cfg(unix)]
        if name.ends_with(".sh") {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// Default of a variable in the Makefile, the single place that states how the kernels are built.
pub(crate) fn makefile_default(variable: &str) -> &'static str {
    let makefile = FILES.iter().find(|(name, _)| *name == "Makefile").map_or("", |(_, text)| *text);
    let value = |line: &'static str| line.strip_prefix(variable)?.trim_start().strip_prefix("?=");
    makefile.lines().find_map(value).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_file_is_forgotten() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
        let ignored = fs::read_to_string(folder.join(".gitignore")).unwrap();
        let carried: BTreeSet<&str> = FILES.iter().map(|(name, _)| *name).collect();
        for entry in fs::read_dir(&folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let built =
                name.ends_with(".o") || ignored.lines().any(|line| line.trim_start_matches('/') == name);
            assert!(
                built || name.starts_with('.') || carried.contains(name.as_str()),
                "{name} is in no binary: is its kind missing in build.rs?"
            );
        }
        for (name, text) in FILES {
            for used in text.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"')) {
                assert!(carried.contains(used), "{name} includes {used}");
            }
        }
    }

    #[test]
    fn the_makefile_says_how_to_build() {
        assert!(makefile_default("CFLAGS").contains("-std=c11"));
        assert_eq!(makefile_default("OPENMP"), "-fopenmp");
        assert_eq!(makefile_default("LDLIBS"), "-lm");
        assert!(!makefile_default("PROGRAM").is_empty());
        assert_eq!(makefile_default("NOTHING"), "");
    }

    #[cfg(unix)]
    #[test]
    fn scripts_can_be_run() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        write_into(folder.path()).unwrap();
        for (name, text) in FILES {
            let path = folder.path().join(name);
            assert_eq!(fs::read_to_string(&path).unwrap(), *text);
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o111 != 0, name.ends_with(".sh"), "{name}: {mode:o}");
        }
    }
}
