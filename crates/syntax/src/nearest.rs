//! The nearest valid name to one that is not.

/// The least likeness of names that may have been mistaken for each other.
const CLOSE: f64 = 0.75;

/// The likeness of two names, whatever their case: from 0 to 1 for equal ones.
pub fn likeness(name: &str, candidate: &str) -> f64 {
    // A text of any length may stand where a name should.
    let name: String = name.chars().take(64).collect::<String>().to_lowercase();
    strsim::jaro_winkler(&name, &candidate.to_lowercase())
}

/// The candidate that `name` was most likely meant to be, if any is close.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (likeness(name, candidate), candidate))
        .filter(|(score, _)| *score >= CLOSE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// "did you mean `x`?" or else "expected one of a, b, c".
pub fn hint<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(name, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None if candidates.is_empty() => "nothing is expected here".to_owned(),
        None => format!("expected {}", one_of(candidates)),
    }
}

/// "did you mean `x`?" or else `otherwise`.
pub fn hint_or<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    nearest(name, candidates).map_or(otherwise.to_owned(), |candidate| format!("did you mean `{candidate}`?"))
}

/// "one of a, b, c", cut where the list is long.
pub fn one_of<'a>(candidates: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 24;
    let all: Vec<&str> = candidates.into_iter().collect();
    let more = if all.len() > MOST { ", …" } else { "" };
    format!("one of {}{more}", all[..all.len().min(MOST)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let keys = ["bandwidth", "latency", "capacity"];
        assert_eq!(nearest("bandwith", keys), Some("bandwidth"));
        assert_eq!(nearest("Latency", keys), Some("latency"));
        assert_eq!(nearest("zzz", keys), None);
        assert_eq!(hint("zzz", keys), "expected one of bandwidth, latency, capacity");
    }
}
