//! Regions of several constructs and groups of phases: their lists, their rounds, and the keys beside them.

use super::Resolver;
use super::phases::{MOST_PHASES, Placed};
use numalab_files::workload_file::{PartFile, PhaseFile};
use numalab_syntax::tree::shorten;
use numalab_workload::{Phase, Region, RegionTeam};

/// Largest number of constructs of a region, with all rounds of groups.
const MOST_PARTS: usize = 10_000;

/// Values that the constructs of a region have in common.
pub(super) struct Shared<'p> {
    pub phase: &'p PhaseFile,
    pub team: Option<RegionTeam>,
    /// Number of executions, with rounds and repetitions.
    pub runs: u64,
    pub threads: u32,
    pub repeat: u32,
    pub regions: &'p [Region],
}

impl Resolver<'_, '_> {
    /// Adds the constructs of a region, with all rounds of its groups. `path` is that of their list.
    pub(super) fn parts(
        &mut self,
        (path, mut place): (&str, usize),
        parts: &[PartFile],
        region: &Shared<'_>,
        to: &mut Vec<Placed>,
    ) {
        for (index, part) in parts.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let constructs = part.constructs(&path, region.phase);
            let first = place;
            place += constructs.len();
            self.part_keys(&path, part);
            if !self.holds(&format!("{path}.when"), part.when.as_ref()) {
                for (place, (path, phase)) in (first..).zip(&constructs) {
                    if !self.counts {
                        self.left_out(path, phase, region.regions);
                    }
                    to.push((place, None));
                }
                continue;
            }
            let Some(group) = &part.constructs else {
                let Shared { team, runs, threads, repeat, regions, .. } = region;
                let resolved = self.phase((&path, true), &constructs[0].1, regions, (*runs, *threads));
                to.push((first, Some(Phase { repeat: *repeat, team: team.clone(), ..resolved })));
                continue;
            };
            let rounds = part.repeat.as_ref();
            let rounds =
                rounds.and_then(|text| self.whole(&format!("{path}.repeat"), text, 1.0, MOST_PARTS as f64));
            let outer = self.scope.get("round");
            for round in 0..rounds.unwrap_or(1) {
                self.scope.replace("round", Some(round as f64));
                self.parts((&format!("{path}.constructs"), first), group, region, to);
                if to.len() > MOST_PARTS {
                    let label =
                        format!("expected at most {MOST_PARTS}; `times` of the region repeats equal rounds");
                    let message = "the region has too many constructs in all rounds";
                    self.complain(&format!("{path}.repeat"), message, label);
                }
                if !self.report.clean() {
                    break;
                }
            }
            self.scope.replace("round", outer);
        }
    }

    /// Reports keys that cannot stand beside `constructs`, and `repeat` without it.
    fn part_keys(&mut self, path: &str, part: &PartFile) {
        let beside = [
            ("construct", part.construct.is_some()),
            ("nowait", part.nowait.is_some()),
            ("loop", part.looped.is_some()),
            ("body", part.body.is_some()),
        ];
        match &part.constructs {
            Some(group) => {
                for (key, _) in beside.into_iter().filter(|(_, is_there)| *is_there) {
                    let message = format!("`{key}` cannot stand beside `constructs`");
                    self.report.at(&format!("{path}.{key}"), message, "expected it in one of the constructs");
                }
                self.part_names(&format!("{path}.constructs"), group);
            }
            None if part.repeat.is_some() => {
                let label =
                    "expected it beside `constructs`; `times` of the region repeats all its constructs";
                self.report.at(&format!("{path}.repeat"), "a construct of a region has no `repeat`", label);
            }
            None => {}
        }
    }

    /// Reports constructs of equal names in a list.
    fn part_names(&mut self, path: &str, parts: &[PartFile]) {
        for (index, part) in parts.iter().enumerate() {
            if parts[..index].iter().any(|other| other.name == part.name) {
                let message = format!("`{}` is here twice", shorten(&part.name));
                let label = "expected a name of its own, by which results name the construct";
                self.report.at(&format!("{path}[{index}].name"), message, label);
            }
        }
    }

    /// Adds the rounds of a group. All rounds are alike if no expression of the group has the name `round`.
    pub(super) fn group(
        &mut self,
        (path, place): (&str, usize),
        (group, phases): (&PhaseFile, &[PhaseFile]),
        regions: &[Region],
        (runs, rounds): (u64, u32),
        to: &mut Vec<Placed>,
    ) {
        let depends = mentions_round(phases);
        let first = to.len();
        let outer = self.scope.get("round");
        for round in 0..rounds {
            if to.len() > MOST_PHASES {
                let label =
                    format!("expected at most {MOST_PHASES}; `rounds` of the workload repeats equal rounds");
                self.complain(&format!("{path}.repeat"), "the groups have too many phases in all", label);
                break;
            }
            if round > 0 && !depends {
                to.extend_from_within(first..first + (to.len() - first) / round as usize);
                continue;
            }
            self.scope.replace("round", Some(round.into()));
            let mut at = place;
            for (index, phase) in phases.iter().enumerate() {
                let path = format!("{path}.phases[{index}]");
                let phase = group.inside(phase);
                self.entry((&path, at), &phase, regions, runs, to);
                at += phase.constructs(&path).len();
            }
            // The same mistakes would be reported in every round.
            if !self.report.clean() {
                break;
            }
        }
        self.scope.replace("round", outer);
    }

    /// Reports keys that cannot stand beside `parallel` or `phases`, and equal names in a region.
    pub(super) fn keys_beside(&mut self, path: &str, phase: &PhaseFile) {
        let single = [
            ("construct", phase.construct.is_some()),
            ("nowait", phase.nowait.is_some()),
            ("loop", phase.looped.is_some()),
            ("body", phase.body.is_some()),
            ("tasks", phase.tasks.is_some()),
        ];
        let region = [
            ("parallel", phase.parallel.is_some()),
            ("times", phase.times.is_some()),
            ("threads", phase.threads.is_some()),
            ("binding", phase.binding.is_some()),
            ("teams", phase.teams.is_some()),
        ];
        let (key, what, beside) = match (&phase.phases, &phase.parallel) {
            (Some(_), _) => ("phases", "phases", [&single[..], &region[..]].concat()),
            (None, Some(_)) => ("parallel", "constructs", single.to_vec()),
            (None, None) => return,
        };
        for (other, _) in beside.into_iter().filter(|(_, is_there)| *is_there) {
            let label = format!("expected it in one of the {what} of `{key}`");
            let message = format!("`{other}` cannot stand beside `{key}`");
            self.report.at(&format!("{path}.{other}"), message, label);
        }
        let inside = phase.phases.iter().flatten().enumerate();
        for (index, inside) in
            inside.filter(|(_, inside)| inside.measured != phase.measured && inside.measured || inside.once)
        {
            let key = if inside.once { "once" } else { "measured" };
            let message = format!("`{key}` cannot stand in a phase of a group");
            self.report.at(&format!("{path}.phases[{index}].{key}"), message, "expected it in the group");
        }
        if phase.phases.as_ref().is_some_and(Vec::is_empty)
            || phase.parallel.as_ref().is_some_and(Vec::is_empty)
        {
            self.report.at(&format!("{path}.{key}"), format!("`{key}` is empty"), format!("expected {what}"));
        }
        self.part_names(&format!("{path}.parallel"), phase.parallel.as_deref().unwrap_or_default());
    }
}

/// True if an expression of the phases has the name `round`, which is also that of a function.
fn mentions_round(phases: &[PhaseFile]) -> bool {
    let text = serde_json::to_string(phases).unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.match_indices("round").any(|(at, word)| {
        let (before, after) = (&text[..at], text[at + word.len()..].trim_start());
        let inside =
            before.as_bytes().last().is_some_and(is_name) || after.as_bytes().first().is_some_and(is_name);
        !inside && !after.starts_with('(')
    })
}
