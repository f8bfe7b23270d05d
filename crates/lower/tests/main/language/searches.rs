//! Searches and transforms that grow trees of tasks: their numbers of tasks match independent calculations.

use super::suite::{executions, solved};
use numalab_workload::{Phase, Tree};

/// Number of tasks by depth.
fn by_depth(phase: &Phase) -> Vec<f64> {
    let tree = phase.tasking.tree.as_ref().unwrap();
    let mut level = vec![0.0; tree.tasks.len()];
    tree.roots.iter().for_each(|root| level[*root as usize] += 1.0);
    let mut counts = Vec::new();
    while level.iter().any(|times| *times > 0.0) {
        counts.push(level.iter().sum());
        let mut next = vec![0.0; level.len()];
        for (task, times) in level.iter().enumerate().filter(|(_, times)| **times > 0.0) {
            tree.children_of(task as u32).iter().for_each(|child| next[*child as usize] += times);
        }
        level = next;
    }
    counts
}

/// Sum of the instructions of all tasks, each task counted as often as it is executed.
fn instructions(phase: &Phase) -> f64 {
    let times = phase.tasking.tree.as_ref().and_then(Tree::executions).unwrap();
    phase.instructions.iter().zip(times).map(|(instructions, times)| instructions * times).sum()
}

/// The study's board: empty fields in order, and the numbers that each row, column and box leaves free.
struct Board {
    empty: Vec<usize>,
    rows: [u32; 16],
    columns: [u32; 16],
    boxes: [u32; 16],
}

impl Board {
    fn read() -> Board {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/sudoku16.txt");
        let text = std::fs::read_to_string(path).unwrap();
        let fields: Vec<u32> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert_eq!(fields.len(), 256);
        let mut board =
            Board { empty: Vec::new(), rows: [65_535; 16], columns: [65_535; 16], boxes: [65_535; 16] };
        for (at, number) in fields.into_iter().enumerate() {
            match number {
                0 => board.empty.push(at),
                number => board.take(at, number - 1),
            }
        }
        board
    }

    fn take(&mut self, at: usize, number: u32) {
        let (row, column) = (at / 16, at % 16);
        self.rows[row] ^= 1 << number;
        self.columns[column] ^= 1 << number;
        self.boxes[row / 4 * 4 + column / 4] ^= 1 << number;
    }

    /// Counts the boards on which the first `place` empty fields are filled, and all that follow from them.
    fn count(&mut self, place: usize, fields: usize, counts: &mut [f64]) {
        counts[place] += 1.0;
        if place == fields {
            return;
        }
        let at = self.empty[place];
        let (row, column) = (at / 16, at % 16);
        let free = self.rows[row] & self.columns[column] & self.boxes[row / 4 * 4 + column / 4];
        for number in (0..16).filter(|number| free >> number & 1 == 1) {
            self.take(at, number);
            self.count(place + 1, fields, counts);
            self.take(at, number);
        }
    }
}

/// A search field by field finds as many boards for each number of fields. Cut off, tasks do the same work: `test`
/// instructions for each board that is not complete.
#[test]
fn sudoku_tries_every_number_that_fits() {
    let mut counts = [0.0; 29];
    Board::read().count(0, 28, &mut counts);
    let whole = solved("sudoku", &["fields=28"]);
    assert_eq!(by_depth(&whole), counts);
    let boards: f64 = counts.iter().sum();
    assert_eq!(instructions(&whole), 9900.0 * (boards - counts[28]));
    let cut = solved("sudoku", &["fields=28", "cutoff=12"]);
    assert_eq!(by_depth(&cut), counts[..13]);
    assert_eq!(instructions(&cut), instructions(&whole));
    assert_eq!(executions(&solved("sudoku", &["fields=28", "cutoff=0"])), 1.0);
}

/// The whole board has 19 584 379 boards after the given one, 80 of them solutions, as the study's has.
#[test]
fn the_board_is_that_of_the_study() {
    let mut board = Board::read();
    assert_eq!(board.empty.len(), 129);
    let mut counts = [0.0; 130];
    board.count(0, 129, &mut counts);
    assert_eq!(counts.iter().sum::<f64>(), 1.0 + 19_584_379.0);
    assert_eq!(counts[129], 80.0);
}

/// Each task of a search without a cut-off has a copy of the board.
#[test]
fn sudoku_copies_its_board() {
    let phase = solved("sudoku", &["fields=5"]);
    assert!(phase.tasking.copied.iter().all(|bytes| *bytes == 1024));
    assert_eq!(phase.tasking.copied.len() as u64, phase.iterations);
}

/// One step of splitmix64, from which `random` makes its numbers.
fn scramble(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn random(numbers: &[f64]) -> f64 {
    let mixed = numbers.iter().fold(0, |state, number| scramble(state ^ number.to_bits()));
    (mixed >> 11) as f64 / 2_f64.powi(53)
}

/// Number of nodes of a tree. `children`: number of children of a node with this number and depth.
fn nodes(id: f64, depth: u32, children: &dyn Fn(f64, u32) -> u32) -> f64 {
    let child = |c| (random(&[id, f64::from(c)]) * 2_f64.powi(53)).floor();
    1.0 + (1..=children(id, depth)).map(|c| nodes(child(c), depth + 1, children)).sum::<f64>()
}

/// The same trees, from the numbers that the file's expressions draw.
#[test]
fn trees_of_uts_have_their_nodes() {
    let geometric = |id: f64, depth| match depth < 6 {
        true => ((1.0 - random(&[id])).ln() / (4.0_f64 / 5.0).ln()).floor().min(100.0) as u32,
        false => 0,
    };
    let binomial = |id: f64, depth| match depth {
        0 => 300,
        _ => 8 * u32::from(random(&[id]) < 0.12),
    };
    for seed in ["1", "2", "3"] {
        let seeded = format!("seed={seed}");
        let id: f64 = seed.parse().unwrap();
        let phase = solved("uts", &[&seeded]);
        assert_eq!(executions(&phase), nodes(id, 0, &geometric), "{seed}");
        let phase = solved("uts", &[&seeded, "shape=binomial", "root=300", "chance=0.12"]);
        let count = nodes(id, 0, &binomial);
        assert_eq!(executions(&phase), count, "{seed}");
        assert_eq!(instructions(&phase), 60.0 * count + 1200.0 * (count - 1.0), "{seed}");
    }
}

/// Number of complete boards of queens, and of all boards: `free` columns, and columns attacked from both sides.
fn queens(n: u32, row: u32, free: u32, left: u32, right: u32) -> (f64, f64) {
    if row == n {
        return (1.0, 1.0);
    }
    let safe = (0..n).map(|column| 1 << column).filter(|bit| free & !left & !right & bit != 0);
    safe.fold((0.0, 1.0), |(complete, all), bit| {
        let below = queens(n, row + 1, free ^ bit, (left | bit) >> 1, (right | bit) << 1);
        (complete + below.0, all + below.1)
    })
}

#[test]
fn all_queens_are_placed() {
    // The numbers that its comment says.
    assert_eq!(queens(10, 0, 1023, 0, 0), (724.0, 35_539.0));
    for n in [1, 4, 8, 9] {
        let (complete, all) = queens(n, 0, (1 << n) - 1, 0, 0);
        let phase = solved("nqueens", &[&format!("n={n}"), "cutoff=99"]);
        assert_eq!(executions(&phase), all, "{n}");
        // 12 instructions for each column of a row, and 5 for a complete board.
        let work = f64::from(12 * n) * (all - complete) + 5.0 * complete;
        assert_eq!(instructions(&phase), work, "{n}");
        let cut = solved("nqueens", &[&format!("n={n}"), "cutoff=2"]);
        assert_eq!(instructions(&cut), work, "{n}");
    }
}

/// A transform of more than 32 numbers shuffles, transforms each of its parts, and puts them together. Passes are halved
/// until a task has fewer than 16, or 128, columns.
#[test]
fn transforms_are_made_of_transforms() {
    fn pass(columns: u32, alone: u32) -> f64 {
        1.0 + if columns < alone { 0.0 } else { 2.0 * pass(columns / 2, alone) }
    }
    fn transform(count: u32) -> f64 {
        if count <= 32 {
            return 1.0;
        }
        let radix = if [64, 128, 256, 1024, 2048, 4096].contains(&count) { 8 } else { 16 };
        let part = count / radix;
        // The task has three steps.
        3.0 + pass(part, 16) + f64::from(radix) * transform(part) + pass(part, 128)
    }
    // The numbers of operations of a transform: five for each number and each halving.
    let plain = ["per_shuffle=0", "halving=0", "per_leaf=5", "per_twiddle=5"];
    for exponent in [5, 6, 12, 16] {
        let size = format!("n=2^{exponent}");
        let phase = solved("bots_fft", &[&[size.as_str()][..], &plain].concat());
        assert_eq!(executions(&phase), transform(1 << exponent), "{exponent}");
        let n = 2_f64.powi(exponent);
        assert_eq!(instructions(&phase), 5.0 * n * f64::from(exponent), "{exponent}");
    }
    // Every pass over the data reads and writes all of it.
    let phase = solved("bots_fft", &["n=2^12"]);
    let bytes: u128 = phase.accesses.iter().map(|access| touched(&phase, access)).sum();
    // 4096 is divided by 8, 512 by 16, and the parts have 32 numbers: twice two passes and one of the last parts.
    assert_eq!(bytes, 2 * 5 * 16 * 4096);
}

/// Bytes that all tasks touch in an access.
fn touched(phase: &Phase, access: &numalab_workload::Access) -> u128 {
    let times = phase.tasking.tree.as_ref().and_then(Tree::executions).unwrap();
    let tasks = (0..).zip(times).map(|(task, times)| {
        times as u128
            * access.slice.piece(task, task + 1).map_or(0, |piece| u128::from(piece.touched + piece.again))
    });
    tasks.sum()
}
