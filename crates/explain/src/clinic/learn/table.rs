//! Q-learning and SARSA. The state is the schedule of the last step, an action is the next schedule. First each action
//! is tried in each state; then the action with the largest value is taken.

use super::Method;
use crate::clinic::measured::LoopTime;

/// Learning rate while actions are tried. It then falls to [`LEAST_RATE`].
const RATE: f64 = 0.85;

const LEAST_RATE: f64 = 0.1;

/// Decay of the learning rate per time step.
const DECAY: f64 = 0.01;

/// Weight of the next step's value.
const DISCOUNT: f64 = 0.95;

/// Rewards of a time near the shortest, between, and near the longest.
const REWARDS: [f64; 3] = [0.0, -2.0, -4.0];

/// Times below this multiple of the shortest are near it.
const NEAR_SHORTEST: f64 = 1.05;

/// Times above this part of the longest are near it.
const NEAR_LONGEST: f64 = 0.9;

/// Rule by which values are learned.
pub(super) enum Rule {
    /// The next step counts with its best action.
    QLearning,
    /// The next step counts with the action that is taken.
    Sarsa,
}

pub(super) struct Table {
    rule: Rule,
    /// Values by state and action.
    values: Vec<Vec<f64>>,
    /// Actions that were tried, by state.
    tried: Vec<Vec<bool>>,
    /// Number of time steps since the last trial.
    since: u64,
    /// State and action of the last step; `None` before the first choice.
    last: Option<(usize, usize)>,
    /// Shortest and longest time so far.
    shortest: f64,
    longest: f64,
}

impl Table {
    pub fn new(rule: Rule, number: usize) -> Table {
        Table {
            rule,
            values: vec![vec![0.0; number]; number],
            tried: vec![vec![false; number]; number],
            since: 0,
            last: None,
            shortest: f64::INFINITY,
            longest: 0.0,
        }
    }

    fn reward(&mut self, time: f64) -> f64 {
        let near_shortest = time < NEAR_SHORTEST * self.shortest;
        let near_longest = time > NEAR_LONGEST * self.longest;
        self.shortest = self.shortest.min(time);
        self.longest = self.longest.max(time);
        match (near_shortest, near_longest) {
            (true, _) => REWARDS[0],
            (false, true) => REWARDS[2],
            (false, false) => REWARDS[1],
        }
    }

    /// Action that was not tried in the state, at best one that leads to a state with more of these.
    fn trial(&self, state: usize) -> Option<usize> {
        let open = |state: usize| self.tried[state].iter().any(|tried| !tried);
        let mut new = (0..self.values.len()).filter(|action| !self.tried[state][*action]);
        let any = new.clone().next();
        // Of a state's own trials that of the state itself comes first, since it leads back.
        (!self.tried[state][state]).then_some(state).or_else(|| new.find(|action| open(*action))).or(any)
    }

    /// Action with the largest value in a state; the first of equal ones.
    fn best(&self, state: usize) -> usize {
        let values = &self.values[state];
        (1..values.len()).fold(0, |best, action| if values[action] > values[best] { action } else { best })
    }
}

impl Method for Table {
    fn name(&self) -> &'static str {
        match self.rule {
            Rule::QLearning => "Q-learning",
            Rule::Sarsa => "SARSA",
        }
    }

    fn exploration(&self) -> u64 {
        (self.values.len() * self.values.len()) as u64
    }

    fn next(&mut self, state: usize, time: LoopTime) -> usize {
        let reward = self.reward(time.time_ps as f64);
        let action = match self.trial(state) {
            Some(action) => action,
            None if self.tried.iter().flatten().all(|tried| *tried) => {
                self.since += 1;
                self.best(state)
            }
            // All actions of the state were tried: on to a state with actions that were not.
            None => (0..self.values.len()).find(|other| self.trial(*other).is_some()).unwrap_or(state),
        };
        if let Some((from, taken)) = self.last {
            let rate = (RATE * (-DECAY * self.since as f64).exp()).max(LEAST_RATE);
            let next = match self.rule {
                Rule::QLearning => self.best(state),
                Rule::Sarsa => action,
            };
            let target = reward + DISCOUNT * self.values[state][next];
            self.values[from][taken] += rate * (target - self.values[from][taken]);
        }
        self.tried[state][action] = true;
        self.last = Some((state, action));
        action
    }
}
