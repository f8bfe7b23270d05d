//! Programs of the operations on queues, one for each: what is uncontended and in the thread's own
//! cache is one event.

use numalab_runtime::code::REGISTERS;
use numalab_runtime::locks::Locks;
use numalab_runtime::{CodeBuilder, CodeId, Exec, Reg, Word, WordTable};
use numalab_workload::QueueKind;

/// Arguments with which programs are started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arguments {
    /// The thread that runs it.
    pub thread: u32,
    /// Picoseconds that it takes apart from lines.
    pub delay: u64,
    /// Queue whose lock is taken.
    pub queue: u32,
    /// The word that counts the children of the task's parent.
    pub counter: u32,
    /// The first word of the task's description.
    pub words: u32,
}

impl Arguments {
    fn registers(self) -> [u64; 5] {
        let Arguments { thread, delay, queue, counter, words } = self;
        [thread.into(), delay, queue.into(), counter.into(), words.into()]
    }

    /// Starts a program.
    pub fn start(self, exec: &mut Exec<'_>, now: u64, agent: u32, code: CodeId) {
        exec.start(now, agent, code, &self.registers());
    }
}

/// The registers that they arrive in.
struct Registers {
    thread: Reg,
    delay: Reg,
    queue: Reg,
    counter: Reg,
    words: Reg,
}

const _: () = assert!(REGISTERS > 5, "arguments fit");

/// Added to a counter, it takes one off.
const LESS: u64 = u64::MAX;

/// Lines that programs of all tasks work on.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub locks: Locks,
    /// For each queue, the line with its ends and its count.
    pub heads: WordTable,
    /// Word on which threads without work spin, where the creator of a task tells them.
    pub signal: Word,
    /// Lines of a description.
    pub lines: u32,
    pub central: bool,
}

/// Two forms of a program that finishes a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finishing {
    pub plain: CodeId,
    /// Counts the last child of the task out before.
    pub owing: CodeId,
}

/// All programs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codes {
    /// Fills a description, counts the task and puts it into a queue.
    pub create: CodeId,
    /// The same, and takes the newest task of the queue back.
    pub create_and_fetch: CodeId,
    /// Creates a task that waits for others.
    pub hold: CodeId,
    /// Creates one that is executed at once, because the queue is full. Its description is nobody else's and never leaves the
    /// creator's cache: filling it is part of the time.
    pub create_at_once: CodeId,
    /// Tells a task that one it depends on is finished.
    pub notify_successor: CodeId,
    /// Puts a task into a queue that waits no longer.
    pub enqueue: CodeId,
    /// Takes a task from the thread's own queue.
    pub fetch: CodeId,
    /// Finishes a task.
    pub finish: Finishing,
    /// The same, and takes the next one.
    pub finish_and_fetch: Finishing,
    /// Sees what everybody is told who waits for tasks.
    pub listen: CodeId,
    /// Sees whether somebody else's queue has something.
    pub look: CodeId,
    /// Takes from somebody else's queue.
    pub steal: CodeId,
    /// Puts what was stolen beyond one task into the thread's own queue.
    pub stash: CodeId,
    /// Reads the description of a task that somebody else created.
    pub read: CodeId,
}

/// The word whose number is in a register.
fn word(number: Reg, offset: u32) -> numalab_runtime::Address {
    WordTable { first: Word(offset), stride: 1 }.at(number)
}

impl Ground {
    pub fn new(kind: QueueKind, locks: Locks, heads: WordTable, signal: Word, lines: u32) -> Ground {
        Ground { locks, heads, signal, lines, central: kind == QueueKind::Central }
    }

    fn add(&self, exec: &mut Exec<'_>, part: impl FnOnce(&Ground, &mut CodeBuilder, &Registers)) -> CodeId {
        let mut code = CodeBuilder::new();
        let registers = Registers {
            thread: code.argument(),
            delay: code.argument(),
            queue: code.argument(),
            counter: code.argument(),
            words: code.argument(),
        };
        part(self, &mut code, &registers);
        exec.add_code(code.build())
    }

    fn finishing(&self, exec: &mut Exec<'_>, part: fn(&Ground, &mut CodeBuilder, &Registers)) -> Finishing {
        let owing = |this: &Ground, code: &mut CodeBuilder, at: &Registers| {
            code.add(word(at.words, 0), LESS);
            part(this, code, at);
        };
        Finishing { plain: self.add(exec, part), owing: self.add(exec, owing) }
    }

    /// Writes a description.
    fn fill(&self, code: &mut CodeBuilder, at: &Registers) {
        for line in 0..self.lines {
            code.store(word(at.words, line), 1u32);
        }
    }

    /// Counts a task in or out where its parent's lock does not do so.
    fn count(&self, code: &mut CodeBuilder, at: &Registers, by: u64) {
        if !self.central {
            code.add(word(at.counter, 0), by);
        }
    }

    /// Changes a queue under its lock; the one lock of all also guards the counters of children.
    fn change(&self, code: &mut CodeBuilder, at: &Registers, counts: bool, signals: bool) {
        self.locks.acquire(code, at.queue, at.thread);
        code.store(self.heads.at(at.queue), 1u32);
        if counts && self.central {
            code.store(word(at.counter, 0), 1u32);
        }
        if signals && self.central {
            code.store(self.signal, 1u32);
        }
        self.locks.release(code, at.queue, at.thread);
    }

    /// Makes all programs known.
    pub fn codes(&self, exec: &mut Exec<'_>) -> Codes {
        // What creating takes apart from lines comes last, so that it and the end of the program are one
        // event; nobody sees the task before that.
        Codes {
            create: self.add(exec, |this, code, at| {
                this.fill(code, at);
                this.count(code, at, 1);
                this.change(code, at, true, true);
                code.delay(at.delay);
            }),
            create_and_fetch: self.add(exec, |this, code, at| {
                this.fill(code, at);
                this.count(code, at, 1);
                this.change(code, at, true, true);
                code.delay(at.delay);
                this.change(code, at, false, false);
            }),
            hold: self.add(exec, |this, code, at| {
                this.fill(code, at);
                this.count(code, at, 1);
                code.delay(at.delay);
            }),
            create_at_once: self.add(exec, |this, code, at| {
                code.touch(this.heads.at(at.queue));
                this.count(code, at, 1);
                code.delay(at.delay);
            }),
            notify_successor: self.add(exec, |_, code, at| code.add(word(at.words, 0), 1u32)),
            enqueue: self.add(exec, |this, code, at| {
                code.add(word(at.words, 0), 1u32);
                this.change(code, at, false, true);
            }),
            fetch: self.add(exec, |this, code, at| {
                code.delay(at.delay);
                this.change(code, at, false, false);
            }),
            listen: self.add(exec, |this, code, _| code.touch(this.signal)),
            look: self.add(exec, |this, code, at| {
                code.delay(at.delay);
                code.touch(this.heads.at(at.queue));
            }),
            finish: self.finishing(exec, |this, code, at| {
                this.count(code, at, LESS);
                if this.central {
                    this.change(code, at, true, false);
                }
            }),
            finish_and_fetch: self.finishing(exec, |this, code, at| {
                this.count(code, at, LESS);
                code.delay(at.delay);
                this.change(code, at, true, false);
            }),
            steal: self.add(exec, |this, code, at| this.change(code, at, false, false)),
            stash: self.add(exec, |this, code, at| this.change(code, at, false, false)),
            read: self.add(exec, |this, code, at| {
                code.delay(at.delay);
                for line in 0..this.lines {
                    code.touch(word(at.words, line));
                }
            }),
        }
    }
}
