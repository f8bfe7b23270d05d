//! Resolves slices: the pattern of an access, and the values of its expressions for each iteration.

use super::Resolver;
use crate::slices::{self, Gather, Stride};
use numalab_files::Facts;
use numalab_files::quantity::Expression;
use numalab_files::workload_file::PieceFile;
use numalab_syntax::expression::Program;
use numalab_workload::{Pieces, Slice};
use std::sync::Arc;

impl Resolver<'_, '_> {
    pub(super) fn piece(
        &mut self,
        path: &str,
        piece: &PieceFile,
        iterations: Option<u64>,
        size: u64,
    ) -> Option<Slice> {
        if piece.trace.is_some() || piece.recorded_loop.is_some() || piece.array.is_some() {
            return self.recorded_slice(path, piece, iterations, size);
        }
        let keys: Vec<&str> = piece.expressions().map(|(key, _)| key).collect();
        let resolved = match keys[..] {
            ["partition"] => {
                let bounds = self.partition(path, piece.partition.as_ref()?, iterations, size)?;
                return Some(Slice::Partition(bounds));
            }
            ["partition", "halo"] => {
                let halo = self.indexed(path, "halo", &piece.halo);
                let bounds = self.partition(path, piece.partition.as_ref()?, iterations, size)?;
                slices::halo(&bounds, &halo?, size).map(Pieces::new).map(Slice::Explicit)
            }
            ["start", "length"] => {
                let start = self.indexed(path, "start", &piece.start);
                let length = self.indexed(path, "length", &piece.length);
                let found = slices::explicit(&start?, &length?, iterations?, size);
                found.map(Pieces::new).map(Slice::Explicit)
            }
            ["start", "length", "stride", "count"] => {
                let start = self.indexed(path, "start", &piece.start);
                let length = self.indexed(path, "length", &piece.length);
                let stride = self.indexed(path, "stride", &piece.stride);
                let count = self.indexed(path, "count", &piece.count);
                let stride = Stride { start: start?, length: length?, stride: stride?, count: count? };
                let Facts { line, pages, .. } = *self.facts;
                slices::strided(&stride, iterations?, size, line, pages).map(Slice::Sparse)
            }
            ["gather", "element"] | ["gather", "element", "around", "width"] => {
                let count = self.indexed(path, "gather", &piece.gather);
                let element = self.indexed(path, "element", &piece.element);
                // No element fits into an empty region, and none is gathered from it.
                let most = if size == 0 { super::MOST_BYTES } else { size };
                if element.as_ref().is_some_and(|element| element.constant().is_some()) {
                    self.whole(&format!("{path}.element"), piece.element.as_ref()?, 1.0, most as f64)?;
                }
                let window = match (&piece.around, &piece.width) {
                    (None, None) => None,
                    (around, width) => {
                        let around = self.indexed(path, "around", around);
                        Some((around?, self.indexed(path, "width", width)?))
                    }
                };
                let gather = Gather { count: count?, element: element?, window };
                let key = self.facts.pages.then(|| size ^ iterations.unwrap_or(0).rotate_left(32));
                slices::gather(&gather, iterations?, size, self.facts.line, key).map(Slice::Sparse)
            }
            _ => {
                let label = "expected `whole`, { partition: … }, { partition: …, halo: … }, { start: …, length: … }, \
                             { start: …, length: …, stride: …, count: … }, { gather: …, element: … }, \
                             { gather: …, element: …, around: …, width: … } or { trace: …, loop: …, array: … }";
                self.report.at(path, "this is not a slice", label);
                return None;
            }
        };
        resolved.map_err(|message| self.outside(path, message)).ok()
    }

    /// Program of an optional expression that may use the iteration index; `None` if absent, or after reporting an
    /// error.
    fn indexed(&mut self, path: &str, key: &str, text: &Option<Expression>) -> Option<Program> {
        self.program(&format!("{path}.{key}"), text.as_ref()?, true)
    }

    fn partition(
        &mut self,
        path: &str,
        weight: &Expression,
        iterations: Option<u64>,
        size: u64,
    ) -> Option<Arc<[u64]>> {
        let path = format!("{path}.partition");
        let program = self.program(&path, weight, true)?;
        let iterations = iterations?;
        let bounds = self.partitions.get(&program, iterations, size);
        bounds.map_err(|message| self.complain(&path, message, "")).ok()
    }

    fn outside(&mut self, path: &str, message: String) {
        if !self.report.is_repaired("regions") {
            self.complain(path, message, "expected slices inside the region");
        }
    }
}
