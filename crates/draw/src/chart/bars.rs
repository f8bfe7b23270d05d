//! Bars in groups over words.

use super::{MARGIN, Plot, fit};
use crate::chart::colour::{GREYS, HUES, hue};
use crate::chart::shapes::{Tone, centred, ending, line, rect, text_width, titled};
use svg::node::element::Group;

/// Bar of a value, in a group of bars above a word.
pub(crate) struct Bar {
    /// Index of the word below the bar.
    pub word: usize,
    /// Index of the bar's colour, which is also the position of the bar in the group.
    pub colour: usize,
    pub value: f64,
    /// Smallest and largest value among the replicas of the bar's point.
    pub range: (f64, f64),
    /// Text shown under the pointer.
    pub title: String,
    /// Text above the bar; omitted without room.
    pub text: String,
}

/// Font sizes of the words below the bars (`SIZE`) and of the numbers on bars (`SMALL`), in pixels.
const SIZE: f64 = 13.0;
const SMALL: f64 = 11.0;
/// Fraction of a group's width that stays empty, between groups.
const FREE: f64 = 0.2;
/// Angle in degrees by which words are rotated if they would overlap.
const TURNED: f64 = 40.0;
/// Length of the longest rotated word in pixels; longer words are cut.
const LONGEST: f64 = 190.0;

/// Fill colour of the bar or swatch with index `at`: first the hues, then darker hues, then lighter hues.
pub(crate) fn field(at: usize) -> String {
    match at / HUES.len() {
        0 => hue(at, 0, 1),
        round => hue(at, [0, 7, 3][(round - 1) % 3], 8),
    }
}

/// Draws all bars; each group has `colours` bars side by side.
pub(crate) fn bars(bars: &[Bar], colours: usize, plot: &Plot<'_>) -> Group {
    let words = plot.x.ticks.len().max(1);
    let [left, _, right, _] = plot.frame();
    let group = (right - left) / words as f64;
    let wide = (group * (1.0 - FREE) / colours.max(1) as f64).min(90.0);
    let fits = bars.iter().all(|bar| text_width(&bar.text, SMALL) < wide + 2.0);
    let mut drawn = Group::new();
    for bar in bars {
        let middle = plot.place((bar.word as f64, 0.0)).0;
        let x = middle + (bar.colour as f64 - colours as f64 / 2.0) * wide;
        let (zero, y) = (plot.place((0.0, 0.0)).1, plot.place((0.0, bar.value)).1);
        let (top, high) = (zero.min(y), (zero - y).abs());
        let gap = if wide > 4.0 { 1.0 } else { 0.0 };
        let mut one =
            titled(&bar.title).add(rect(x + gap / 2.0, top, wide - gap, high.max(0.5), &field(bar.colour)));
        let (low, most) = (plot.place((0.0, bar.range.0)).1, plot.place((0.0, bar.range.1)).1);
        if bar.range.0 < bar.range.1 {
            let centre = x + wide / 2.0;
            one = one.add(line((centre, low), (centre, most), GREYS.axis, 1.5));
        }
        if fits {
            let above = most.min(top).min(low) - 5.0;
            one = one.add(centred(x + wide / 2.0, above, SMALL, &bar.text, Tone::Soft));
        }
        drawn = drawn.add(one);
    }
    drawn
}

/// True if the words fit side by side without rotation, in `each` pixels per word.
fn lie(words: &[String], each: f64) -> bool {
    words.iter().all(|word| text_width(word, SIZE) + 10.0 <= each)
}

/// Height in pixels that the words need below a frame of `width` pixels.
pub(crate) fn room_below(words: &[String], width: f64) -> f64 {
    if lie(words, width / words.len().max(1) as f64) {
        return 28.0;
    }
    let longest = words.iter().map(|word| text_width(word, SIZE)).fold(0.0, f64::max).min(LONGEST);
    longest * TURNED.to_radians().sin() + 30.0
}

/// Draws the words below the frame: rotated if they would touch, and cut at the edge of the page.
pub(crate) fn words_below(words: &[String], plot: &Plot<'_>) -> Group {
    let [left, _, right, bottom] = plot.frame();
    let each = (right - left) / words.len().max(1) as f64;
    let lying = lie(words, each);
    let mut group = plot.ticks(Group::new());
    for (at, word) in words.iter().enumerate() {
        let x = plot.place((at as f64, 0.0)).0;
        if lying {
            group = group.add(centred(x, bottom + 22.0, SIZE, word, Tone::Plain));
            continue;
        }
        let room = ((x - MARGIN / 2.0) / TURNED.to_radians().cos()).min(LONGEST);
        let (x, y) = (x + 4.0, bottom + 16.0);
        group = group.add(
            ending(x, y, SIZE, &fit(word, SIZE, room), Tone::Plain)
                .set("transform", format!("rotate({} {x:.2} {y:.2})", -TURNED)),
        );
    }
    group
}
