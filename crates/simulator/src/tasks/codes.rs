//! Programs of the queue operations. An operation that is uncontended and inside the thread's own cache is one event.

use numalab_base::Time;
use numalab_coherence::AgentId;
use numalab_runtime::code::REGISTERS;
use numalab_runtime::locks::Locks;
use numalab_runtime::{CodeBuilder, CodeId, Exec, Reg, Word, WordTable};
use numalab_workload::QueueKind;

/// Arguments of all task programs, in the order of registers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arguments {
    /// Thread that runs the program.
    pub thread: u32,
    /// Picoseconds that the program takes apart from moving lines.
    pub delay: u64,
    /// Queue whose lock is taken.
    pub queue: u32,
    /// Word that counts the children of the task's parent.
    pub counter: u32,
    /// First word of the task's description.
    pub words: u32,
}

impl Arguments {
    fn registers(self) -> [u64; 5] {
        let Arguments { thread, delay, queue, counter, words } = self;
        [thread.into(), delay, queue.into(), counter.into(), words.into()]
    }

    pub fn start(self, exec: &mut Exec<'_>, now: Time, agent: u32, code: CodeId) {
        exec.start(now, AgentId::new(agent), code, &self.registers());
    }
}

struct Registers {
    thread: Reg,
    delay: Reg,
    queue: Reg,
    counter: Reg,
    words: Reg,
}

const _: () = assert!(REGISTERS > 5, "arguments fit");

/// Adding this to a counter subtracts one.
const LESS: u64 = u64::MAX;

/// Lines that all programs of tasks share: locks and heads of the queues, and the signal word.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub locks: Locks,
    /// For each queue, the line that holds the queue's ends and length.
    pub heads: WordTable,
    /// Word that threads without work spin on, if the creator of a task signals them.
    pub signal: Word,
    /// Number of lines of a task description.
    pub lines: u32,
    pub central: bool,
}

/// Two variants of the program that finishes a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finishing {
    pub plain: CodeId,
    /// Variant for a task whose last child ended on the same thread without counting itself off: first subtracts this
    /// child from the task's own counter of children.
    pub owing: CodeId,
}

/// Programs of all queue operations, by their numbers in the interpreter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codes {
    /// Creates a task: fills its description, adds 1 to its parent's counter of children, and enqueues it.
    pub create: CodeId,
    /// As `create`, and takes the newest task of the queue back.
    pub create_and_fetch: CodeId,
    /// Creates a task that waits for predecessors: as `create`, without enqueueing.
    pub hold: CodeId,
    /// Creates a task that is executed immediately, because the queue is full. Its description stays in the creator's
    /// cache: filling it is part of the program's time.
    pub create_at_once: CodeId,
    /// Notifies a task that one of its predecessors is finished.
    pub notify_successor: CodeId,
    /// Enqueues a task whose last predecessor is finished.
    pub enqueue: CodeId,
    /// Takes a task from the thread's own queue.
    pub fetch: CodeId,
    /// Finishes a task: subtracts it from its parent's counter of children.
    pub finish: Finishing,
    /// Finishes a task and takes the next one.
    pub finish_and_fetch: Finishing,
    /// Reads the word that signals new tasks.
    pub listen: CodeId,
    /// Reads the length of another thread's queue.
    pub look: CodeId,
    /// Takes tasks from another thread's queue.
    pub steal: CodeId,
    /// Puts stolen tasks beyond the first into the thread's own queue.
    pub stash: CodeId,
    /// Reads the description of a task that another thread created.
    pub read: CodeId,
}

/// Address of the word whose number is in a register, plus `offset`.
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

    fn fill(&self, code: &mut CodeBuilder, at: &Registers) {
        for line in 0..self.lines {
            code.store(word(at.words, line), 1u32);
        }
    }

    /// Adds `by` to the counter of the parent's children. Does nothing for a central queue: there `change` writes the
    /// counter under the lock.
    fn count(&self, code: &mut CodeBuilder, at: &Registers, by: u64) {
        if !self.central {
            code.add(word(at.counter, 0), by);
        }
    }

    /// Changes a queue under its lock. In a central queue `counts` also writes the counter of the parent's children,
    /// and `signals` the signal word.
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

    /// Adds all programs to the interpreter.
    pub fn codes(&self, exec: &mut Exec<'_>) -> Codes {
        // The part of creating that moves no lines comes last, so that it and the end of the program are one event.
        // No other thread can take the task earlier: the queue changes when the program ends.
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
