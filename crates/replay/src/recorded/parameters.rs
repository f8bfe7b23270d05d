//! Parameters of a replay that the user sets.

use crate::Recording;
use crate::work::Form;
use numalab_files::Override;
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use std::fmt;

const NAMES: [&str; 6] = ["core_ratio", "compared", "data", "overlap", "waited", "faulted"];

#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Speed of a core of the simulated machine relative to a core of the recording machine.
    pub core_ratio: f64,
    /// Loops and tasks that run under the policy being compared.
    pub compared: Compared,
    /// Workload file whose phases describe the data of loops of the same names.
    pub data: Option<String>,
    /// Fraction of the recorded waiting for data in which the core computed: 1 if the whole recorded time is
    /// computing.
    pub overlap: f64,
    /// Nanoseconds for which an instance of each class waited for data on the recording machine; empty if unknown.
    pub waited_ns: Vec<u64>,
    /// Nanoseconds of page faults of an instance of each class; nothing is computed meanwhile. Empty if unknown.
    pub faulted_ns: Vec<u64>,
}

/// Plausible ratios of core speeds.
pub const CORE_RATIOS: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// Constructs that run under the policy being compared. All other constructs keep their recorded schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The construct that takes most of the time.
    Hottest,
    All,
    /// No construct.
    None,
    /// Loops and tasks whose construct is at this address.
    At(u64, String),
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Compared::Hottest => f.write_str("hottest"),
            Compared::All => f.write_str("all"),
            Compared::None => f.write_str("none"),
            Compared::At(_, name) => f.write_str(name),
        }
    }
}

impl Parameters {
    /// Replay at a ratio of core speeds, without statements of the user.
    pub fn of_ratio(core_ratio: f64) -> Parameters {
        Parameters {
            core_ratio,
            compared: Compared::Hottest,
            data: None,
            overlap: 1.0,
            waited_ns: Vec::new(),
            faulted_ns: Vec::new(),
        }
    }

    /// Reads the values that a user set.
    ///
    /// `name`: the recording in messages.
    pub fn read(
        name: &str,
        overrides: &[Override],
        recording: &Recording,
    ) -> Result<Parameters, Diagnostics> {
        let (mut ratio, mut compared, mut data) = (None, Compared::Hottest, None);
        let (mut overlap, mut waited_ns, mut faulted_ns) = (1.0, Vec::new(), Vec::new());
        for change in overrides {
            let path = change.path.strip_prefix("parameters.").unwrap_or(&change.path);
            let fail = |message: String, label: String| Err(change.refused(message, label));
            match path {
                "core_ratio" => match change.value.trim().parse::<f64>() {
                    Ok(value) if CORE_RATIOS.contains(&value) => ratio = Some(value),
                    _ => {
                        let label = "expected a number between 0.001 and 1000, such as 0.45".to_owned();
                        return fail(format!("core_ratio is {}", shorten(&change.value)), label);
                    }
                },
                "compared" => match compared_of(change.value.trim(), recording) {
                    Ok(found) => compared = found,
                    Err(label) => {
                        return fail(format!("no loop is called {}", shorten(&change.value)), label);
                    }
                },
                "overlap" => match change.value.trim().parse::<f64>() {
                    Ok(value) if value == 0.0 || (1e-9..=1.0).contains(&value) => overlap = value,
                    _ => {
                        let label = "expected a number between 0 and 1".to_owned();
                        return fail(format!("overlap is {}", shorten(&change.value)), label);
                    }
                },
                "waited" | "faulted" => {
                    let list: Result<Vec<u64>, _> =
                        change.value.split(',').map(|ns| ns.trim().parse()).collect();
                    let classes = recording.work.classes.len();
                    match list {
                        Ok(list) if list.len() == classes => match path {
                            "waited" => waited_ns = list,
                            _ => faulted_ns = list,
                        },
                        _ => {
                            let label =
                                format!("expected whole nanoseconds for each of {classes} kinds of work");
                            return fail(format!("{path} is {}", shorten(&change.value)), label);
                        }
                    }
                }
                "data" => data = Some(change.value.trim().trim_matches('"').to_owned()),
                other => {
                    let message = format!("a recorded program has no value {}", shorten(other));
                    return fail(message, hint(other, NAMES));
                }
            }
        }
        match ratio {
            Some(core_ratio) => Ok(Parameters { core_ratio, compared, data, overlap, waited_ns, faulted_ns }),
            None => Err(Diagnostics::plain(
                format!(
                    "{name}: how fast the machine's cores are beside those of the recording computer is not said"
                ),
                "expected workload.core_ratio: 1 on the recording computer itself, 0.5 on cores half as fast",
            )),
        }
    }

    /// Names and values of the parameters that the user set, as results show them.
    pub fn texts(&self) -> Vec<(String, String)> {
        let mut texts = vec![
            ("core_ratio".to_owned(), self.core_ratio.to_string()),
            ("compared".to_owned(), self.compared.to_string()),
        ];
        texts.extend(self.data.clone().map(|path| ("data".to_owned(), path)));
        if self.overlap < 1.0 {
            texts.push(("overlap".to_owned(), self.overlap.to_string()));
        }
        texts
    }
}

fn compared_of(text: &str, recording: &Recording) -> Result<Compared, String> {
    match text {
        "hottest" => return Ok(Compared::Hottest),
        "all" => return Ok(Compared::All),
        "none" => return Ok(Compared::None),
        _ => {}
    }
    let loops = recording.work.classes.iter().filter(|class| class.form == Form::Loop);
    let mut names: Vec<(String, u64)> = loops.map(|class| (recording.name(class.site), class.site)).collect();
    names.sort();
    names.dedup();
    match names.iter().find(|(name, _)| name == text) {
        Some((name, site)) => Ok(Compared::At(*site, name.clone())),
        None => Err(hint(
            text,
            ["hottest", "all", "none"].into_iter().chain(names.iter().map(|(name, _)| &**name)),
        )),
    }
}
