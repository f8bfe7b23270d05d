use super::{Address, Arithmetic, Code, Op, Operand, Polls, REGISTERS, Reg, Test};

/// Target of jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u32);

/// Register for results that are never read.
const UNUSED: Reg = Reg(REGISTERS as u8 - 1);

/// Program under construction. Each operation with a result takes a register for the result; [`CodeBuilder::scope`]
/// frees the registers that were taken inside.
///
/// # Panics
///
/// Writing a program that needs more than 15 registers at once, or that jumps to an unbound label, panics.
#[derive(Clone, Debug, Default)]
pub struct CodeBuilder {
    ops: Vec<Op>,
    /// Index of the operation at each label; `None` if the label is not bound yet.
    labels: Vec<Option<u32>>,
    taken: u8,
    /// True if waking sleepers takes time, so that `rouse` emits an operation.
    rouses: bool,
}

impl CodeBuilder {
    pub fn new() -> CodeBuilder {
        CodeBuilder::default()
    }

    /// Program whose threads wake sleepers, if `rouses`.
    pub(crate) fn rousing(rouses: bool) -> CodeBuilder {
        CodeBuilder { rouses, ..CodeBuilder::default() }
    }

    /// Register of the program's next argument. All arguments are declared first.
    pub fn argument(&mut self) -> Reg {
        debug_assert!(self.ops.is_empty(), "arguments come first");
        self.register()
    }

    /// Takes a free register, which the enclosing [`CodeBuilder::scope`] frees.
    pub fn register(&mut self) -> Reg {
        assert!(self.taken < UNUSED.0, "a program has {} registers", UNUSED.0);
        self.taken += 1;
        Reg(self.taken - 1)
    }

    /// Writes a part of the program and frees the registers that it takes.
    pub fn scope<R>(&mut self, part: impl FnOnce(&mut CodeBuilder) -> R) -> R {
        let taken = self.taken;
        let result = part(self);
        self.taken = taken;
        result
    }

    /// Label to be bound later.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds a label to the next operation.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.ops.len() as u32);
    }

    /// Label of the next operation.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    pub fn delay(&mut self, picoseconds: impl Into<Operand>) {
        let span = picoseconds.into();
        if span != Operand::Value(0) {
            self.ops.push(Op::Delay(span));
        }
    }

    /// Reads a word; yields its value.
    pub fn load(&mut self, at: impl Into<Address>) -> Reg {
        let to = self.register();
        self.load_to(to, at);
        to
    }

    pub fn load_to(&mut self, to: Reg, at: impl Into<Address>) {
        self.ops.push(Op::Load { to, at: at.into() });
    }

    /// Reads a word only to obtain its line; the value is not used.
    pub fn touch(&mut self, at: impl Into<Address>) {
        self.load_to(UNUSED, at);
    }

    pub fn store(&mut self, at: impl Into<Address>, value: impl Into<Operand>) {
        self.ops.push(Op::Store { at: at.into(), value: value.into(), in_sequence: false });
    }

    /// As `store`, for one of many stores that go through consecutive lines.
    pub fn store_in_sequence(&mut self, at: impl Into<Address>, value: impl Into<Operand>) {
        self.ops.push(Op::Store { at: at.into(), value: value.into(), in_sequence: true });
    }

    /// Adds to a word; yields the old value.
    pub fn fetch_add(&mut self, at: impl Into<Address>, value: impl Into<Operand>) -> Reg {
        let to = self.register();
        self.ops.push(Op::FetchAdd { to, at: at.into(), value: value.into() });
        to
    }

    /// Adds to a word and ignores the old value.
    pub fn add(&mut self, at: impl Into<Address>, value: impl Into<Operand>) {
        self.ops.push(Op::FetchAdd { to: UNUSED, at: at.into(), value: value.into() });
    }

    /// Exchanges a word's value; yields the old value.
    pub fn swap(&mut self, at: impl Into<Address>, value: impl Into<Operand>) -> Reg {
        let to = self.register();
        self.swap_to(to, at, value);
        to
    }

    /// Exchanges a word's value; the old value goes to a given register.
    pub fn swap_to(&mut self, to: Reg, at: impl Into<Address>, value: impl Into<Operand>) {
        self.ops.push(Op::Swap { to, at: at.into(), value: value.into() });
    }

    /// Writes a word if it holds an expected value; yields the old value.
    pub fn compare_swap(
        &mut self,
        at: impl Into<Address>,
        expected: impl Into<Operand>,
        value: impl Into<Operand>,
    ) -> Reg {
        let to = self.register();
        self.compare_swap_to(to, at, expected, value);
        to
    }

    /// As `compare_swap`, into a given register.
    pub fn compare_swap_to(
        &mut self,
        to: Reg,
        at: impl Into<Address>,
        expected: impl Into<Operand>,
        value: impl Into<Operand>,
    ) {
        let (at, expected, value) = (at.into(), expected.into(), value.into());
        self.ops.push(Op::CompareSwap { to, at, expected, value });
    }

    /// Spins on a copy of a word until its value passes a test.
    pub fn wait_until(&mut self, at: impl Into<Address>, until: Test) {
        let at = at.into();
        self.ops.push(Op::Wait { to: UNUSED, at, until, by: None, how: Polls::Pausing });
    }

    /// As `wait_until`; the thread may sleep after a while. The thread that writes the word calls `rouse` before.
    pub fn sleep_until(&mut self, at: impl Into<Address>, until: Test) {
        let at = at.into();
        self.ops.push(Op::Wait { to: UNUSED, at, until, by: None, how: Polls::Sleeping });
    }

    /// Wakes threads that sleep in `sleep_until`, if the program's threads sleep.
    pub fn rouse(&mut self, at: impl Into<Address>) {
        if self.rouses {
            self.ops.push(Op::Rouse { at: at.into() });
        }
    }

    /// As `wait_until`, without a pause between two polls.
    pub fn watch_until(&mut self, at: impl Into<Address>, until: Test) {
        let at = at.into();
        self.ops.push(Op::Wait { to: UNUSED, at, until, by: None, how: Polls::Watching });
    }

    /// Spins until the value of a word passes a test or, if given, until a time of the clock; yields the last value.
    pub fn wait_by(&mut self, at: impl Into<Address>, until: Test, by: Option<Reg>) -> Reg {
        let to = self.register();
        self.ops.push(Op::Wait { to, at: at.into(), until, by, how: Polls::Pausing });
        to
    }

    /// Exchanges a word's value until the old value passes a test or, if given, until a time of the clock; yields the
    /// last old value.
    pub fn swap_until(
        &mut self,
        at: impl Into<Address>,
        value: impl Into<Operand>,
        until: Test,
        by: Option<Reg>,
    ) -> Reg {
        let to = self.register();
        self.ops.push(Op::SwapUntil { to, at: at.into(), value: value.into(), until, by });
        to
    }

    /// Reads the clock, in picoseconds.
    pub fn clock(&mut self) -> Reg {
        let to = self.register();
        self.ops.push(Op::Clock(to));
        to
    }

    /// Sleeps until woken, unless the word's value differs from `expected`.
    pub fn sleep(&mut self, at: impl Into<Address>, expected: impl Into<Operand>) {
        self.ops.push(Op::Sleep { at: at.into(), expected: expected.into() });
    }

    /// Wakes at most `count` threads that sleep on a word, at `cost` picoseconds each.
    pub fn wake(&mut self, at: impl Into<Address>, count: impl Into<Operand>, cost: impl Into<Operand>) {
        self.ops.push(Op::Wake { at: at.into(), count: count.into(), cost: cost.into() });
    }

    pub fn set(&mut self, to: Reg, value: impl Into<Operand>) {
        self.ops.push(Op::Set { to, value: value.into() });
    }

    /// Applies the operation `how` to two operands; yields the result.
    pub fn compute(&mut self, left: impl Into<Operand>, how: Arithmetic, right: impl Into<Operand>) -> Reg {
        let to = self.register();
        self.compute_to(to, left, how, right);
        to
    }

    /// As `compute`, into a given register.
    pub fn compute_to(
        &mut self,
        to: Reg,
        left: impl Into<Operand>,
        how: Arithmetic,
        right: impl Into<Operand>,
    ) {
        self.ops.push(Op::Compute { to, how, left: left.into(), right: right.into() });
    }

    /// Jumps if a register's value passes a test.
    pub fn branch(&mut self, value: Reg, test: Test, to: Label) {
        self.ops.push(Op::Branch { value, test, to: to.0 });
    }

    pub fn jump(&mut self, to: Label) {
        self.ops.push(Op::Jump(to.0));
    }

    pub fn finish(&mut self, result: impl Into<Operand>) {
        self.ops.push(Op::Finish(result.into()));
    }

    /// Finished program. An `Op::Finish` with result 0 is added if operations or jumps can run past the end.
    #[must_use]
    pub fn build(mut self) -> Code {
        let end = Some(self.ops.len() as u32);
        if !matches!(self.ops.last(), Some(Op::Finish(_))) || self.labels.contains(&end) {
            self.finish(0u64);
        }
        let resolve = |label: &mut u32| {
            *label = self.labels[*label as usize].expect("a program goes to bound labels only");
        };
        for op in &mut self.ops {
            if let Op::Branch { to, .. } | Op::Jump(to) = op {
                resolve(to);
            }
        }
        Code { ops: self.ops }
    }
}
