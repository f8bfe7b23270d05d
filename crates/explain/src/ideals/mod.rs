//! Losses of a run by cost: the run is simulated again without one cost, without two, and so on.
//!
//! One ideal at a time explains little if the next limit is close behind the first. The Shapley value of an ideal is
//! its mean gain over all orders in which the ideals may be granted. The values sum to the gain of all ideals
//! together.

mod shapley;
mod spared;

use crate::budget::{Budget, Expected, Meter};
use crate::case::Case;
use numalab_machine::Machine;
use numalab_results::{IdealShare, Ideals};
use numalab_runtime::Profile;
use numalab_simulator::{Ideal as Switches, Progress, Reach, RunOutcome, Setup, SimulationError, prepare};
use numalab_study::SealedMachine;
use numalab_workload::Workload;
use shapley::Shapley;
use std::collections::BTreeMap;

/// Cost of a run that an ideal machine, runtime or workload would not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ideal {
    /// Data is always local to its thread.
    Locality,
    /// Links have unlimited bandwidth.
    LinkBandwidth,
    /// Links have no latency.
    LinkLatency,
    /// Memory has unlimited bandwidth.
    MemoryBandwidth,
    /// Caches never evict.
    Caches,
    /// The runtime takes no time, and lines that threads write move immediately.
    Runtime,
    /// The operating system takes no time.
    Faults,
    /// Shared pages are present on a node when its threads use them.
    SharedPages,
    /// All threads work for the same time.
    Balance,
}

impl Ideal {
    /// All ideals. The last one, `Balance`, needs no run of its own.
    pub const ALL: [Ideal; 9] = [
        Ideal::Locality,
        Ideal::LinkBandwidth,
        Ideal::LinkLatency,
        Ideal::MemoryBandwidth,
        Ideal::Caches,
        Ideal::Runtime,
        Ideal::Faults,
        Ideal::SharedPages,
        Ideal::Balance,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Ideal::Locality => "locality",
            Ideal::LinkBandwidth => "link bandwidth",
            Ideal::LinkLatency => "link latency",
            Ideal::MemoryBandwidth => "memory bandwidth",
            Ideal::Caches => "caches",
            Ideal::Runtime => "runtime",
            Ideal::Faults => "faults",
            Ideal::SharedPages => "shared pages",
            Ideal::Balance => "balance",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Ideal::Locality => "all data in the memory of the thread that uses it",
            Ideal::LinkBandwidth => "unlimited bandwidth of links and their controllers",
            Ideal::LinkLatency => "remote memory as near as local",
            Ideal::MemoryBandwidth => "unlimited memory bandwidth",
            Ideal::Caches => "last-level caches without capacity misses",
            Ideal::Runtime => "OpenMP constructs and line transfers without cost",
            Ideal::Faults => "page faults and moves without cost",
            Ideal::SharedPages => "shared pages without transfers",
            Ideal::Balance => "work spread evenly over the threads",
        }
    }

    /// Ideals about parts that the run's machine has.
    fn of(case: &Case) -> Vec<Ideal> {
        let shares = case.hardware().dsm.is_some();
        Ideal::ALL.into_iter().filter(|ideal| shares || *ideal != Ideal::SharedPages).collect()
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Bits of the ideals about links (the route of data). They have no effect on data that crosses no link.
const WAY: u32 = 1 << Ideal::LinkBandwidth as u32 | 1 << Ideal::LinkLatency as u32;

/// Bits of the link ideals that have no effect on a run: `LinkBandwidth` if no data crossed a link, `LinkLatency` if
/// all data came from local memory.
fn idle(outcome: &RunOutcome) -> u32 {
    let Reach { links, far } = outcome.reach;
    let unless = |crossed: bool, ideal: Ideal| if crossed { 0 } else { ideal.bit() };
    unless(links, Ideal::LinkBandwidth) | unless(far, Ideal::LinkLatency)
}

/// Number of ideals up to which all combinations are simulated.
const ALL_COMBINATIONS: usize = 6;

/// Fraction of the makespan below which a gain counts as zero: it would be shown as 0.0%. One ideal less halves the
/// number of runs.
const NOTHING: f64 = 5e-4;

/// Number of pairs of orders that are drawn if there are more ideals than `ALL_COMBINATIONS`.
const PAIRS: u64 = 8;

/// Machine, runtime and workload in the variants that runs with ideals need.
pub struct Lab<'a> {
    case: &'a Case,
    free_os: Machine,
    quick_lines: SealedMachine,
    free_runtime: Profile,
    patient: Workload,
}

/// Makespans without and with balance, in picoseconds.
type Makespans = (u64, u64);

/// Makespans under a set of ideals, and the bits of the link ideals without effect.
type Known = (Makespans, u32);

impl<'a> Lab<'a> {
    /// Variants of a run's machine, runtime and workload; `None` if the machine allows none.
    pub fn of(case: &'a Case) -> Option<Lab<'a>> {
        let loaded = &case.machine.loaded;
        let mut quick = loaded.clone();
        quick.value = spared::quick_lines(&loaded.value);
        Some(Lab {
            case,
            free_os: Machine { os: spared::free_os(&loaded.value.os), ..loaded.value.clone() },
            quick_lines: SealedMachine::new(quick).ok()?,
            free_runtime: spared::free_runtime(&case.runtime),
            patient: spared::patient_locks(&case.workload),
        })
    }

    /// Outcome of a run with a set of ideals, one bit for each.
    fn outcome(&self, set: u32, progress: &dyn Progress) -> Result<RunOutcome, SimulationError> {
        let has = |ideal: Ideal| set & ideal.bit() != 0;
        let lines = (&self.quick_lines.loaded.value, &self.quick_lines.fabric);
        let case = self.case;
        let setup = Setup {
            machine: if has(Ideal::Faults) { &self.free_os } else { case.hardware() },
            workload: if has(Ideal::Runtime) { &self.patient } else { &case.workload },
            runtime: if has(Ideal::Runtime) { &self.free_runtime } else { &case.runtime },
            ideal: Switches {
                local: has(Ideal::Locality),
                links: has(Ideal::LinkBandwidth),
                near: has(Ideal::LinkLatency),
                memory: has(Ideal::MemoryBandwidth),
                caches: has(Ideal::Caches),
                pages: has(Ideal::SharedPages),
                lines: has(Ideal::Runtime).then_some(lines),
            },
            ..case.setup()
        };
        prepare(&setup, progress)?.run_last(case.schedule, progress)
    }

    /// Makespan of a run with some ideals, in picoseconds.
    pub fn makespan(&self, ideals: &[Ideal]) -> Result<u64, SimulationError> {
        let set = ideals.iter().fold(0, |set, ideal| set | ideal.bit());
        let (plain, balanced) = makespans(&self.outcome(set, &())?);
        Ok(if ideals.contains(&Ideal::Balance) { balanced } else { plain })
    }
}

/// Makespan, and makespan if every thread worked for the mean time.
fn makespans(outcome: &RunOutcome) -> Makespans {
    let idle: u128 = outcome.team.iter().map(|member| u128::from(member.idle_ps)).sum();
    let each = idle / outcome.team.len().max(1) as u128;
    (outcome.makespan_ps, outcome.makespan_ps.saturating_sub(each as u64))
}

/// Runs with sets of ideals, each simulated at most once.
struct Runs<'a, 'b> {
    lab: Lab<'a>,
    budget: Budget<'b>,
    known: BTreeMap<u32, Known>,
    simulated: u64,
}

impl Runs<'_, '_> {
    /// Simulates the sets that are not known yet; false if not all of them fit the budget. If link ideals have no effect on the run with locality, sets with
    /// locality are first simulated without them. Their results mostly hold with link ideals, too, which saves runs.
    /// They do not if caches of other sockets send data.
    fn simulate(&mut self, sets: impl IntoIterator<Item = u32>) -> Result<bool, SimulationError> {
        let sets: Vec<u32> = sets.into_iter().map(|set| set & !Ideal::Balance.bit()).collect();
        let local = Ideal::Locality.bit();
        if self.known.get(&local).is_some_and(|(_, idle)| *idle != 0) {
            let near = |set: &u32| if set & local != 0 { set & !WAY } else { *set };
            if !self.simulate_all(sets.iter().map(near).collect())? {
                return Ok(false);
            }
        }
        self.simulate_all(sets)
    }

    fn simulate_all(&mut self, sets: Vec<u32>) -> Result<bool, SimulationError> {
        let missing = self.missing(sets);
        if missing.len() as u64 > self.budget.room() {
            return Ok(false);
        }
        let Runs { lab, budget, .. } = self;
        let one = |set: &u32, meter: &Meter<'_>| {
            let outcome = lab.outcome(*set, meter.begin())?;
            Ok((*set, (makespans(&outcome), idle(&outcome))))
        };
        let found = budget.all(&missing, |_| 1, one)?;
        self.simulated += missing.len() as u64;
        self.known.extend(found.into_iter().flatten());
        Ok(missing.iter().all(|set| self.known.contains_key(set)))
    }

    /// The sets whose makespans are unknown, in order and without duplicates.
    fn missing(&mut self, mut sets: Vec<u32>) -> Vec<u32> {
        sets.sort_unstable();
        sets.dedup();
        sets.retain(|set| !self.follows(*set));
        sets
    }

    /// True if the makespans of a set are known. If they follow from those of the set without link ideals, stores
    /// them.
    fn follows(&mut self, set: u32) -> bool {
        if self.known.contains_key(&set) {
            return true;
        }
        match self.known.get(&(set & !WAY)).copied() {
            Some((makespans, idle)) if set & WAY & !idle == 0 => {
                self.known.insert(set, (makespans, idle));
                true
            }
            _ => false,
        }
    }

    /// True if the budget has room for the sets whose makespans are unknown. Link ideals without effect may spare runs
    /// of them.
    fn fits(&mut self, sets: &[u32]) -> bool {
        let plain = sets.iter().map(|set| set & !Ideal::Balance.bit()).collect();
        self.missing(plain).len() as u64 <= self.budget.room()
    }

    /// Makespan of a set in picoseconds, without or with balance as the set says; 0 if the set was not simulated.
    fn makespan(&self, set: u32) -> u64 {
        let ((plain, balanced), _) =
            self.known.get(&(set & !Ideal::Balance.bit())).copied().unwrap_or_default();
        if set & Ideal::Balance.bit() != 0 { balanced } else { plain }
    }
}

/// Estimated number of runs that all ideals take, and the smallest number with which they are begun: each ideal alone
/// and all but each, and two pairs of orders.
pub(crate) const RUNS: u64 = 17 + 64;
pub(crate) const LEAST_RUNS: u64 = 17 + 12;

/// Fewest pairs of orders from which an error can be estimated.
const LEAST_PAIRS: u64 = 2;

/// Losses of a run by ideal.
pub(crate) enum Losses {
    Known(Ideals),
    /// The machine allows no ideal variants.
    Impossible,
    /// The runs did not fit the budget.
    LeftOut,
}

/// Losses of a run by ideal; `None` if the run's machine allows no ideal variants.
pub fn ideals(case: &Case) -> Result<Option<Ideals>, SimulationError> {
    match within(case, Budget::new(u64::MAX, 1, &Expected::new(&())))? {
        Losses::Known(ideals) => Ok(Some(ideals)),
        Losses::Impossible | Losses::LeftOut => Ok(None),
    }
}

/// Losses of a run by ideal. If not all combinations fit the budget, orders are drawn: as many as fit.
pub(crate) fn within(case: &Case, budget: Budget<'_>) -> Result<Losses, SimulationError> {
    let Some(lab) = Lab::of(case) else { return Ok(Losses::Impossible) };
    let mut runs = Runs { lab, budget, known: BTreeMap::new(), simulated: 0 };
    let possible = Ideal::of(case);
    let all = possible.iter().fold(0, |set, ideal| set | ideal.bit());
    let each = || possible.iter().map(|ideal| ideal.bit());
    if !runs.simulate([0, Ideal::Locality.bit()])?
        || !runs.simulate(each().flat_map(|bit| [bit, all & !bit]).chain([0, all]))?
    {
        return Ok(Losses::LeftOut);
    }
    // Drops ideals that gain nothing as the first of all ideals and nothing as the last, both with and without
    // balance.
    let balance = Ideal::Balance.bit();
    let nothing = (runs.makespan(0) as f64 * NOTHING) as u64;
    let matters = |ideal: &Ideal| {
        let bit = ideal.bit();
        let plain = all & !balance;
        let pairs = [(0, bit), (balance, balance | bit), (all & !bit, all), (plain & !bit, plain)];
        pairs.into_iter().any(|(a, b)| runs.makespan(a).abs_diff(runs.makespan(b)) > nothing)
    };
    let mut players: Vec<Ideal> = possible.iter().copied().filter(matters).collect();
    let whole = players.iter().fold(0, |set, ideal| set | ideal.bit());
    if !runs.simulate([whole])? {
        return Ok(Losses::LeftOut);
    }
    if runs.makespan(whole).abs_diff(runs.makespan(all)) > nothing {
        players.clone_from(&possible);
    }
    let set_of = |players: &[Ideal], bits: u32| {
        let chosen = players.iter().enumerate().filter(|(at, _)| bits & 1 << at != 0);
        chosen.fold(0, |set, (_, ideal)| set | ideal.bit())
    };
    let simulated = players.iter().filter(|ideal| **ideal != Ideal::Balance).count();
    let count = players.len();
    let combinations: Vec<u32> = (0..1 << count).map(|bits| set_of(&players, bits)).collect();
    let exact = simulated <= ALL_COMBINATIONS && runs.fits(&combinations);
    let (values, sampled): (Shapley, Option<u64>) = if exact && runs.simulate(combinations)? {
        (shapley::exact(count, |bits| gain(&runs, set_of(&players, bits))), None)
    } else {
        let drawn = |pairs: u64| {
            let orders = shapley::orders(count, pairs, case.seed);
            let bits: Vec<u32> = orders.iter().flat_map(|order| shapley::sets(order)).collect();
            (orders, bits.into_iter().map(|bits| set_of(&players, bits)).collect::<Vec<u32>>())
        };
        let fitting = (LEAST_PAIRS..=PAIRS).rev().map(drawn).find(|(_, sets)| runs.fits(sets));
        let Some((orders, sets)) = fitting else { return Ok(Losses::LeftOut) };
        if !runs.simulate(sets)? {
            return Ok(Losses::LeftOut);
        }
        let values = shapley::sampled(count, &orders, |bits| gain(&runs, set_of(&players, bits)));
        (values, Some(orders.len() as u64))
    };
    let share = |(at, ideal): (usize, &Ideal)| IdealShare {
        name: ideal.name().to_owned(),
        description: ideal.description().to_owned(),
        share_ps: values.value(at),
        error_ps: values.error(at),
        alone_ps: gain(&runs, ideal.bit()) as i64,
    };
    let mut shares: Vec<IdealShare> = players.iter().enumerate().map(share).collect();
    shares.sort_by(|a, b| b.share_ps.total_cmp(&a.share_ps));
    let whole = players.iter().fold(0, |set, ideal| set | ideal.bit());
    Ok(Losses::Known(Ideals { ideal_ps: runs.makespan(whole), runs: runs.simulated, sampled, shares }))
}

/// Time that a set of ideals saves, in picoseconds.
fn gain(runs: &Runs, set: u32) -> i128 {
    i128::from(runs.makespan(0)) - i128::from(runs.makespan(set))
}
