//! `0-7,16-23:2`: the processors to which a run is confined, in the order of its threads.

use numalab_base::NumberList;
use std::fmt;
use std::str::FromStr;

/// A processor list as typed. A short list may stand for billions of processors, so it is expanded only for a
/// machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcList(Vec<Range>);

/// Processors `first-last:stride`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: u32,
    last: u32,
    stride: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcListError {
    /// A part of the text is neither a processor nor a range.
    Unreadable { item: String },
    /// A stride without a range.
    NoRange { item: String },
    /// A stride of 0.
    NoStride { item: String },
    /// A range whose end is below its start.
    Backwards { first: u32, last: u32 },
    /// The list names a processor number that the machine does not have.
    Missing {
        processor: u32,
        machine: String,
        /// Number of processors of the machine.
        processors: u32,
    },
    /// A part of `KMP_HW_SUBSET` that names more units than there are.
    Beyond {
        item: String,
        level: &'static str,
        /// Machine or unit that the item divides.
        parent: String,
        /// Number of units in it.
        has: u32,
    },
    /// The list names a processor that the operating system does not use.
    Offline {
        processor: u32,
        machine: String,
        /// Processors that it uses.
        online: NumberList,
    },
    /// The list names a processor more than once.
    Twice { processor: u32 },
}

impl ProcListError {
    /// Sentence for users that states the mistake.
    pub fn problem(&self) -> String {
        match self {
            ProcListError::Unreadable { item } => format!("\"{item}\" is not a processor"),
            ProcListError::NoRange { item } => format!("\"{item}\" has a stride but no range"),
            ProcListError::NoStride { item } => format!("the stride in \"{item}\" is 0"),
            ProcListError::Backwards { first, last } => {
                format!("the range \"{first}-{last}\" runs backwards")
            }
            ProcListError::Missing { processor, machine, processors } => {
                format!("the list names processor {processor}, but {machine} has {processors}")
            }
            ProcListError::Beyond { item, level, parent, has } => {
                let plural = if *has == 1 { "" } else { "s" };
                format!("\"{item}\" asks for more than {parent} has: {has} {level}{plural}")
            }
            ProcListError::Offline { processor, machine, .. } => {
                format!("the list names processor {processor}, which is off line on {machine}")
            }
            ProcListError::Twice { processor } => format!("the list names processor {processor} twice"),
        }
    }

    /// Sentence for users that states the correct input.
    pub fn remedy(&self) -> String {
        match self {
            ProcListError::Unreadable { .. } => {
                "expected a processor, a range such as 0-7, or a range with a stride such as 0-62:2"
                    .to_owned()
            }
            ProcListError::NoRange { item } => {
                let (first, stride) = item.split_once(':').unwrap_or((item, "2"));
                format!("write {first}-LAST:{stride}")
            }
            ProcListError::NoStride { .. } => "it must be at least 1".to_owned(),
            ProcListError::Backwards { first, last } => format!("write {last}-{first}"),
            ProcListError::Missing { processors, .. } => {
                format!("its processors are 0-{}", processors.saturating_sub(1))
            }
            ProcListError::Beyond { .. } => "name fewer, or begin further down".to_owned(),
            ProcListError::Offline { online, .. } => format!("processors in use: {online}"),
            ProcListError::Twice { .. } => {
                "name each processor once; the threads take them in the order of the list".to_owned()
            }
        }
    }
}

impl fmt::Display for ProcListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.problem(), self.remedy())
    }
}

impl std::error::Error for ProcListError {}

impl FromIterator<u32> for ProcList {
    fn from_iter<I: IntoIterator<Item = u32>>(processors: I) -> ProcList {
        ProcList(
            processors.into_iter().map(|number| Range { first: number, last: number, stride: 1 }).collect(),
        )
    }
}

/// The list as it is typed. Neighbouring processors are one range.
impl fmt::Display for ProcList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joins =
            |a: &Range, b: &Range| a.stride == 1 && b.stride == 1 && a.last.checked_add(1) == Some(b.first);
        for (at, ranges) in self.0.chunk_by(joins).enumerate() {
            let (first, last, stride) = (ranges[0].first, ranges[ranges.len() - 1].last, ranges[0].stride);
            let comma = if at > 0 { "," } else { "" };
            match (last - first, stride) {
                (0, _) => write!(f, "{comma}{first}")?,
                (_, 1) => write!(f, "{comma}{first}-{last}")?,
                _ => write!(f, "{comma}{first}-{last}:{stride}")?,
            }
        }
        Ok(())
    }
}

impl Range {
    fn count(&self) -> u32 {
        (self.last - self.first) / self.stride + 1
    }
}

impl FromStr for ProcList {
    type Err = ProcListError;

    fn from_str(text: &str) -> Result<ProcList, ProcListError> {
        text.split(',').map(|item| item.trim().parse()).collect::<Result<_, _>>().map(ProcList)
    }
}

impl FromStr for Range {
    type Err = ProcListError;

    fn from_str(text: &str) -> Result<Range, ProcListError> {
        let item = || text.to_owned();
        let number =
            |part: &str| part.trim().parse::<u32>().map_err(|_| ProcListError::Unreadable { item: item() });
        let (ends, stride) = match text.split_once(':') {
            Some((ends, stride)) => (ends, number(stride)?),
            None => (text, 1),
        };
        let (first, last) = match ends.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None if text.contains(':') => return Err(ProcListError::NoRange { item: item() }),
            None => (number(ends)?, number(ends)?),
        };
        if stride == 0 {
            return Err(ProcListError::NoStride { item: item() });
        }
        if last < first {
            return Err(ProcListError::Backwards { first, last });
        }
        Ok(Range { first, last, stride })
    }
}

impl ProcList {
    /// The processors as one place of a place list: `{0:4:1,8:1:1}`.
    pub(crate) fn as_place(&self) -> String {
        let each = self.0.iter().map(|range| format!("{}:{}:{}", range.first, range.count(), range.stride));
        format!("{{{}}}", each.collect::<Vec<_>>().join(","))
    }

    /// The processors as places of one processor each: `{0}:4:1,{8}:1:1`.
    pub(crate) fn as_places(&self) -> String {
        let each =
            self.0.iter().map(|range| format!("{{{}}}:{}:{}", range.first, range.count(), range.stride));
        each.collect::<Vec<_>>().join(",")
    }

    /// The listed processors, in the order of the list, on a machine with `processors` hardware threads. Those in
    /// `offline` may not be listed.
    pub fn resolve(
        &self,
        machine: &str,
        processors: u32,
        offline: &NumberList,
    ) -> Result<Vec<u32>, ProcListError> {
        let mut list = Vec::new();
        let mut named = vec![false; processors as usize];
        for range in &self.0 {
            for processor in (range.first..=range.last).step_by(range.stride as usize) {
                let Some(seen) = named.get_mut(processor as usize) else {
                    let machine = machine.to_owned();
                    return Err(ProcListError::Missing { processor, machine, processors });
                };
                if offline.contains(processor) {
                    let online = (0..processors).filter(|number| !offline.contains(*number)).collect();
                    return Err(ProcListError::Offline { processor, machine: machine.to_owned(), online });
                }
                if std::mem::replace(seen, true) {
                    return Err(ProcListError::Twice { processor });
                }
                list.push(processor);
            }
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str, processors: u32) -> Result<Vec<u32>, ProcListError> {
        text.parse::<ProcList>()?.resolve("m", processors, &NumberList::default())
    }

    #[test]
    fn ranges_and_strides_keep_their_order() {
        assert_eq!(resolve("5", 8).unwrap(), [5]);
        assert_eq!(resolve("4-6, 0-3:2", 8).unwrap(), [4, 5, 6, 0, 2]);
        assert_eq!(resolve("0-7:3", 8).unwrap(), [0, 3, 6]);
    }

    /// Law: A list is read back as it was, and neighbours are one range.
    #[test]
    fn a_list_is_written_as_it_is_typed() {
        let shown = |text: &str| text.parse::<ProcList>().unwrap().to_string();
        for text in ["5", "4-6,0-3:2", "7,5,3-4,0-62:2"] {
            assert_eq!(shown(text), text);
            assert_eq!(resolve(&shown(text), 64), resolve(text, 64));
        }
        assert_eq!([0, 1, 2, 16, 17, 5].into_iter().collect::<ProcList>().to_string(), "0-2,16-17,5");
    }

    #[test]
    fn refuses_malformed_lists() {
        for (text, part) in [
            ("", "is not a processor"),
            ("a-b", "is not a processor"),
            ("-3", "is not a processor"),
            ("1-2-3", "is not a processor"),
            ("4294967296", "is not a processor"),
            ("7-0", "write 0-7"),
            ("0-7:0", "at least 1"),
            ("3:2", "no range"),
        ] {
            let error = resolve(text, 8).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn refuses_processors_that_are_off_line() {
        let offline = "0-3,6".parse().unwrap();
        let resolve = |text: &str| text.parse::<ProcList>()?.resolve("m", 8, &offline);
        assert_eq!(resolve("7,4-5").unwrap(), [7, 4, 5]);
        assert_eq!(
            resolve("4-6").unwrap_err().to_string(),
            "the list names processor 6, which is off line on m; processors in use: 4-5,7"
        );
    }

    #[test]
    fn refuses_missing_processors_without_expanding() {
        let missing = ProcListError::Missing { processor: 8, machine: "m".to_owned(), processors: 8 };
        assert_eq!(resolve("0-4294967295", 8).unwrap_err(), missing);
        assert_eq!(missing.to_string(), "the list names processor 8, but m has 8; its processors are 0-7");
        assert_eq!(resolve("0-3,3", 8).unwrap_err(), ProcListError::Twice { processor: 3 });
    }
}
