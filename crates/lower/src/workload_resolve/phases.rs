//! Decides which phases run, and resolves their contents.

use super::Resolver;
use numalab_files::quantity::Expression;
use numalab_files::workload_file::{LoopFile, PhaseFile, TreeFile, WorkloadFile};
use numalab_workload::{BindingText, Construct, Phase, Region, RegionTeam};

/// Content of a phase: the iterations of a loop or of a construct's body, or tasks that create tasks.
enum Kind<'f> {
    Iterations(Box<LoopFile>),
    /// Grammar of tasks that create tasks.
    Tree(&'f TreeFile),
}

impl Resolver<'_, '_> {
    /// All phases in the order of the file; `None` for phases that `when` leaves out.
    pub(super) fn phases(
        &mut self,
        file: &WorkloadFile,
        regions: &[Region],
        rounds: u32,
    ) -> Vec<Option<Phase>> {
        let mut phases = Vec::new();
        let (mut measured, mut left) = (false, false);
        for (index, phase) in file.phases.iter().enumerate() {
            let path = format!("phases[{index}]");
            if measured && !phase.measured {
                let message = "this phase follows a measured one and is not measured";
                let label = "expected the phases that are not measured first";
                self.report.at(&format!("{path}.name"), message, label);
            }
            measured |= phase.measured;
            if !self.holds(&format!("{path}.when"), phase.when.as_ref()) {
                if !self.counts {
                    self.left_out(&path, phase, regions);
                }
                phases.push(None);
                continue;
            }
            left |= phase.measured;
            let repeat = self.whole(&format!("{path}.repeat"), &phase.repeat, 1.0, 1e9).unwrap_or(1) as u32;
            let runs = u64::from(repeat) * if phase.measured && !phase.once { u64::from(rounds) } else { 1 };
            let team = self.own_team(&path, phase);
            let threads = team.as_ref().map_or(self.facts.threads, |team| team.threads);
            self.scope.set("threads", threads.into());
            let resolved = self.phase(&path, phase, regions, (runs, threads));
            self.scope.set("threads", self.facts.threads.into());
            phases.push(Some(Phase { repeat, team, ..resolved }));
        }
        if !measured {
            self.report.at("phases", "no phase is measured", "expected `measured: true` in at least one");
        } else if !left {
            self.complain("phases", "every measured phase is left out", "expected one whose `when` is not 0");
        }
        self.once(file);
        self.contexts(file, &mut phases);
        phases
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

    /// Phase that is executed `runs` times, including repeats and rounds, on `threads` threads.
    fn phase(
        &mut self,
        path: &str,
        phase: &PhaseFile,
        regions: &[Region],
        (runs, threads): (u64, u32),
    ) -> Phase {
        let times = self.optional_whole(&format!("{path}.times"), phase.times.as_ref(), 1e9);
        let most = f64::from(threads);
        let teams = self.optional_whole(&format!("{path}.teams"), phase.teams.as_ref(), most);
        let at = format!("{path}.{}", phase.key());
        let resolved = match self.kind(path, phase) {
            None => Phase::new(&phase.name, 1),
            Some(Kind::Tree(tree)) => self.tree(&at, &phase.name, tree, regions, runs),
            Some(Kind::Iterations(body)) => {
                let runs = runs.saturating_mul(u64::from(times));
                self.one_loop(&at, &phase.name, &body, regions, runs)
            }
        };
        let construct = self.construct(&format!("{path}.construct"), phase).unwrap_or_default();
        if let Construct::Pipeline { steps, .. } = construct {
            self.pipeline(path, phase, &resolved, steps);
        }
        // A body has one iteration per thread. If a schedule distributes the iterations, each inner team has those of
        // its own threads.
        let shared = phase.looped.is_none() && phase.tasks.is_none() && construct.is_loop();
        let iterations = resolved.iterations / if shared { u64::from(teams) } else { 1 };
        Phase { construct, times, teams, iterations, measured: phase.measured, once: phase.once, ..resolved }
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
    fn kind<'f>(&mut self, path: &str, phase: &'f PhaseFile) -> Option<Kind<'f>> {
        let beside =
            |key: &str, other: &str| Some((format!("{path}.{key}"), key.to_owned(), other.to_owned()));
        let wrong = match (&phase.looped, &phase.tasks) {
            (Some(_), Some(_)) => beside("tasks", "loop"),
            (Some(_), None) if phase.body.is_some() => beside("body", "loop"),
            (None, Some(_)) if phase.construct.is_some() => beside("construct", "tasks"),
            (None, Some(_)) if phase.body.is_some() => beside("body", "tasks"),
            (None, Some(_)) if phase.times.is_some() => beside("times", "tasks"),
            (None, None) if phase.construct.is_none() => {
                // A misspelt key, which is reported already, may contain the content.
                if self.report.clean() {
                    let label = "expected `loop`, `construct` or `tasks`";
                    self.report.at(path, "this phase does nothing", label);
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

    /// Checks the names in a phase that its `when` leaves out.
    fn left_out(&mut self, path: &str, phase: &PhaseFile, regions: &[Region]) {
        for (key, text) in [("times", &phase.times), ("threads", &phase.threads), ("teams", &phase.teams)] {
            text.as_ref().and_then(|text| self.program(&format!("{path}.{key}"), text, false));
        }
        phase.binding.as_ref().and_then(|file| self.binding(&format!("{path}.binding"), file));
        let at = format!("{path}.{}", phase.key());
        match self.kind(path, phase) {
            None => {}
            Some(Kind::Tree(tree)) => self.tree_names(&at, tree, regions),
            Some(Kind::Iterations(body)) => self.loop_names(&at, &body, regions),
        }
        self.construct(&format!("{path}.construct"), phase);
    }
}
