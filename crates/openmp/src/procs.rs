//! `0-7,16-23:2`: the processors that a run is confined to, in the order of its threads.

use std::fmt;
use std::str::FromStr;

/// A list as typed. It may name billions of processors, so it is expanded only against a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcList(Vec<Range>);

/// `first-last:stride`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: u32,
    last: u32,
    stride: u32,
}

/// A list that does not fit its machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcListError {
    /// The mistake.
    pub problem: String,
    /// Advice: what to type instead.
    pub advice: String,
}

impl fmt::Display for ProcListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.problem, self.advice)
    }
}

impl std::error::Error for ProcListError {}

impl FromStr for ProcList {
    type Err = String;

    fn from_str(text: &str) -> Result<ProcList, String> {
        text.split(',').map(|item| item.trim().parse()).collect::<Result<_, _>>().map(ProcList)
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Range, String> {
        let number = |part: &str| {
            part.trim().parse::<u32>().map_err(|_| {
                format!("\"{text}\" is not a processor, a range such as 0-7, or a range with a stride such as 0-62:2")
            })
        };
        let (ends, stride) = match text.split_once(':') {
            Some((ends, stride)) => (ends, number(stride)?),
            None => (text, 1),
        };
        let (first, last) = match ends.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None if text.contains(':') => {
                return Err(format!("\"{text}\" has a stride but no range; write {ends}-LAST:{stride}"));
            }
            None => (number(ends)?, number(ends)?),
        };
        if stride == 0 {
            return Err(format!("the stride in \"{text}\" must be at least 1"));
        }
        if last < first {
            return Err(format!("the range \"{text}\" runs backwards; write {last}-{first}"));
        }
        Ok(Range { first, last, stride })
    }
}

impl ProcList {
    /// Every processor, in order, on a machine that has so many.
    pub fn resolve(&self, machine: &str, processors: u32) -> Result<Vec<u32>, ProcListError> {
        let mut list = Vec::new();
        let mut named = vec![false; processors as usize];
        for range in &self.0 {
            for processor in (range.first..=range.last).step_by(range.stride as usize) {
                let Some(seen) = named.get_mut(processor as usize) else {
                    return Err(ProcListError {
                        problem: format!(
                            "--procs names processor {processor}, but {machine} has {processors}"
                        ),
                        advice: format!("its processors are 0-{}", processors.saturating_sub(1)),
                    });
                };
                if std::mem::replace(seen, true) {
                    return Err(ProcListError {
                        problem: format!("--procs names processor {processor} twice"),
                        advice: "name each processor once; the threads take them in the order of the list"
                            .to_owned(),
                    });
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

    fn resolve(text: &str, processors: u32) -> Result<Vec<u32>, String> {
        text.parse::<ProcList>()?.resolve("m", processors).map_err(|error| error.problem)
    }

    #[test]
    fn ranges_and_strides_keep_their_order() {
        assert_eq!(resolve("5", 8).unwrap(), [5]);
        assert_eq!(resolve("4-6, 0-3:2", 8).unwrap(), [4, 5, 6, 0, 2]);
        assert_eq!(resolve("0-7:3", 8).unwrap(), [0, 3, 6]);
    }

    #[test]
    fn refuses_what_is_no_list() {
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
            let error = resolve(text, 8).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn refuses_what_the_machine_does_not_have_without_expanding_it() {
        assert_eq!(resolve("0-4294967295", 8).unwrap_err(), "--procs names processor 8, but m has 8");
        assert_eq!(resolve("0-3,3", 8).unwrap_err(), "--procs names processor 3 twice");
    }
}
