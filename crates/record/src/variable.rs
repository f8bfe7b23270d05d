//! Names of data: static variables by their symbols, allocations by what they are assigned to in the source.

use numalab_nlt::Site;
use numalab_nlt::work::Allocation;
use object::{Object, ObjectSymbol, SymbolKind};
use std::fs;

/// Least size, as of allocations.
const LEAST: u64 = 256 << 10;
const PAGE: u64 = 4096;
/// Longest source file that is looked at.
const MOST_SOURCE: u64 = 16 << 20;
/// Marks addresses of variables, so that none is one of code.
const OF_DATA: u64 = 1 << 63;

/// Static variables of a program in what was watched of it, by address. Pages that a variable shares with others are not
/// its own.
///
/// The text has the program's path, how far it was moved in memory, and first and last bytes of what was watched.
pub fn statics(text: &str) -> Vec<(Allocation, Site)> {
    let mut lines = text.lines();
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let (Some(path), Some(moved)) = (lines.next(), lines.next().and_then(hex)) else { return Vec::new() };
    let watched: Vec<(u64, u64)> = lines
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(start, end)| Some((hex(start)?, hex(end)?)))
        .collect();
    let Ok(bytes) = fs::read(path) else { return Vec::new() };
    let Ok(file) = object::File::parse(&*bytes) else { return Vec::new() };
    let mut found: Vec<(u64, u64, String)> = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Data && symbol.size() >= LEAST)
        .filter_map(|symbol| {
            let name = addr2line::demangle_auto(symbol.name().ok()?.into(), None).into_owned();
            let (start, end) = (symbol.address().checked_add(moved)?, symbol.size());
            Some((start, start.checked_add(end)?, name))
        })
        .collect();
    // Several names of one variable, the largest first.
    found.sort_by(|one, other| (one.0, other.1, &one.2).cmp(&(other.0, one.1, &other.2)));
    let mut after = 0;
    let mut all = Vec::new();
    for (start, end, name) in found {
        let Some(range) = watched.iter().find(|range| range.0 < end && start < range.1) else { continue };
        let first = start.max(range.0).max(after).next_multiple_of(PAGE);
        let last = end.min(range.1) / PAGE * PAGE;
        if first < last {
            let site = first | OF_DATA;
            let variable = Some(name);
            all.push((
                Allocation { start: first, bytes: last - first, site },
                Site { address: site, variable, ..Site::default() },
            ));
            after = last;
        }
    }
    all
}

/// The variable that the call at a place in a source file is assigned to, if the file is there.
pub fn assigned(file: &str, line: u32, column: u32) -> Option<String> {
    if !fs::metadata(file).is_ok_and(|file| file.is_file() && file.len() <= MOST_SOURCE) {
        return None;
    }
    let bytes = fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    before_call(text.lines().nth(line.checked_sub(1)? as usize)?, column.checked_sub(1)? as usize)
}

/// The name on the left of `=`, between which and the call there is at most a cast.
fn before_call(line: &str, at: usize) -> Option<String> {
    let mut left = line.get(..at)?.trim_end();
    if let Some(cast) = left.strip_suffix(')') {
        left = cast[..cast.rfind('(')?].trim_end();
    }
    let left = left.strip_suffix('=')?.trim_end();
    if left.ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '|', '&', '^', '%']) {
        return None;
    }
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let start = left.char_indices().rev().take_while(|(_, c)| letter(*c)).last()?.0;
    let name = &left[start..];
    (!name.starts_with(|c: char| c.is_ascii_digit())).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_those_that_are_assigned() {
        let name = |line: &str, call: &str| before_call(line, line.find(call).unwrap());
        let line = "    double *a = malloc(n), *b=(double *) calloc(n, 8);";
        assert_eq!(name(line, "malloc").as_deref(), Some("a"));
        assert_eq!(name(line, "calloc").as_deref(), Some("b"));
        assert_eq!(name("  grid->cells = new double[n];", "new").as_deref(), Some("cells"));
        for line in
            ["return malloc(n);", "if (p == malloc(n))", "f(malloc(n))", "x += malloc(n)", "a[3] = malloc(n)"]
        {
            assert_eq!(name(line, "malloc"), None, "{line}");
        }
        assert_eq!(before_call("a = malloc(n)", 99), None);
    }
}
