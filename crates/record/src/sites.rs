//! Names of addresses: source lines where the program has them, functions elsewhere.

use crate::variable;
use addr2line::Loader;
use numalab_nlt::Site;
use object::{Object, ObjectSegment};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A part of the process's memory that is a part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    start: u64,
    end: u64,
    offset: u64,
    path: String,
}

/// Reads the lines of `/proc/PID/maps`.
pub fn mappings(text: &str) -> Vec<Mapping> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let offset = words.nth(1)?;
        let path = words.nth(2)?;
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        Some(Mapping { start: hex(start)?, end: hex(end)?, offset: hex(offset)?, path: path.to_owned() })
    };
    text.lines().filter_map(line).filter(|mapping| mapping.path.starts_with('/')).collect()
}

/// The address that a run had, as the first run would have had it: the loader puts files elsewhere each time.
pub fn moved(address: u64, here: &[Mapping], first: &[Mapping]) -> u64 {
    let of = |mapping: &&Mapping| (mapping.start..mapping.end).contains(&address);
    let Some(mapping) = here.iter().find(of) else { return address };
    let place = address - mapping.start + mapping.offset;
    let same = |other: &&Mapping| {
        other.path == mapping.path
            && (other.offset..other.offset + (other.end - other.start)).contains(&place)
    };
    // The same bytes may be mapped twice, as code and as data.
    let alike = |other: &&Mapping| same(other) && other.offset == mapping.offset;
    first
        .iter()
        .find(alike)
        .or(first.iter().find(same))
        .map_or(address, |other| place - other.offset + other.start)
}

/// The OpenMP library among them.
pub fn runtime(mappings: &[Mapping]) -> Option<String> {
    let names = mappings.iter().filter_map(|mapping| mapping.path.rsplit('/').next());
    names
        .into_iter()
        .find(|name| name.starts_with("libomp") || name.starts_with("libiomp"))
        .map(str::to_owned)
}

/// Names addresses, each the one behind a call; `asking` are those of calls that ask for memory.
pub fn sites(addresses: &BTreeSet<u64>, asking: &BTreeSet<u64>, mappings: &[Mapping]) -> Vec<Site> {
    let mut images: BTreeMap<&str, Option<Image>> = BTreeMap::new();
    let mut site = |address: u64| -> Option<Site> {
        let mapping = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&address))?;
        let image = images.entry(&mapping.path).or_insert_with(|| Image::open(Path::new(&mapping.path)));
        image.as_ref()?.site(address, address - mapping.start + mapping.offset, asking.contains(&address))
    };
    addresses.iter().map(|&address| site(address).unwrap_or(Site { address, ..Site::default() })).collect()
}

/// A program or library on disk.
struct Image {
    loader: Loader,
    /// Offset in the file, length and address of each segment.
    segments: Vec<(u64, u64, u64)>,
}

impl Image {
    fn open(path: &Path) -> Option<Image> {
        let bytes = fs::read(path).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let segments = file.segments().map(|segment| {
            let (offset, length) = segment.file_range();
            (offset, length, segment.address())
        });
        Some(Image { segments: segments.collect(), loader: Loader::new(path).ok()? })
    }

    fn site(&self, address: u64, offset: u64, asks: bool) -> Option<Site> {
        let within = |segment: &&(u64, u64, u64)| (segment.0..segment.0 + segment.1).contains(&offset);
        let (start, _, base) = self.segments.iter().find(within)?;
        // The call itself, not what it comes back to.
        let place = (offset - start + base).checked_sub(1)?;
        let location = self.loader.find_location(place).ok().flatten();
        let file = location.as_ref().and_then(|location| location.file);
        let function = self.loader.find_symbol_info(place).map(|symbol| {
            let name = addr2line::demangle_auto(symbol.name().into(), None);
            format!("{name}+{:#x}", (place + 1).saturating_sub(symbol.address()))
        });
        let place = location.as_ref().filter(|_| asks);
        let variable = place.and_then(|place| variable::assigned(place.file?, place.line?, place.column?));
        Some(Site {
            address,
            variable,
            function,
            file: file.and_then(|file| file.rsplit('/').next()).map(str::to_owned),
            line: location.and_then(|location| location.line).filter(|line| *line > 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_maps() {
        let text = "\
5571a0000000-5571a0001000 r--p 00000000 fe:00 103 /home/me/prog\n\
5571a0001000-5571a0002000 r-xp 00001000 fe:00 103 /home/me/prog\n\
7ffe00000000-7ffe00001000 rw-p 00000000 00:00 0 [stack]\n\
7f0000000000-7f0000001000 r-xp 00002000 fe:00 7 /usr/lib/libomp-19.so.5\n";
        let found = mappings(text);
        assert_eq!(found.len(), 3);
        assert_eq!(
            (found[1].start, found[1].offset, &*found[1].path),
            (0x5571_a000_1000, 0x1000, "/home/me/prog")
        );
        assert_eq!(runtime(&found).as_deref(), Some("libomp-19.so.5"));
    }
}
