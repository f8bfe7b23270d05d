//! Prints the binding settings of a run in the format of libgomp, as `OMP_DISPLAY_ENV` requests.

use crate::failure::tell;
use numalab_openmp::binding::{Affinity, ThreadBinding};
use numalab_openmp::environment::Shown;
use numalab_study::ResolvedRun;

/// Prints the settings to standard error, as OpenMP runtimes do.
pub fn show(run: &ResolvedRun, what: Shown, display: bool) {
    let mut lines = vec![
        ("OMP_NUM_THREADS", run.threads.threads.len().to_string()),
        ("OMP_SCHEDULE", run.runtime.value.runtime.to_string().to_ascii_uppercase()),
        ("OMP_PROC_BIND", policy(run)),
        ("OMP_PLACES", places(&run.threads)),
    ];
    match what {
        Shown::Standard => {}
        Shown::Verbose => {
            lines.push(("OMP_DISPLAY_AFFINITY", display.to_string().to_ascii_uppercase()));
        }
    }
    let mut text = "OPENMP DISPLAY ENVIRONMENT BEGIN\n".to_owned();
    for (name, value) in lines {
        text += &format!("  [host] {name} = '{value}'\n");
    }
    text += "OPENMP DISPLAY ENVIRONMENT END\n";
    tell(&text);
}

fn policy(run: &ResolvedRun) -> String {
    let word = match run.threads.affinity {
        None => "FALSE",
        Some(Affinity::Primary) => "PRIMARY",
        Some(Affinity::Close) => "CLOSE",
        Some(Affinity::Spread) => "SPREAD",
    };
    word.to_owned()
}

/// Places as text, such as `{0:4},{4:4}`: one pair of braces per place, consecutive processors as first number and
/// length.
fn places(bound: &ThreadBinding) -> String {
    if bound.affinity.is_none() {
        return String::new();
    }
    let each = bound.places.iter().map(|place| format!("{{{}}}", runs(place)));
    each.collect::<Vec<_>>().join(",")
}

fn runs(place: &[u32]) -> String {
    let mut rest = place;
    let mut parts = Vec::new();
    while let Some(&first) = rest.first() {
        let length = rest.iter().zip(first..).take_while(|(number, expected)| *number == expected).count();
        parts.push(if length == 1 { first.to_string() } else { format!("{first}:{length}") });
        rest = &rest[length..];
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_runs_of_processors() {
        for (place, text) in
            [(&[0, 1, 2, 3][..], "0:4"), (&[4], "4"), (&[0, 56], "0,56"), (&[0, 1, 8, 9, 12], "0:2,8:2,12")]
        {
            assert_eq!(runs(place), text);
        }
    }
}
