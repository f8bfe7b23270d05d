//! The nearest valid name to an unknown one.

/// The candidate most similar to `name`, if any is similar enough.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    close(name, candidates).into_iter().next()
}

/// Candidates similar to `name`, nearest first. The last part of a candidate, as in
/// `numa-steal:nearest` or `memory.latency`, counts as well as the whole.
pub fn close<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name: String = name.trim().chars().take(64).collect::<String>().to_lowercase();
    let score = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let last = candidate.rsplit([':', '.']).next().unwrap_or(&candidate);
        strsim::jaro_winkler(&name, &candidate).max(strsim::jaro_winkler(&name, last))
    };
    let mut scored: Vec<(f64, &str)> =
        candidates.into_iter().map(|candidate| (score(candidate), candidate)).collect();
    scored.retain(|(score, _)| *score >= 0.75);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().map(|(_, candidate)| candidate).collect()
}

/// "did you mean `x`?", or else "expected one of a, b, c"; "nothing is expected here" without candidates.
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

/// "one of a, b, c", shortened if the list is long.
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
    fn finds_similar_names() {
        let keys = ["bandwidth", "latency", "capacity"];
        assert_eq!(nearest("bandwith", keys), Some("bandwidth"));
        assert_eq!(nearest("Latency", keys), Some("latency"));
        assert_eq!(nearest("zzz", keys), None);
        assert_eq!(nearest("SOCKET", ["cores", "sockets"]), Some("sockets"));
        assert_eq!(nearest("latenzy", ["memory.capacity", "memory.latency"]), Some("memory.latency"));
        assert_eq!(hint("zzz", keys), "expected one of bandwidth, latency, capacity");
    }
}
