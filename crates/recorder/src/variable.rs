//! Names of data: static variables by their symbols, allocations by the variable that they are
//! assigned to.

use crate::sites::image;
use crate::source;
use numalab_nlt::Site;
use numalab_replay::work::Allocation;
use object::{Object, ObjectSymbol, SymbolKind};
use std::path::Path;

/// Smallest variable that is reported, in bytes; the recorder uses the same limit for allocations.
const LEAST: u64 = 256 << 10;
const PAGE: u64 = 4096;
/// Bit set in the addresses of variables' sites, to distinguish them from code.
const OF_DATA: u64 = 1 << 63;

/// Static variables in the watched memory, by address. Pages that a variable shares with other variables are
/// excluded.
///
/// `text` has one item per line: the path of the program, its load offset, and the ranges of watched memory (first
/// byte, and byte after the last).
pub fn statics(text: &str) -> Vec<(Allocation, Site)> {
    let mut lines = text.lines();
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let (Some(path), Some(moved)) = (lines.next(), lines.next().and_then(hex)) else { return Vec::new() };
    let watched: Vec<(u64, u64)> = lines
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(start, end)| Some((hex(start)?, hex(end)?)))
        .collect();
    let Some(bytes) = image(Path::new(path)) else { return Vec::new() };
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
    // If several symbols name a variable, the symbol with the largest size comes first.
    found.sort_by(|one, other| (one.0, other.1, &one.2).cmp(&(other.0, one.1, &other.2)));
    let mut after = 0;
    let mut all = Vec::new();
    for (start, end, name) in found {
        let Some(range) = watched.iter().find(|range| range.0 < end && start < range.1) else { continue };
        let Some(first) = start.max(range.0).max(after).checked_next_multiple_of(PAGE) else { continue };
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

/// The variable that the call at byte `at` of a line is assigned to.
pub fn assigned(line: &str, at: usize) -> Option<String> {
    before_call(line, at).or_else(|| pointed_at(line.get(at..)?)).or_else(|| grown(line, at))
}

/// The name on the left of the `=` before byte `at`. A cast and the beginning of a call may stand between the two, or
/// one whole call with template arguments.
fn before_call(line: &str, at: usize) -> Option<String> {
    let mut left = line.get(..at)?.trim_end();
    // Skips a namespace such as `std::`.
    while let Some(space) = left.strip_suffix("::") {
        left = space.trim_end_matches(letter).trim_end();
    }
    if let Some(cast) = left.strip_suffix(')') {
        left = cast[..cast.rfind('(')?].trim_end();
    }
    // Some compilers report the end of `new double[n]`, or the opening bracket of the call's arguments.
    let begun = |start: usize| !left[start + 1..].contains(['(', ')', ',', ';', '=']);
    // For a template call g++ gives the position of the bracket after the arguments.
    let template = || {
        let whole = line.get(..=at).filter(|whole| whole.ends_with(')'))?;
        whole.rfind('=').filter(|start| is_one_call(&whole[start + 1..]))
    };
    let left = match left.strip_suffix('=') {
        Some(left) => left,
        None => &left[..left.rfind('=').filter(|start| begun(*start)).or_else(template)?],
    }
    .trim_end();
    if left.ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '|', '&', '^', '%']) {
        return None;
    }
    last_name(left)
}

/// True if a text is a single call: a name, possibly with template arguments, and one pair of
/// brackets at its end.
fn is_one_call(text: &str) -> bool {
    let (mut depth, mut pairs) = (0u32, 0);
    let all = text.chars().all(|c| {
        match c {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' if depth == 0 => return false,
            ')' | '>' | ']' | '}' => depth -= 1,
            c => return depth > 0 || pairs == 0 && (letter(c) || c == ':' || c == ' '),
        }
        pairs += u32::from(c == ')' && depth == 0);
        pairs < 2
    });
    all && depth == 0 && pairs == 1 && text.ends_with(')')
}

/// The variable in the first argument of `posix_memalign`, which receives the address.
fn pointed_at(call: &str) -> Option<String> {
    let first = call.strip_prefix("posix_memalign")?.trim_start().strip_prefix('(')?.split(',').next()?;
    let (_, name) = first.rsplit_once('&')?;
    last_name(name.trim_end().trim_end_matches(')'))
}

/// The container that a method call such as `resize` enlarges. Compilers report the position of the container or of
/// the method.
fn grown(line: &str, at: usize) -> Option<String> {
    const METHODS: [&str; 4] = ["resize", "reserve", "assign", "push_back"];
    // All calls of the line: the one nearest to `at` counts, since compilers report different positions.
    let calls = METHODS.iter().flat_map(|method| line.match_indices(method).map(|(start, _)| start));
    let start = calls.filter(|start| line.get(..*start).is_some_and(|left| left.ends_with(['.', '>'])));
    let start = start.min_by_key(|start| start.abs_diff(at))?;
    let left = &line[..start];
    last_name(left.strip_suffix('.').or_else(|| left.strip_suffix("->"))?)
}

/// The variable that a line declares with a constructor call: a name after a type, before a bracket; the last such
/// name that begins at byte `at` or before.
pub fn declared(line: &str, at: usize) -> Option<String> {
    const NO_TYPES: [&str; 6] = ["return", "new", "else", "throw", "case", "delete"];
    let behind_type = |start: usize| {
        let left = line[..start].trim_end();
        let space = left.len() < start || left.ends_with(['*', '&']);
        let last = source::words(left).last().map_or("", |(_, word)| word);
        space && (left.ends_with('>') || left.ends_with(letter) && !NO_TYPES.contains(&last))
    };
    let names = source::words(line).filter(|(start, word)| {
        let right = line[start + word.len()..].trim_start();
        right.starts_with(['(', '{', ';', ',', '=']) && behind_type(*start)
    });
    names.filter(|(start, _)| *start <= at).last().map(|(_, word)| word.to_owned())
}

/// True if a line creates an object of a class: the class name precedes a name, possibly with
/// template arguments between, or follows `new`.
pub fn makes(line: &str, class: &str) -> bool {
    let mut before = "";
    source::words(line).any(|(start, word)| {
        let is_new = std::mem::replace(&mut before, word) == "new";
        let mut depth = 0u32;
        let behind = line[start + word.len()..].trim_start_matches(|c: char| {
            depth += u32::from(c == '<');
            let within = depth > 0 || c == ' ';
            depth -= u32::from(c == '>' && depth > 0);
            within
        });
        word == class && (is_new || behind.starts_with(letter))
    })
}

fn letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The identifier at the end of a text.
fn last_name(left: &str) -> Option<String> {
    let start = left.char_indices().rev().take_while(|(_, c)| letter(*c)).last()?.0;
    let name = &left[start..];
    (!name.starts_with(|c: char| c.is_ascii_digit())).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assigned_variables_are_found() {
        let name = |line: &str, call: &str| before_call(line, line.find(call).unwrap());
        let line = "    double *a = malloc(n), *b=(double *) calloc(n, 8);";
        assert_eq!(name(line, "malloc").as_deref(), Some("a"));
        assert_eq!(name(line, "calloc").as_deref(), Some("b"));
        for at in ["new", "];"] {
            assert_eq!(name("  grid->cells = new double[n];", at).as_deref(), Some("cells"));
        }
        for line in
            ["return malloc(n);", "if (p == malloc(n))", "f(malloc(n))", "x += malloc(n)", "a[3] = malloc(n)"]
        {
            assert_eq!(name(line, "malloc"), None, "{line}");
        }
        assert_eq!(before_call("a = malloc(n)", 99), None);
    }

    #[test]
    fn variables_of_other_calls_are_found() {
        let name = |line: &str, call: &str| assigned(line, line.find(call).unwrap());
        assert_eq!(name("  auto p = std::make_unique<double[]>(n);", "make").as_deref(), Some("p"));
        for at in ["std", "(n)", ");"] {
            assert_eq!(name("  auto p = std::make_unique<double[]>(n);", at).as_deref(), Some("p"));
        }
        assert_eq!(name("auto p = make<T, 2>(f(n), m);", ");").as_deref(), Some("p"));
        for line in
            ["auto p = use(make<T>(n));", "p = q + make<T>(n);", "auto p = a(n), make<T>(n);", "p = a(n)(n);"]
        {
            assert_eq!(before_call(line, line.rfind("n)").unwrap() + 1), None, "{line}");
        }
        assert_eq!(name("if (posix_memalign((void **)&c, 64, n))", "posix").as_deref(), Some("c"));
        assert_eq!(name("posix_memalign( &grid->cells, 64, n);", "posix").as_deref(), Some("cells"));
        assert_eq!(name("posix_memalign(where, 64, n);", "posix"), None);
        for at in ["v", "resize", "(n)"] {
            assert_eq!(name("    v.resize(n);", at).as_deref(), Some("v"));
        }
        assert_eq!(name("  u->resize(n); v.resize(n);", "v.").as_deref(), Some("v"));
    }

    #[test]
    fn constructed_variables_are_found() {
        let name = |line: &str, at: &str| declared(line, line.find(at).unwrap());
        let line = "    std::vector<double> u(n), v{0}; Field w(n);";
        assert_eq!(name(line, "u(").as_deref(), Some("u"));
        assert_eq!(name(line, "(n)").as_deref(), Some("u"));
        assert_eq!(name(line, "w(").as_deref(), Some("w"));
        assert_eq!(name("return Field(n);", "Field"), None);
        assert!(makes(line, "vector") && makes(line, "Field") && makes("p = new Field(n);", "Field"));
        assert!(!makes("p = make<Field>(n);", "make") && !makes("p = Field(n);", "Field"));
        assert_eq!(name("use(Field(n));", "Field"), None);
    }
}
