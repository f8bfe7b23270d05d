//! Expressions of likwid-pin: lists of processors, indices in a domain, regular patterns, and
//! scattering.

use super::InvalidProcessors;
use super::domains::Domains;
use std::collections::BTreeSet;

/// Maximum number of processors in one expression.
const MOST: usize = 1 << 20;
const EXPECTED: &str = "S0:0-3@S1:0-3, M1:0,1, N:0-7, E:S0:4:1:2, M:scatter, or processors such as 0,2-4";

/// Processors of a likwid-pin expression, in the order in which the expression names them.
pub fn processors(text: &str, domains: &Domains<'_>) -> Result<Vec<u32>, InvalidProcessors> {
    let parts = text.trim().split('@').map(|part| of_part(part.trim(), domains));
    let all: Vec<u32> = parts.collect::<Result<Vec<_>, _>>()?.concat();
    if all.is_empty() || all.len() > MOST { Err(InvalidProcessors::new(text, EXPECTED)) } else { Ok(all) }
}

fn of_part(part: &str, domains: &Domains<'_>) -> Result<Vec<u32>, InvalidProcessors> {
    let wrong = || InvalidProcessors::new(part, EXPECTED);
    let Some((domain, rest)) = part.split_once(':') else { return numbers(part).ok_or_else(wrong) };
    match (domain, rest) {
        ("E", rest) => {
            let list = pattern(rest, domains).ok_or_else(wrong)?;
            let different: BTreeSet<u32> = list.iter().copied().collect();
            match different.len() == list.len() {
                true => Ok(list),
                false => Err(InvalidProcessors::new(
                    part,
                    format!(
                        "each processor of the domain at most once, but it names {} in {} places",
                        different.len(),
                        list.len()
                    ),
                )),
            }
        }
        ("S", "scatter") => {
            Ok(scattered((0..domains.sockets()).filter_map(|at| domains.socket(at)).collect()))
        }
        ("M", "scatter") => Ok(scattered((0..domains.nodes()).filter_map(|at| domains.node(at)).collect())),
        _ => {
            let of_domain = processors_of(domain, domains, false).ok_or_else(|| {
                let (sockets, nodes) = (domains.sockets() - 1, domains.nodes() - 1);
                InvalidProcessors::new(
                    domain,
                    format!("N, S0 to S{sockets} (sockets) or M0 to M{nodes} (nodes)"),
                )
            })?;
            let places = numbers(rest).ok_or_else(wrong)?;
            let last = of_domain.len().saturating_sub(1);
            let processor = |place: u32| {
                let beyond = || InvalidProcessors::new(part, format!("places from 0 to {last} in {domain}"));
                of_domain.get(place as usize).copied().ok_or_else(beyond)
            };
            places.into_iter().map(processor).collect()
        }
    }
}

/// `DOMAIN:COUNT` or `DOMAIN:COUNT:CHUNK:STRIDE`: `COUNT` processors, `CHUNK` from every `STRIDE`,
/// core by core; starts over at the end of the domain.
fn pattern(text: &str, domains: &Domains<'_>) -> Option<Vec<u32>> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (domain, count, chunk, stride) = match parts[..] {
        [domain, count] => (domain, count, "1", "1"),
        [domain, count, chunk, stride] => (domain, count, chunk, stride),
        _ => return None,
    };
    let number = |text: &str| text.parse::<usize>().ok().filter(|number| (1..=MOST).contains(number));
    let (count, chunk, stride) = (number(count)?, number(chunk)?, number(stride)?);
    let all = processors_of(domain, domains, true)?;
    if chunk > stride || all.is_empty() {
        return None;
    }
    let places = (0..).step_by(stride).flat_map(|start| start..start + chunk);
    Some(places.take(count).map(|place| all[place % all.len()]).collect())
}

/// Processors of the domain `N` (the machine), `S0` (a socket) or `M1` (a node); core by core if `compact`.
fn processors_of(domain: &str, domains: &Domains<'_>, compact: bool) -> Option<Vec<u32>> {
    if domain == "N" {
        return Some(if compact { domains.all_compact() } else { domains.all() });
    }
    let number = domain.get(1..)?.parse().ok()?;
    match (domain.get(..1)?, compact) {
        ("S", false) => domains.socket(number),
        ("S", true) => domains.socket_compact(number),
        ("M", false) => domains.node(number),
        ("M", true) => domains.node_compact(number),
        _ => None,
    }
}

/// Interleaves the parts: the first processor of each part, then the second of each, and so on.
fn scattered(parts: Vec<Vec<u32>>) -> Vec<u32> {
    let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest).flat_map(|at| parts.iter().filter_map(move |part| part.get(at).copied())).collect()
}

/// Numbers of a list such as `0-3,8`, in its order; `None` if the text is not such a list.
pub fn numbers(text: &str) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        // numactl gives a leading `+` a meaning that is not supported here.
        let digits = |text: &str| text.trim().bytes().all(|b| b.is_ascii_digit());
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|_| digits(text));
        let (first, last) = (number(first)?, number(last)?);
        if first > last || (last - first) as usize + all.len() >= MOST {
            return None;
        }
        all.extend(first..=last);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SealedMachine;
    use numalab_lower::machine;

    /// Processors of an expression on two sockets of two nodes of two cores with two hardware threads each: the first
    /// hardware threads of the cores are processors 0-7, the second ones 8-15.
    fn read(text: &str) -> Option<Vec<u32>> {
        let machine = SealedMachine::new(machine("socket:2 node:2 core:2 thread:2", &[]).unwrap()).unwrap();
        processors(text, &Domains::new(&machine)).ok()
    }

    #[test]
    fn domains_count_cores_before_second_threads() {
        for (text, expected) in [
            ("0,2-4", &[0, 2, 3, 4][..]),
            ("S0:0-3@S1:0-3", &[0, 1, 2, 3, 4, 5, 6, 7]),
            ("S0:3-4", &[3, 8]),
            ("M1:0,1", &[2, 3]),
            ("M3:2", &[14]),
            ("N:7-8", &[7, 8]),
            // Threads of a core are adjacent; every second one is the core's first.
            ("E:S0:4", &[0, 8, 1, 9]),
            ("E:S0:4:1:2", &[0, 1, 2, 3]),
            ("E:S1:3:2:4", &[4, 12, 6]),
            ("S:scatter", &[0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15]),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(read("M:scatter").unwrap()[..5], [0, 2, 4, 6, 1]);
    }

    #[test]
    fn malformed_expressions_are_refused() {
        for text in [
            "",
            "S2:0",
            "S0:8",
            "C0:0",
            "M4:0",
            "S0",
            "E:S0",
            "E:S0:0",
            "E:S0:4:3:2",
            "E:S0:4:1",
            // Six indices in a domain of four processors.
            "E:M0:6",
            "3-1",
            "x",
            "S0:0@",
            "0-99999999",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
