//! Gate: values of a coordinate, such as policies, rank in the stated order, the best first.
//!
//! Each value must be no worse than the best of the values after it in the order.

use super::no_worse::{best, points, worse};
use super::{Compared, Findings};

pub fn check(compared: &Compared<'_>, over: &str, names: &[String], tie: f64) -> Findings {
    let mut findings = Findings::default();
    for (point, values) in points(compared, over) {
        let place = |name: &String| names.iter().position(|other| other == name);
        for (at, name) in names.iter().enumerate() {
            let behind = values.iter().filter(|(other, _)| place(other) > Some(at));
            let own = values.iter().find(|(value, _)| value == name);
            let (Some((_, value)), Some(best)) = (own, best(behind, compared.more)) else { continue };
            findings.add(worse(compared, &point, (name, value), best, tie));
        }
    }
    if findings.checked == 0 {
        findings.problem = Some(format!("no point has results of two of {}", names.join(", ")));
    }
    findings
}
