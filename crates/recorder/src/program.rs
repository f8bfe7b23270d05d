//! The program to be recorded: checks that a recorder can be loaded into it, and finds its OpenMP
//! library.

use crate::error::RecordError;
use object::Object;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that can be recorded.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    /// Path of LLVM's OpenMP library, to be preloaded in place of gcc's. `None` to keep the program's own library.
    pub preload: Option<PathBuf>,
}

/// Finds the program and checks that the recorder can be loaded into it. `libomp` is the user's path of LLVM's OpenMP
/// library.
pub fn look(command: &[String], libomp: Option<&Path>) -> Result<Program, RecordError> {
    let name = command.first().map_or("", String::as_str);
    let fail = |reason: &str| RecordError::NoProgram { name: name.to_owned(), reason: reason.to_owned() };
    let path = find(name).ok_or_else(|| fail("there is no such program"))?;
    let bytes = fs::read(&path).map_err(|error| fail(&error.to_string()))?;
    // A script may start several processes; the run shows which of these processes uses OpenMP.
    if !bytes.starts_with(b"\x7fELF") {
        return Ok(Program { path, preload: libomp.map(Path::to_owned) });
    }
    let file = object::File::parse(&*bytes).map_err(|_| fail("it is not an executable program"))?;
    if file.section_by_name(".interp").is_none() {
        return Err(RecordError::Static(name.to_owned()));
    }
    if let Some(libomp) = libomp {
        return match libomp.is_file() {
            true => Ok(Program { path, preload: Some(libomp.to_owned()) }),
            false => Err(RecordError::LibompMissing(libomp.to_owned())),
        };
    }
    let preload = match libraries(&path).iter().any(|library| library.starts_with("libgomp.so")) {
        false => None,
        true => Some(installed_libomp().ok_or_else(|| RecordError::NoLibomp(name.to_owned()))?),
    };
    Ok(Program { path, preload })
}

/// Finds a program as a shell does.
fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Names of the libraries that a program needs, as listed by the dynamic loader without starting the program.
fn libraries(program: &Path) -> Vec<String> {
    let output = Command::new(program)
        .env("LD_TRACE_LOADED_OBJECTS", "1")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Path of LLVM's OpenMP library: as known to the loader, or in the folder of the latest LLVM.
fn installed_libomp() -> Option<PathBuf> {
    let cache = Command::new("/sbin/ldconfig").arg("-p").stdin(Stdio::null()).output().ok();
    let text = cache.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let cached = text.lines().filter(|line| line.trim_start().starts_with("libomp.so.5 "));
    let cached = cached.filter_map(|line| line.split_once("=> ")).map(|(_, path)| PathBuf::from(path.trim()));
    let version = |folder: &Path| {
        let name = folder.file_name()?.to_str()?;
        name.strip_prefix("llvm-")?.parse::<u32>().ok()
    };
    let mut folders: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((version(&entry.path())?, entry.path().join("lib/libomp.so.5"))))
        .collect();
    folders.sort();
    let of_llvm = folders.into_iter().rev().map(|(_, path)| path);
    cached.chain(of_llvm).find(|path| path.is_file())
}
