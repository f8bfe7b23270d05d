//! Names of addresses: source lines if the program has them, else functions.

use crate::asking::{self, Frame};
use addr2line::Loader;
use numalab_nlt::Site;
use object::{Object, ObjectSegment};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Part of the process's memory that is mapped from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    start: u64,
    end: u64,
    offset: u64,
    path: String,
}

/// Parses `/proc/PID/maps`.
pub fn mappings(text: &str) -> Vec<Mapping> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let offset = words.nth(1)?;
        let path = words.nth(2)?;
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let (start, end, offset) = (hex(start)?, hex(end)?, hex(offset)?);
        // The text may come from another computer: offsets of all addresses must be numbers.
        offset.checked_add(end.checked_sub(start)?)?;
        Some(Mapping { start, end, offset, path: path.to_owned() })
    };
    text.lines().filter_map(line).filter(|mapping| mapping.path.starts_with('/')).collect()
}

/// Converts an address of one run to the address of the same byte in the first run, since the loader maps files at
/// different addresses in each run. `here` and `first`: mappings of the two runs.
pub fn moved(address: u64, here: &[Mapping], first: &[Mapping]) -> u64 {
    let of = |mapping: &&Mapping| (mapping.start..mapping.end).contains(&address);
    let Some(mapping) = here.iter().find(of) else { return address };
    let place = address - mapping.start + mapping.offset;
    let same = |other: &&Mapping| {
        other.path == mapping.path
            && (other.offset..other.offset + (other.end - other.start)).contains(&place)
    };
    // The same bytes may be mapped twice, as code and as data: the mapping of the same offset counts.
    let alike = |other: &&Mapping| same(other) && other.offset == mapping.offset;
    first
        .iter()
        .find(alike)
        .or(first.iter().find(same))
        .map_or(address, |other| place - other.offset + other.start)
}

/// Path of the OpenMP library among the mappings.
pub fn runtime(mappings: &[Mapping]) -> Option<String> {
    mappings.iter().find(|mapping| is_runtime(mapping)).and_then(|mapping| last_part(&mapping.path))
}

pub fn runtime_path(mappings: &[Mapping]) -> Option<PathBuf> {
    mappings.iter().find(|mapping| is_runtime(mapping)).map(|mapping| PathBuf::from(&mapping.path))
}

fn is_runtime(mapping: &Mapping) -> bool {
    let name = mapping.path.rsplit('/').next().unwrap_or_default();
    name.starts_with("libomp") || name.starts_with("libiomp")
}

/// Finds the source lines or functions of addresses, by the files that a process has mapped.
pub struct Names<'m> {
    mappings: &'m [Mapping],
    images: BTreeMap<&'m str, Option<Image>>,
}

impl<'m> Names<'m> {
    /// Creates the names for a process with these mappings. Mapped files are opened when first needed.
    pub fn of(mappings: &'m [Mapping]) -> Names<'m> {
        Names { mappings, images: BTreeMap::new() }
    }

    /// A site for each return address. `asking` contains the addresses of calls that allocate memory.
    pub fn sites(&mut self, addresses: &BTreeSet<u64>, asking: &BTreeSet<u64>) -> Vec<Site> {
        let site = |address: &u64| self.site(*address, asking.contains(address));
        addresses.iter().map(site).collect()
    }

    fn site(&mut self, address: u64, asks: bool) -> Site {
        let Some((image, offset)) = self.image(address) else { return Site { address, ..Site::default() } };
        let frames = if asks { image.frames(offset) } else { Vec::new() };
        let asking = asking::asking(&frames);
        let mut site = image.site(address, offset).unwrap_or(Site { address, ..Site::default() });
        if let Some(frame) = frames.get(asking) {
            site.variable = asking::variable(&frames, asking);
            site.file = frame.file.as_deref().and_then(last_part).or(site.file);
            site.line = frame.line.filter(|line| *line > 0).or(site.line);
        }
        site
    }

    /// The return address of the allocating call on a stack of return addresses, innermost first.
    pub fn asking(&mut self, stack: &[u64]) -> Option<u64> {
        let mut frames = Vec::new();
        let mut addresses = Vec::new();
        for address in stack {
            let found = self.frames(*address);
            addresses.extend(found.iter().map(|_| *address));
            frames.extend(found);
        }
        addresses.get(asking::asking(&frames)).or(stack.first()).copied()
    }

    /// Calls at an address, innermost first. An unknown address has one call without a file.
    fn frames(&mut self, address: u64) -> Vec<Frame> {
        let of = |mapping: &&Mapping| (mapping.start..mapping.end).contains(&address);
        let of_runtime = self.mappings.iter().find(of).is_some_and(is_runtime);
        let mut frames = self.image(address).map_or_else(Vec::new, |(image, offset)| image.frames(offset));
        if frames.is_empty() {
            frames.push(Frame::default());
        }
        frames.iter_mut().for_each(|frame| frame.of_runtime = of_runtime);
        frames
    }

    /// The file that contains an address, and the offset in it.
    fn image(&mut self, address: u64) -> Option<(&Image, u64)> {
        let mapping = self.mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&address))?;
        let open = || Image::open(Path::new(&mapping.path));
        let image = self.images.entry(&mapping.path).or_insert_with(open).as_ref()?;
        Some((image, address - mapping.start + mapping.offset))
    }
}

/// A program or library on disk.
struct Image {
    loader: Loader,
    /// Offset in the file, length (both in bytes) and virtual address of each segment.
    segments: Vec<(u64, u64, u64)>,
}

impl Image {
    fn open(path: &Path) -> Option<Image> {
        let bytes = image(path)?;
        let file = object::File::parse(&*bytes).ok()?;
        let segments = file.segments().map(|segment| {
            let (offset, length) = segment.file_range();
            (offset, length, segment.address())
        });
        Some(Image { segments: segments.collect(), loader: Loader::new(path).ok()? })
    }

    /// Virtual address of the call before the return address at `offset` in the file.
    fn call(&self, offset: u64) -> Option<u64> {
        let within = |(start, length, base): &(u64, u64, u64)| {
            let inside = offset.checked_sub(*start).filter(|inside| inside < length)?;
            inside.checked_add(*base)
        };
        self.segments.iter().find_map(within)?.checked_sub(1)
    }

    fn site(&self, address: u64, offset: u64) -> Option<Site> {
        let place = self.call(offset)?;
        let location = self.loader.find_location(place).ok().flatten();
        let function = self.loader.find_symbol_info(place).map(|symbol| {
            let name = addr2line::demangle_auto(symbol.name().into(), None);
            format!("{name}+{:#x}", (place + 1).saturating_sub(symbol.address()))
        });
        Some(Site {
            address,
            variable: None,
            function,
            file: location.as_ref().and_then(|location| location.file).and_then(last_part),
            line: location.and_then(|location| location.line).filter(|line| *line > 0),
        })
    }

    fn frames(&self, offset: u64) -> Vec<Frame> {
        let mut all = Vec::new();
        let Some(mut found) = self.call(offset).and_then(|place| self.loader.find_frames(place).ok()) else {
            return all;
        };
        while let Ok(Some(frame)) = found.next() {
            let name = frame.function.as_ref().and_then(|name| name.demangle().ok().map(Cow::into_owned));
            let location = frame.location.as_ref();
            all.push(Frame {
                function: name,
                file: location.and_then(|location| location.file).map(str::to_owned),
                line: location.and_then(|location| location.line),
                column: location.and_then(|location| location.column),
                of_runtime: false,
            });
        }
        all
    }
}

/// Bytes of a program or library; `None` for a device, whose bytes may have no end.
pub fn image(path: &Path) -> Option<Vec<u8>> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    fs::read(path).ok()
}

fn last_part(path: &str) -> Option<String> {
    path.rsplit('/').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_of_a_hostile_file_are_numbers_and_files() {
        let text = "\
ffffffffffff0000-ffffffffffffffff r--p 7fffffffffffffff fe:00 103 /dev/zero\n\
ffffffffffff0000-ffffffffffffffff r--p ffffffffffffffff fe:00 103 /bin/a\n\
2000-1000 r--p 0 fe:00 103 /bin/a\n";
        let found = mappings(text);
        assert_eq!(found.len(), 1);
        let sites = Names::of(&found).sites(&[u64::MAX - 1].into(), &BTreeSet::new());
        assert_eq!(sites[0].function, None);
        let image =
            Image { segments: vec![(8, u64::MAX, u64::MAX)], loader: Loader::new("/proc/self/exe").unwrap() };
        assert_eq!((image.call(7), image.call(8), image.call(9)), (None, Some(u64::MAX - 1), None));
    }

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
