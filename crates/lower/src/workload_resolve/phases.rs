//! Decides which phases run, and resolves their contents.

use super::Resolver;
use super::groups::Shared;
use numalab_files::quantity::Expression;
use numalab_files::workload_file::{LoopFile, PhaseFile, TreeFile, WorkloadFile};
use numalab_workload::{BindingText, Construct, Phase, Region, RegionTeam, Schedule};

/// Largest number of phases, with all rounds of groups.
pub(super) const MOST_PHASES: usize = 100_000;

/// Resolved construct with its position among the constructs of the file; `None` if `when` leaves it out.
pub(super) type Placed = (usize, Option<Phase>);

/// Content of a phase: the iterations of a loop or of a construct's body, or tasks that create tasks.
enum Kind<'f> {
    Iterations(Box<LoopFile>),
    /// Grammar of tasks that create tasks.
    Tree(&'f TreeFile),
}

impl Resolver<'_, '_> {
    /// All constructs in the order in which they run, each with its position among the constructs of the file. `None` for
    /// those that `when` leaves out.
    pub(super) fn phases(&mut self, file: &WorkloadFile, regions: &[Region], rounds: u32) -> Vec<Placed> {
        let mut phases = Vec::new();
        let (mut measured, mut place) = (false, 0);
        for (index, phase) in file.phases.iter().enumerate() {
            let path = format!("phases[{index}]");
            if measured && !phase.measured {
                let message = "this phase follows a measured one and is not measured";
                let label = "expected the phases that are not measured first";
                self.report.at(&format!("{path}.name"), message, label);
            }
            measured |= phase.measured;
            let runs = if phase.measured && !phase.once { u64::from(rounds) } else { 1 };
            self.entry((&path, place), phase, regions, runs, &mut phases);
            place += phase.constructs(&path).len();
        }
        let left = phases.iter().filter_map(|(_, phase)| phase.as_ref()).any(|phase| phase.measured);
        if !measured {
            self.report.at("phases", "no phase is measured", "expected `measured: true` in at least one");
        } else if !left {
            self.complain("phases", "every measured phase is left out", "expected one whose `when` is not 0");
        }
        self.once(file);
        self.contexts(file, &mut phases);
        phases
    }

    /// Adds what a phase of the file executes in each of `runs` runs: its construct, those of its region, or its group's
    /// phases. `place`: position of its first construct among those of the file.
    pub(super) fn entry(
        &mut self,
        (path, place): (&str, usize),
        phase: &PhaseFile,
        regions: &[Region],
        runs: u64,
        to: &mut Vec<Placed>,
    ) {
        self.keys_beside(path, phase);
        if !self.holds(&format!("{path}.when"), phase.when.as_ref()) {
            for (place, (path, phase)) in (place..).zip(phase.constructs(path)) {
                if !self.counts {
                    self.left_out(&path, &phase, regions);
                }
                to.push((place, None));
            }
            return;
        }
        let most = if phase.phases.is_some() { MOST_PHASES as f64 } else { 1e9 };
        let repeat = self.whole(&format!("{path}.repeat"), &phase.repeat, 1.0, most).unwrap_or(1) as u32;
        let runs = runs.saturating_mul(repeat.into());
        if let Some(group) = &phase.phases {
            return self.group((path, place), (phase, group), regions, (runs, repeat), to);
        }
        let team = self.own_team(path, phase);
        let threads = team.as_ref().map_or(self.facts.threads, |team| team.threads);
        let before = self.scope.set("threads", threads.into());
        let region = Shared { phase, team, runs, threads, repeat, regions };
        match &phase.parallel {
            None => {
                let resolved = self.phase((path, false), phase, regions, (runs, threads));
                to.push((place, Some(Phase { repeat, team: region.team, ..resolved })));
            }
            Some(parts) => {
                let mut constructs = Vec::new();
                self.parts((&format!("{path}.parallel"), place), parts, &region, &mut constructs);
                let mut continues = false;
                for (_, phase) in &mut constructs {
                    let Some(phase) = phase else { continue };
                    phase.continues = std::mem::replace(&mut continues, true);
                }
                to.extend(constructs);
            }
        }
        self.scope.replace("threads", before);
    }

    /// Reports `once` in phases that are not measured, or that lie between phases of the rounds.
    fn once(&mut self, file: &WorkloadFile) {
        let repeated = |phase: &PhaseFile| phase.measured && !phase.once;
        let first = file.phases.iter().position(repeated);
        let last = file.phases.iter().rposition(repeated);
        for (index, phase) in file.phases.iter().enumerate().filter(|(_, phase)| phase.once) {
            let path = format!("phases[{index}].once");
            if !phase.measured {
                let label = "expected `measured: true` beside it, or no `once`";
                self.report.at(&path, "a phase that is not measured runs once anyway", label);
            } else if first.is_some_and(|first| first < index) && last.is_some_and(|last| index < last) {
                let label = "expected it before all measured phases without `once`, or after all of them";
                self.report.at(&path, "this phase is in the middle of a round", label);
            }
        }
    }

    /// Team of a phase; `None` if the phase states none that differs from the run's. The team's processors stay empty
    /// until the machine is known.
    fn own_team(&mut self, path: &str, phase: &PhaseFile) -> Option<RegionTeam> {
        let PhaseFile { threads, binding, .. } = phase;
        let most = self.facts.threads;
        let size = match threads {
            Some(text) => self.own_threads(&format!("{path}.threads"), text).unwrap_or(most),
            None => most,
        };
        let places = binding
            .as_ref()
            .and_then(|file| self.binding(&format!("{path}.binding"), file))
            .unwrap_or_default();
        let own = size != most || places != BindingText::default();
        own.then(|| RegionTeam { threads: size, binding: places, processors: [].into() })
    }

    /// Number of threads that a phase states, at most the number of threads of the run; `None` after reporting an
    /// error.
    fn own_threads(&mut self, path: &str, text: &Expression) -> Option<u32> {
        let threads = self.whole(path, text, 1.0, f64::from(u32::MAX))?;
        let all = self.facts.threads;
        if threads <= u64::from(all) {
            return Some(threads as u32);
        }
        let label = format!("expected at most the {all} threads of the run");
        self.complain(path, format!("{path} is {threads}"), label);
        None
    }

    /// Phase that is executed `runs` times, including repeats and rounds, on `threads` threads. `shared`: the phase shares
    /// its region.
    pub(super) fn phase(
        &mut self,
        (path, shared): (&str, bool),
        phase: &PhaseFile,
        regions: &[Region],
        (runs, threads): (u64, u32),
    ) -> Phase {
        let times = self.optional_whole(&format!("{path}.times"), phase.times.as_ref(), 1e9);
        let most = f64::from(threads);
        let teams = self.optional_whole(&format!("{path}.teams"), phase.teams.as_ref(), most);
        let at = format!("{path}.{}", phase.key());
        let resolved = match self.kind((path, shared), phase) {
            None => Phase::new(&phase.name, 1),
            Some(Kind::Tree(tree)) => self.tree(&at, &phase.name, tree, regions, runs),
            Some(Kind::Iterations(body)) => {
                let runs = runs.saturating_mul(u64::from(times));
                self.one_loop(&at, &phase.name, &body, regions, runs)
            }
        };
        let construct = self.construct(path, phase, shared).unwrap_or_default();
        if let Construct::Pipeline { steps, .. } = construct {
            self.pipeline(path, phase, &resolved, steps);
        }
        // The runtime chooses the schedule of sections, whatever policy is compared.
        let chosen = matches!(construct, Construct::Sections { .. });
        let schedule = if chosen { Some(Schedule::Dynamic { chunk: 1 }) } else { resolved.schedule };
        // A body has one iteration per thread. If a schedule distributes the iterations, each inner team has those of
        // its own threads.
        let shared = phase.looped.is_none() && phase.tasks.is_none() && construct.is_loop();
        let iterations = resolved.iterations / if shared { u64::from(teams) } else { 1 };
        let (measured, once) = (phase.measured, phase.once);
        Phase { construct, times, teams, schedule, iterations, measured, once, ..resolved }
    }

    /// Reports an error unless a pipeline has a loop that its steps divide, executed once by one team.
    fn pipeline(&mut self, path: &str, phase: &PhaseFile, resolved: &Phase, steps: u32) {
        if phase.looped.is_none() {
            let label = "expected `loop`: its iterations are those of all steps";
            self.report.at(&format!("{path}.construct"), "a pipeline has nothing to share out", label);
        } else if !resolved.iterations.is_multiple_of(u64::from(steps)) {
            let message = format!("{} iterations are no {steps} equal steps", resolved.iterations);
            self.complain(&format!("{path}.loop.iterations"), message, "expected a multiple of `steps`");
        }
        for key in ["times", "teams"] {
            if (key == "times" && phase.times.is_some()) || (key == "teams" && phase.teams.is_some()) {
                let label = "expected a pipeline of one team, executed once; `repeat` executes it again";
                self.report.at(
                    &format!("{path}.{key}"),
                    format!("`{key}` cannot stand beside a pipeline"),
                    label,
                );
            }
        }
    }

    /// Content of a phase; `None` after reporting an error about missing or contradictory content.
    fn kind<'f>(&mut self, (path, shared): (&str, bool), phase: &'f PhaseFile) -> Option<Kind<'f>> {
        let beside =
            |key: &str, other: &str| Some((format!("{path}.{key}"), key.to_owned(), other.to_owned()));
        let wrong = match (&phase.looped, &phase.tasks) {
            (Some(_), Some(_)) => beside("tasks", "loop"),
            (Some(_), None) if phase.body.is_some() => beside("body", "loop"),
            (None, Some(_)) if phase.construct.is_some() => beside("construct", "tasks"),
            (None, Some(_)) if phase.body.is_some() => beside("body", "tasks"),
            (None, Some(_)) if phase.times.is_some() => beside("times", "tasks"),
            (None, None) if phase.construct.is_none() && !(shared && phase.body.is_some()) => {
                // A misspelt key, which is reported already, may contain the content.
                if self.report.clean() {
                    let (what, label) = match shared {
                        true => ("construct", "expected `loop`, `construct` or `body`"),
                        false => ("phase", "expected `loop`, `construct`, `tasks` or `parallel`"),
                    };
                    self.report.at(path, format!("this {what} does nothing"), label);
                }
                return None;
            }
            _ => None,
        };
        if let Some((at, key, other)) = wrong {
            let label = "expected one of the two; another phase can have the other".to_owned();
            self.report.at(&at, format!("`{key}` cannot stand beside `{other}`"), label);
            return None;
        }
        Some(match (&phase.looped, &phase.tasks) {
            (Some(body), _) => Kind::Iterations(Box::new(body.clone())),
            (None, Some(tree)) => Kind::Tree(tree),
            (None, None) => Kind::Iterations(Box::new(phase.body.clone().unwrap_or_default().as_loop())),
        })
    }

    /// Value of an optional constant, which must be a whole number of at least 1; 1 if absent.
    fn optional_whole(&mut self, path: &str, text: Option<&Expression>, most: f64) -> u32 {
        text.and_then(|text| self.whole(path, text, 1.0, most)).map_or(1, |number| number as u32)
    }

    /// Checks the names in a phase that its `when` leaves out, or that of its group.
    pub(super) fn left_out(&mut self, path: &str, phase: &PhaseFile, regions: &[Region]) {
        let round = self.scope.get("round");
        if path.contains(".phases[") || path.contains(".constructs[") {
            self.scope.replace("round", Some(round.unwrap_or(0.0)));
        }
        for (key, text) in [("times", &phase.times), ("threads", &phase.threads), ("teams", &phase.teams)] {
            text.as_ref().and_then(|text| self.program(&format!("{path}.{key}"), text, false));
        }
        phase.binding.as_ref().and_then(|file| self.binding(&format!("{path}.binding"), file));
        let at = format!("{path}.{}", phase.key());
        let shared = path.ends_with(']') && path.contains(".parallel[");
        match self.kind((path, shared), phase) {
            None => {}
            Some(Kind::Tree(tree)) => self.tree_names(&at, tree, regions),
            Some(Kind::Iterations(body)) => self.loop_names(&at, &body, regions),
        }
        self.construct(path, phase, shared);
        self.scope.replace("round", round);
    }
}
