//! Damage inside the blocks of files that are packed again with right lengths and checksums: recordings, the recorder's
//! raw files, stores of results.

use crate::chance::Chance;
use crate::mutate::damaged;
use numalab_nlt::columns::{ColumnReader, ColumnWriter};
use numalab_nlt::{Kind, Reader, Step, Writer};

/// A recording with damage inside its blocks.
pub fn recording(bytes: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    let (mut own, others) = (blocks(bytes), blocks(other));
    shuffled(&mut own, &others, chance);
    if !own.is_empty() {
        let at = chance.below(own.len());
        let (kind, plain) = &mut own[at];
        // The first two bytes of a part of a program are its number and the number of parts.
        let head = if *kind == Kind::Program && chance.below(8) > 0 { plain.len().min(2) } else { 0 };
        let inside = if chance.odds(1, 2) {
            column(&plain[head..], chance)
        } else {
            damaged(&plain[head..], &plain[..head], chance)
        };
        plain.splice(head.., inside);
    }
    let mut to = Writer::new(Vec::new()).expect("memory is not full");
    for (kind, plain) in own {
        // A block that is too large is left out.
        let _ = to.block(kind, &plain);
    }
    to.finish().expect("memory is not full")
}

fn blocks(bytes: &[u8]) -> Vec<(Kind, Vec<u8>)> {
    let Ok(mut reader) = Reader::new(bytes) else { return Vec::new() };
    let steps = std::iter::from_fn(|| reader.step().ok().flatten());
    steps
        .filter_map(|step| if let Step::Block(block) = step { Some((block.kind, block.plain)) } else { None })
        .collect()
}

/// Removes, repeats, exchanges or adds a block, sometimes.
fn shuffled<T: Clone>(own: &mut Vec<T>, others: &[T], chance: &mut Chance) {
    if own.is_empty() {
        return;
    }
    let (at, to) = (chance.below(own.len()), chance.below(own.len()));
    match chance.below(16) {
        0 => drop(own.remove(at)),
        1 => own.insert(to, own[at].clone()),
        2 => own.swap(at, to),
        3 if !others.is_empty() => own.insert(at, others[chance.below(others.len())].clone()),
        _ => {}
    }
}

/// Replaces a number of variable length by a border value or a neighbour. The bytes of the number end at the first without
/// the upper bit.
fn column(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + chance.below(3) / 2 {
        let start = chance.below(bytes.len() + 1);
        let end = (start..bytes.len()).find(|at| bytes[*at] < 0x80).map_or(bytes.len(), |at| at + 1);
        let old = ColumnReader::new(&bytes[start..end]).number().unwrap_or(0);
        let mut new = ColumnWriter::default();
        new.number(match chance.below(4) {
            0 => old.wrapping_add(1),
            1 => old.wrapping_sub(1),
            _ => border(chance),
        });
        bytes.splice(start..end, new.finish());
    }
    bytes
}

fn border(chance: &mut Chance) -> u64 {
    let near = chance.below(3) as u64;
    let border = [0, 1 << 7, 1 << 8, 1 << 16, 1 << 20, 1 << 31, 1 << 32, 1 << 53, 1 << 63][chance.below(9)];
    (border + near).wrapping_sub(1)
}

/// Bytes before the contents of a raw block: magic number, thread, and the length of the contents.
const HEAD: usize = 16;
/// Bytes of an event of a raw block.
const EVENT: usize = 40;

/// A raw file of the recorder with damage inside its blocks.
pub fn raw(bytes: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    let (mut own, others) = (raw_blocks(bytes), raw_blocks(other));
    shuffled(&mut own, &others, chance);
    for _ in 0..1 + chance.below(3) {
        if own.is_empty() {
            break;
        }
        let at = chance.below(own.len());
        let block = &mut own[at];
        if block[4..8] == u32::MAX.to_le_bytes() {
            let inside = text(&block[HEAD..], chance);
            block.splice(HEAD.., inside);
        } else if block.len() >= HEAD + EVENT {
            let event = HEAD + chance.below((block.len() - HEAD) / EVENT) * EVENT;
            match chance.below(4) {
                // The kind and its detail.
                0 => block[event + 8 + chance.below(2)] = chance.below(24) as u8,
                1 => {
                    let again = block[event..event + EVENT].to_vec();
                    block.splice(event..event, again);
                }
                // The time, or a value.
                _ => {
                    let field = event + [0, 16, 24, 32][chance.below(4)];
                    block[field..field + 8].copy_from_slice(&border(chance).to_le_bytes());
                }
            }
        }
        let length = ((block.len() - HEAD) as u64).to_le_bytes();
        block[8..HEAD].copy_from_slice(&length);
    }
    own.concat()
}

/// Damages a text of the recorder: numbers of sixteen digits, files that have no end, or anything.
fn text(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let words = String::from_utf8_lossy(bytes).into_owned();
    let mut parts: Vec<&str> = words.split_inclusive([' ', '\n', '-']).collect();
    let at = chance.below(parts.len());
    match (parts.get(at), chance.below(3)) {
        (Some(old), 0 | 1) => {
            let new = [
                "ffffffffffffffff",
                "0",
                "7fffffffffffffff",
                "/dev/zero",
                "/proc/self/mem",
                "/",
                "-1",
                "::error::x",
            ];
            let (new, end) =
                (new[chance.below(new.len())], old.chars().last().map_or(String::new(), String::from));
            parts[at] = new;
            parts.insert(at + 1, &end);
            parts.concat().into_bytes()
        }
        _ => damaged(bytes, b"", chance),
    }
}

fn raw_blocks(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut blocks = Vec::new();
    while let Some(length) = bytes.get(8..HEAD) {
        let length = u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize;
        let end = HEAD.saturating_add(length).min(bytes.len());
        blocks.push(bytes[..end].to_vec());
        bytes = &bytes[end..];
    }
    blocks
}

/// A store's part file with damage inside its results, whose checksums are made right again.
pub fn store(bytes: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    /// Text between a result and its checksum.
    const SUM: &[u8] = b",\"sum\":\"";
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let mut own = lines(bytes);
    shuffled(&mut own, &lines(other), chance);
    let at = chance.below(own.len());
    if let Some(line) = own.get_mut(at)
        && let Some(end) = line.windows(SUM.len()).rposition(|part| part == SUM)
    {
        // What stands before the result's values is its key.
        let key = end.min(60);
        let mut body = line[..key].to_vec();
        body.extend(damaged(&line[key..end], b"", chance));
        body.retain(|byte| *byte != b'\n');
        let sum = blake3::hash(&body).to_hex()[..16].to_owned();
        *line = [&body[..], SUM, sum.as_bytes(), b"\"}\n"].concat();
    }
    own.concat()
}
