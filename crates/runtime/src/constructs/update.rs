//! Each thread stores to its own element of an array. Elements at distances below a line's size share a line (false
//! sharing).

use super::program;
use crate::code::{CodeBuilder, CodeId, Word, WordTable};
use crate::exec::Exec;
use numalab_base::Bytes;
use numalab_coherence::LineId;
use numalab_machine::NodeId;

/// Array with one element for each thread.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    elements: WordTable,
    store: CodeId,
}

impl Update {
    /// Elements that are `spacing` apart, in lines of size `line`, all on node `home`. The array begins at a line.
    /// `atomic`: a store is an exchange.
    pub fn new(
        exec: &mut Exec<'_>,
        home: NodeId,
        threads: u32,
        spacing: Bytes,
        line: Bytes,
        atomic: bool,
    ) -> Update {
        let mut last: Option<(u64, LineId)> = None;
        let mut first = Word(0);
        for thread in 0..threads {
            let number = u64::from(thread).saturating_mul(spacing.0) / line.0.max(1);
            let place = match last {
                Some((same, place)) if same == number => place,
                _ => exec.add_line(home),
            };
            last = Some((number, place));
            let element = exec.add_word_in(place);
            if thread == 0 {
                first = element;
            }
        }
        let elements = WordTable { first, stride: 1 };
        let store = program(exec, |code: &mut CodeBuilder| {
            let (thread, value) = (code.argument(), code.argument());
            match atomic {
                true => drop(code.swap(elements.at(thread), value)),
                false => code.store(elements.at(thread), value),
            }
        });
        Update { elements, store }
    }

    /// Program that stores its second argument to the element of the thread given as first argument.
    pub fn store(&self) -> CodeId {
        self.store
    }

    pub fn elements(&self) -> WordTable {
        self.elements
    }
}
