//! Bytes that grains touch: `u:0..8192 v:0..4096:w` reads the first 8192 bytes of `u` and writes 4096 of `v`.

use numalab_nlt::Site;
use numalab_replay::work::{Allocation, Run};
use numalab_syntax::cells::{Cell, words};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::shorten;
use std::collections::BTreeMap;

/// Largest array in bytes: 16 TiB.
const MOST_BYTES: u64 = 1 << 44;
/// Largest number of arrays.
const MOST_ARRAYS: usize = 10_000;
/// Distance of the arrays' addresses in bytes, twice the largest array.
const APART: u64 = 2 * MOST_BYTES;

/// Arrays that grains name, each with the end of its touched bytes.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    all: Vec<(String, u64)>,
    numbers: BTreeMap<String, u32>,
}

impl Arrays {
    /// Parses a cell into runs of bytes; new arrays get the next number.
    pub fn runs(&mut self, cell: Cell<'_>) -> Result<Vec<Run>, Diagnostic> {
        let mut runs = Vec::new();
        for word in words(cell.text, cell.text) {
            let wrong = || {
                let message = format!("{} names no bytes of an array", shorten(word.text));
                Diagnostic::new(
                    cell.span,
                    message,
                    "expected such as u:0..8192, or u:0..8192:w where they are written",
                )
            };
            let (text, written) = match word.text.strip_suffix(":w") {
                Some(text) => (text, true),
                None => (word.text, false),
            };
            let (name, bytes) =
                text.rsplit_once(':').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
            let (first, end) = bytes.split_once("..").ok_or_else(wrong)?;
            let place =
                |text: &str| text.parse::<u64>().ok().filter(|at| *at <= MOST_BYTES).ok_or_else(wrong);
            let (first, end) = (place(first)?, place(end)?);
            let bytes = end.checked_sub(first).filter(|bytes| *bytes > 0).ok_or_else(wrong)?;
            let number = self.number(name, end).ok_or_else(|| {
                let message = format!("the grains touch more than {MOST_ARRAYS} arrays");
                Diagnostic::new(cell.span, message, "expected fewer")
            })?;
            runs.push(Run { allocation: number, written, first, bytes });
        }
        // Sorted by address. Each byte is in one run only: in a written run if the byte is also read.
        runs.sort_unstable_by_key(|run| (run.allocation, run.first));
        if let Some(pair) = runs.windows(2).find(|pair| {
            pair[0].allocation == pair[1].allocation && pair[0].first + pair[0].bytes > pair[1].first
        }) {
            let name = &self.all[pair[0].allocation as usize].0;
            let message = format!("byte {} of {} is there twice", pair[1].first, shorten(name));
            return Err(Diagnostic::new(
                cell.span,
                message,
                "expected each byte once, as written where it is both",
            ));
        }
        Ok(runs)
    }

    fn number(&mut self, name: &str, end: u64) -> Option<u32> {
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None if self.all.len() < MOST_ARRAYS => {
                let number = self.all.len() as u32;
                self.numbers.insert(name.to_owned(), number);
                self.all.push((name.to_owned(), 0));
                number
            }
            None => return None,
        };
        let touched = &mut self.all[number as usize].1;
        *touched = (*touched).max(end);
        Some(number)
    }

    /// Turns the arrays into allocations and sites. Addresses of the sites follow those of `regions` regions.
    pub fn finish(self, regions: usize) -> (Vec<Allocation>, Vec<Site>) {
        let sites = (regions as u64 + 1..).zip(self.all);
        let one = |(at, (site, (name, bytes))): (u64, (u64, (String, u64)))| {
            let allocation = Allocation { start: (at + 1) * APART, bytes, site };
            (allocation, Site { address: site, function: Some(name), ..Site::default() })
        };
        (0..).zip(sites).map(one).unzip()
    }
}
