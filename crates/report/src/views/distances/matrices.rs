//! Matrices side by side if the terminal is wide enough, else below each other.

use crate::page::fit;
use crate::style::{Ink, Style};
use numalab_results::Matrix;

/// Blanks between matrices, in terminal columns.
const GAP: usize = 4;

/// Draws matrices with their names above.
pub fn beside(matrices: &[(String, Matrix)], style: &Style) -> String {
    let blocks: Vec<Block> = matrices.iter().map(|(name, rows)| Block::of(name, rows)).collect();
    let mut lines = String::new();
    let mut rest = &blocks[..];
    while !rest.is_empty() {
        // Takes as many matrices as fit in a line, at least one.
        let mut width = 0;
        let fitting = rest.iter().take_while(|block| {
            width += block.width + GAP;
            width - GAP <= style.columns()
        });
        let (row, below) = rest.split_at(fitting.count().max(1));
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines += &joined(row, style);
        rest = below;
    }
    lines
}

struct Block {
    name: String,
    width: usize,
    lines: Vec<String>,
}

impl Block {
    fn of(name: &str, rows: &Matrix) -> Block {
        let values = || rows.iter().flatten().flatten();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let largest = values().copied().fold(0.0, f64::max);
        // Three digits, if the matrix has other numbers than whole ones.
        let whole = values().all(|value| (value - value.round()).abs() < 0.05);
        let digits = if whole || largest >= 100.0 { 0 } else { 1 };
        let number = |value: f64| format!("{value:.digits$}");
        let cell = number(largest).len().max(columns.saturating_sub(1).to_string().len()) + 1;
        let head = rows.len().saturating_sub(1).to_string().len() + 1;
        let header = (0..columns).map(|node| format!("{node:>cell$}")).collect::<String>();
        let line = |(node, row): (usize, &Vec<Option<f64>>)| {
            let cells = row.iter().map(|value| format!("{:>cell$}", value.map_or("-".to_owned(), number)));
            format!("{node:>width$}:{}", cells.collect::<String>(), width = head - 1)
        };
        let mut lines = vec![format!("{}{header}", " ".repeat(head))];
        lines.extend(rows.iter().enumerate().map(line));
        // The column is at least wide enough for 25 characters of the name.
        let width = (head + cell * columns).max(name.chars().count().min(25));
        Block { name: name.to_owned(), width, lines }
    }
}

fn joined(blocks: &[Block], style: &Style) -> String {
    let mut text = String::new();
    for (at, block) in blocks.iter().enumerate() {
        let room = if at + 1 == blocks.len() { style.columns().min(block.width) } else { block.width };
        let name = fit(&block.name, room, style);
        let space = if at + 1 < blocks.len() { block.width - name.chars().count() + GAP } else { 0 };
        text += &style.paint(Ink::Bold, &name);
        text += &" ".repeat(space);
    }
    text.push('\n');
    for row in 0..blocks.iter().map(|block| block.lines.len()).max().unwrap_or(0) {
        let cells = blocks.iter().map(|block| {
            format!("{:<width$}", block.lines.get(row).map_or("", String::as_str), width = block.width + GAP)
        });
        text += cells.collect::<String>().trim_end();
        text.push('\n');
    }
    text
}
