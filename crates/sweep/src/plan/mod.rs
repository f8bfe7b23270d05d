//! The points of a sweep in order, each with the key of all its inputs.

mod axes;
mod grid;
mod setting;

use crate::file::Sweep;
use crate::key::Key;
use crate::point_result::PointResult;
use crate::store::Store;
use axes::Axes;
use grid::Grid;
use numalab_files::Entry;
use numalab_results::{Cell, CellKind, Column, Figures, Run};
use numalab_study::{Files, Progress, Silent, SpecError, StudyError, answer};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_workload::Schedule;
use rayon::prelude::*;
use setting::{Setting, failure};
use std::collections::{BTreeMap, BTreeSet};

/// A planned sweep: columns, measures, settings and points.
pub struct Plan<'s> {
    sweep: &'s Sweep,
    columns: Vec<Column>,
    measures: Vec<(String, String)>,
    settings: Vec<Setting>,
    points: Vec<Point>,
    files: Files,
    /// Machines that are built from a topology instead of read from a file, as pairs of name and entry.
    machines: Vec<(String, Entry)>,
}

/// Number of files of each kind (machine, workload, runtime) that are kept in memory. Other files are read again on
/// demand, so that memory does not grow with the number of points.
const KEPT: usize = 64;

/// Largest number of settings (points without their policy and seed) that a worker resolves with one cache of files.
const SETTLED: usize = 256;

/// Creates a cache of `kept` files of each kind, with machines that have no file.
fn holding(kept: usize, machines: &[(String, Entry)]) -> Files {
    let files = Files::keeping(kept + machines.len());
    machines.iter().for_each(|(name, entry)| files.hold_machine(name, entry.read_machine()));
    files
}

// Glossary: point: One combination of a sweep's coordinates; it is one run.
/// One run of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    setting: u32,
    policy: Option<Schedule>,
    seed: u64,
    key: Option<Key>,
}

impl Point {
    /// Key of the result; `None` if the combination is invalid.
    pub fn key(&self) -> Option<Key> {
        self.key
    }
}

impl<'s> Plan<'s> {
    /// Loads the inputs of a sweep and plans the points that pass the sweep's own filters (`keep`) and `filters`
    /// (indices of filters). Duplicate points are dropped.
    pub fn new(sweep: &'s Sweep, filters: &[usize]) -> Result<Plan<'s>, Diagnostics> {
        Plan::on(sweep, filters, Vec::new())
    }

    /// Plans like [`Plan::new`], but uses these entries, by name, in place of machine files.
    pub fn on(
        sweep: &'s Sweep,
        filters: &[usize],
        machines: Vec<(String, Entry)>,
    ) -> Result<Plan<'s>, Diagnostics> {
        let axes = Axes::of(sweep)?;
        let mut plan = Plan {
            sweep,
            columns: axes.columns(),
            measures: Vec::new(),
            settings: Vec::new(),
            points: Vec::new(),
            files: holding(KEPT, &machines),
            machines,
        };
        let grid = Grid::new(axes.sizes());
        let mut settings_by_digits = BTreeMap::new();
        let mut firsts = Vec::new();
        for at in 0..grid.len() {
            settings_by_digits.entry(axes.of_setting(&grid.digits(at))).or_insert_with(|| {
                firsts.push(at);
                firsts.len() - 1
            });
        }
        let first_error = plan.settle(&axes, &grid, &firsts);
        let mut seen = BTreeSet::new();
        for at in 0..grid.len() {
            let digits = grid.digits(at);
            let Some(&number) = settings_by_digits.get(&axes.of_setting(&digits)) else { continue };
            let setting = &plan.settings[number];
            let policies = axes.policies(&digits).unwrap_or_else(|| setting.compared());
            let seed = axes.seed(&digits);
            for policy in policies {
                let key = policy.and_then(|policy| plan.settings[number].key(policy, seed, sweep.replicas));
                let point = Point { setting: number as u32, policy, seed, key };
                let passes = |filter: &usize| plan.passes(&point, *filter);
                if sweep.keep.iter().chain(filters).all(passes) && seen.insert(plan.identity(&point)) {
                    plan.points.push(point);
                }
            }
        }
        // If no point can run, the sweep file is wrong.
        match first_error.filter(|_| plan.points.iter().all(|point| point.key.is_none())) {
            Some(error) if !plan.points.is_empty() => Err(error),
            _ => Ok(plan),
        }
    }

    pub fn sweep(&self) -> &'s Sweep {
        self.sweep
    }

    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Hash of the keys of all points; equal hashes mean equal inputs and engines.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for point in &self.points {
            hasher.update(&point.key.map_or([0; 16], Key::bytes));
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// Reason why a point cannot run; `None` if the point can run.
    pub fn obstacle(&self, point: &Point) -> Option<&str> {
        self.settings[point.setting as usize].obstacle.as_deref()
    }

    /// Columns of the rows: coordinates, figures, measures, error.
    pub fn columns(&self) -> Vec<Column> {
        let figures = Figures::COLUMNS.iter().map(|(name, kind)| Column::new(*name, *kind));
        let measures =
            self.measures.iter().map(|(name, unit)| Column::new(title(name, unit), CellKind::Real));
        let error = [Column::new("error", CellKind::Text)];
        self.columns.iter().cloned().chain(figures).chain(measures).chain(error).collect()
    }

    /// True if the point can run and the store lacks its result.
    pub fn is_missing(&self, point: &Point, store: &Store) -> bool {
        point.key.is_some_and(|key| !store.has(key))
    }

    /// Row of a point. Without an outcome, only the coordinates and the reason for a failure have values.
    pub fn row(&self, point: &Point, outcome: Option<&PointResult>) -> Vec<Cell> {
        let mut row = self.coordinates(point);
        match outcome.and_then(|outcome| outcome.figures.as_ref()) {
            Some(figures) => row.extend(figures.cells()),
            None => row.resize(row.len() + Figures::COLUMNS.len(), Cell::Empty),
        }
        let value = |(name, unit): &(String, String)| {
            let measures = &outcome?.measures;
            measures.iter().find(|measure| measure.name == *name && measure.unit == *unit)?.value
        };
        row.extend(self.measures.iter().map(|measure| Cell::from(value(measure))));
        let error = outcome.and_then(|outcome| outcome.error.clone());
        row.push(Cell::from(error.or_else(|| self.obstacle(point).map(str::to_owned))));
        row
    }

    /// Coordinates of a point, in the order of [`Plan::columns`].
    pub fn coordinates(&self, point: &Point) -> Vec<Cell> {
        let setting = &self.settings[point.setting as usize];
        let cell = |column: &Column| match &*column.name {
            "policy" => point.policy.map(|policy| policy.to_string()).into(),
            "threads" => Cell::from(setting.threads.map(u64::from)),
            "seed" => point.seed.into(),
            name => setting.cell(name, column.kind),
        };
        self.columns.iter().map(cell).collect()
    }

    /// True if the point passes the filter of this index.
    pub fn passes(&self, point: &Point, filter: usize) -> bool {
        let setting = &self.settings[point.setting as usize];
        let word = |name: &str| match name {
            "policy" => point.policy.map(|policy| policy.to_string()),
            name => setting.word(name),
        };
        let filter = self.sweep.filters.get(filter);
        filter.is_none_or(|filter| filter.holds(setting.facts.as_ref(), point.seed, &word))
    }

    /// Fact, by name, of a point's machine and team; `None` if the facts are unknown or have no such name.
    pub fn fact(&self, point: &Point, name: &str) -> Option<f64> {
        let values = self.settings[point.setting as usize].facts.as_ref()?.values();
        numalab_files::Facts::NAMES.iter().position(|fact| *fact == name).map(|at| values[at])
    }

    /// Divides points, given by index, into groups of at most `most` that differ only in the policy, so that their
    /// common phases are simulated once. Groups are in the order of their first points.
    pub fn by_setting(&self, points: &[usize], most: usize) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut open = BTreeMap::new();
        for &at in points {
            let Point { setting, seed, policy, .. } = self.points[at];
            let group = *open.entry((setting, seed)).or_insert(groups.len());
            let fits = |group: &Vec<usize>| {
                group.len() < most.max(1) && group.iter().all(|other| self.points[*other].policy != policy)
            };
            match groups.get_mut(group).filter(|group| fits(group)) {
                Some(group) => group.push(at),
                None => {
                    open.insert((setting, seed), groups.len());
                    groups.push(vec![at]);
                }
            }
        }
        groups
    }

    /// Simulates points that differ only in their policy. An error means that a file has changed since planning, or
    /// that a run had no result. A failed run is a result. If `progress` stops the runs, there are no results.
    pub fn run(&self, points: &[usize], progress: &dyn Progress) -> Result<Vec<PointResult>, String> {
        let Some(first) = points.first().map(|at| &self.points[*at]) else { return Ok(Vec::new()) };
        let setting = &self.settings[first.setting as usize];
        let policies = points.iter().filter_map(|at| self.points[*at].policy).collect();
        let Some(run) = setting.run(self.sweep, policies, first.seed, &self.files)? else {
            let why = self.obstacle(first).unwrap_or("there is nothing to run");
            return Ok(vec![PointResult::failed(why.to_owned()); points.len()]);
        };
        match answer(&run, &self.files, Some(1), &Silent(progress)) {
            // Of results that are compared with each other, some may be missing.
            _ if progress.stops() => Ok(Vec::new()),
            Ok(answered) if answered.runs.len() == points.len() => {
                let outcome = |run: Run| PointResult {
                    figures: Some(Figures::of(&run)),
                    measures: run.measures,
                    error: None,
                };
                Ok(answered.runs.into_iter().map(outcome).collect())
            }
            // If one policy fails, each point of the group is run alone.
            _ if points.len() > 1 => {
                let alone = points.iter().map(|at| self.run(std::slice::from_ref(at), progress));
                Ok(alone.collect::<Result<Vec<_>, String>>()?.into_iter().flatten().collect())
            }
            Ok(_) => Err("a run had no result".to_owned()),
            // A file could be read at planning, and cannot be read now.
            Err(StudyError::Spec(SpecError::Input(error))) => Err(self.sweep.placed(error).brief()),
            Err(error) => Ok(vec![PointResult::failed(failure(&error))]),
        }
    }

    /// Resolves the settings of some combinations on all processors; returns the first error in a file or value.
    fn settle(&mut self, axes: &Axes<'_>, grid: &Grid, combinations: &[usize]) -> Option<Diagnostics> {
        let workers = rayon::current_num_threads();
        let share = combinations.len().div_ceil(4 * workers).clamp(1, SETTLED);
        let kept = (KEPT / workers).max(4);
        // Each worker has its own cache of files: with a shared cache, workers would wait for each other, also in the
        // allocator.
        let machines = &self.machines;
        let make = |part: &[usize]| {
            let files = holding(kept, machines);
            let mut first_error = None;
            let settings = part.iter().map(|at| {
                let (setting, error) = Setting::new(axes, &grid.digits(*at), &files);
                // Only the first error is kept, to save memory.
                first_error = first_error.take().or(error);
                setting
            });
            (settings.collect::<Vec<_>>(), first_error)
        };
        let made: Vec<_> = combinations.par_chunks(share).map(make).collect();
        let mut first_error = None;
        for (settings, error) in made {
            first_error = first_error.or(error);
            for setting in settings {
                self.add_measures(&setting);
                self.settings.push(setting);
            }
        }
        first_error
    }

    /// Adds the measures of a setting to the columns.
    fn add_measures(&mut self, setting: &Setting) {
        for measure in setting.measures() {
            if !self.measures.contains(measure) {
                self.measures.push(measure.clone());
            }
        }
    }

    /// Hash of a point's coordinates.
    fn identity(&self, point: &Point) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        for cell in self.coordinates(point) {
            let text = cell.text();
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        let mut short = [0; 16];
        short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        short
    }
}

/// Name of a measure's column.
fn title(name: &str, unit: &str) -> String {
    if unit == "1" { format!("measure.{name}") } else { format!("measure.{name} [{unit}]") }
}
