//! Slices: the bytes of a region that an iteration touches.

use crate::quantity::Expression;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Slice of a region: `whole`, a share of a partition, or pieces.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SliceFile {
    /// The whole region, every time.
    Whole(WholeWord),
    /// Part of the region, by one of several patterns.
    Piece(Box<PieceFile>),
}

impl Default for SliceFile {
    fn default() -> Self {
        SliceFile::Whole(WholeWord::Whole)
    }
}

/// The word `whole`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WholeWord {
    /// The whole region, every time.
    Whole,
}

/// One of: `partition`, with `halo` or without; `start` and `length`; these with `stride` and `count`;
/// `gather` with `element`, and with `around` and `width` or without; `trace` with `loop` and `array`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PieceFile {
    /// Consecutive slices that cover the region, in proportion to this weight of iteration `i`.
    pub partition: Option<Expression>,
    /// Bytes on both sides of the slice that are touched as well, as far as the region goes: a stencil.
    #[schemars(example = &"8 * row")]
    pub halo: Option<Expression>,
    /// First byte of iteration `i`.
    pub start: Option<Expression>,
    /// Bytes of iteration `i`, or of each of its pieces.
    pub length: Option<Expression>,
    /// Bytes from the start of one piece to the start of the next.
    pub stride: Option<Expression>,
    /// Number of pieces that iteration `i` accesses.
    pub count: Option<Expression>,
    /// Number of elements that iteration `i` accesses at random positions.
    pub gather: Option<Expression>,
    /// Size of an element of `gather` by iteration `i`, in bytes.
    #[schemars(example = &"8")]
    pub element: Option<Expression>,
    /// Middle, in bytes, of the window in which the elements of `gather` lie. Absent: the whole region.
    pub around: Option<Expression>,
    /// Bytes of the window around `around`, cut at the ends of the region.
    pub width: Option<Expression>,
    /// A recorded program, relative to this file: the pages of `array` that each iteration of `loop` touched.
    #[schemars(example = &"prog.nlt")]
    pub trace: Option<String>,
    /// The recorded loop, as `numalab trace show` names it.
    #[serde(rename = "loop")]
    #[schemars(example = &"lb.c:24")]
    pub recorded_loop: Option<String>,
    /// The recorded array, as a replay names its regions.
    #[schemars(example = &"u (lb.c:11)")]
    pub array: Option<String>,
}

impl PieceFile {
    /// Present expressions with their keys.
    pub fn expressions(&self) -> impl Iterator<Item = (&'static str, &Expression)> {
        let all = [
            ("partition", &self.partition),
            ("halo", &self.halo),
            ("start", &self.start),
            ("length", &self.length),
            ("stride", &self.stride),
            ("count", &self.count),
            ("gather", &self.gather),
            ("element", &self.element),
            ("around", &self.around),
            ("width", &self.width),
        ];
        all.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?)))
    }
}
