//! Parses the output of `sbatch` and `squeue`.

use super::Elements;
use std::fmt;
use std::str::FromStr;

/// A submitted job array: `12`, or `12;alpha` on cluster `alpha`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId {
    pub number: u64,
    /// Cluster of the job array; `None` if `sbatch` prints only a number.
    pub cluster: Option<String>,
}

impl FromStr for JobId {
    type Err = ();

    fn from_str(text: &str) -> Result<JobId, ()> {
        let (number, cluster) = match text.split_once(';') {
            Some((number, cluster)) if !cluster.is_empty() => (number, Some(cluster.to_owned())),
            Some(_) => return Err(()),
            None => (text, None),
        };
        Ok(JobId { number: number.parse().map_err(drop)?, cluster })
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        self.cluster.as_ref().map_or(Ok(()), |cluster| write!(f, ";{cluster}"))
    }
}

/// Job array in the last line of `sbatch --parsable` output that names one. At some sites `sbatch` prints news before
/// that line.
pub(super) fn job(printed: &str) -> Option<JobId> {
    printed.lines().rev().find_map(|line| line.trim().parse().ok())
}

/// Arguments of `squeue` for output that [`elements`] can parse. They name no job, since `squeue` fails for a
/// finished one.
pub(super) const ASK: [&str; 4] = ["--me", "--noheader", "--array", "--format=%F %K"];

/// Elements of one array in the output of `squeue`: each line has the number of an array and of an
/// element. Other lines (names of clusters, jobs that are not arrays) are skipped.
pub(super) fn elements(printed: &str, job: u64) -> Elements {
    let element = |line: &str| {
        let (array, element) = line.trim().split_once(' ')?;
        (array.parse() == Ok(job)).then(|| element.trim().parse().ok())?
    };
    printed.lines().filter_map(element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn job_number_is_found_below_site_news() {
        let found = |text| job(text).map(|job| job.to_string());
        assert_eq!(found("12\n").as_deref(), Some("12"));
        assert_eq!(found("12;alpha\n").as_deref(), Some("12;alpha"));
        assert_eq!(found("Welcome to 3 new nodes!\n 12\n\n").as_deref(), Some("12"));
        for nothing in ["", "Submitted batch job 12", "12;", ";alpha", "-3", "0x12"] {
            assert_eq!(found(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn elements_belong_to_the_job() {
        let printed = "CLUSTER: alpha\n12 3\n12 5\n13 4\n14 N/A\n12 N/A\n 12   16 \n112 7\n";
        assert_eq!(elements(printed, 12).to_string(), "3,5,16");
        assert_eq!(elements(printed, 14).to_string(), "");
        assert_eq!(elements("", 12).to_string(), "");
    }

    proptest! {
        #[test]
        fn any_output_is_parsed_without_panic(text in "[0-9 ;N/A\\-\n\\PC]{0,60}", number: u64) {
            if let Some(job) = job(&text) {
                prop_assert_eq!(job.to_string().parse(), Ok(job));
            }
            elements(&text, number);
        }
    }
}
