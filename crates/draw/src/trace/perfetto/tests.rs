//! Traces are parsed field by field: each field must exist in the official schema with its type.

use super::*;
use crate::run_page::tests::timeline;

/// A field of a message: its number, its wire type, and the schema of a nested message.
type Field = (u32, u64, Option<&'static Schema>);

struct Schema(&'static [Field]);

/// Excerpt of Perfetto's `perfetto_trace.proto`: field numbers and wire types (0 varint, 1 fixed64 or double, 2
/// length-delimited).
static TRACE: Schema = Schema(&[(1, 2, Some(&PACKET))]);
static PACKET: Schema = Schema(&[
    (8, 0, None),
    (10, 0, None),
    (11, 2, Some(&EVENT)),
    (12, 2, Some(&INTERNED)),
    (13, 0, None),
    (60, 2, Some(&TRACK)),
]);
static EVENT: Schema = Schema(&[
    (9, 0, None),
    (10, 0, None),
    (11, 0, None),
    (23, 2, None),
    (44, 1, None),
    (47, 1, None),
    (48, 1, None),
]);
static INTERNED: Schema = Schema(&[(2, 2, Some(&NAME))]);
static NAME: Schema = Schema(&[(1, 0, None), (2, 2, None)]);
static TRACK: Schema =
    Schema(&[(1, 0, None), (2, 2, None), (5, 0, None), (8, 2, Some(&COUNTER)), (11, 0, None), (12, 0, None)]);
static COUNTER: Schema = Schema(&[(6, 2, None)]);

/// A parsed value.
#[derive(Debug)]
enum Read {
    Number(u64),
    Bytes,
    Message(Vec<(u32, Read)>),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}

fn read(mut bytes: &[u8], schema: &Schema) -> Vec<(u32, Read)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let (number, wire) = ((tag >> 3) as u32, tag & 7);
        let known = schema.0.iter().find(|field| field.0 == number);
        let (_, expected, inner) = known.unwrap_or_else(|| panic!("unknown field {number}"));
        assert_eq!(wire, *expected, "field {number}");
        let value = match wire {
            0 => Read::Number(varint(&mut bytes)),
            1 => {
                let (value, rest) = bytes.split_at(8);
                bytes = rest;
                Read::Number(u64::from_le_bytes(value.try_into().unwrap()))
            }
            _ => {
                let long = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(long);
                bytes = rest;
                inner.map_or(Read::Bytes, |inner| Read::Message(read(value, inner)))
            }
        };
        fields.push((number, value));
    }
    fields
}

fn number(fields: &[(u32, Read)], field: u32) -> Option<u64> {
    fields.iter().find_map(|(number, value)| match value {
        Read::Number(value) if *number == field => Some(*value),
        _ => None,
    })
}

fn inner(fields: &[(u32, Read)], field: u32) -> Option<&[(u32, Read)]> {
    fields.iter().find_map(|(number, value)| match value {
        Read::Message(value) if *number == field => Some(&value[..]),
        _ => None,
    })
}

/// Law: Fields of a trace are those of the schema, and spans can be read back.
#[test]
fn fields_match_the_schema_and_spans_are_complete() {
    let timeline = timeline("dynamic");
    let mut bytes = Vec::new();
    perfetto(&timeline, &mut bytes).unwrap();
    let trace = read(&bytes, &TRACE);
    let packets: Vec<_> = trace
        .iter()
        .map(|(_, packet)| match packet {
            Read::Message(packet) => packet,
            other => panic!("{other:?}"),
        })
        .collect();
    let events: Vec<(u64, &[(u32, Read)])> = packets
        .iter()
        .filter_map(|packet| Some((number(packet, 8).unwrap_or(0), inner(packet, 11)?)))
        .collect();
    let of_type = |kind| events.iter().filter(move |event| number(event.1, 9) == Some(kind));
    // Slices of threads (5) and of the phase (1), each with begin and end.
    assert_eq!((of_type(1).count(), of_type(2).count()), (5 + 1, 5 + 1));
    // Names of the second thread's slices are numbers of span kinds, from 1, in the same order.
    let begins: Vec<_> = of_type(1).map(|(at, event)| (*at, number(event, 10).unwrap())).collect();
    assert_eq!(begins, [(0, 4), (0, 1), (400, 2), (0, 2), (250, 1), (500, 3)]);
    // Begin and end of the only arrow.
    let flows: Vec<_> = of_type(3).map(|(_, event)| (number(event, 47), number(event, 48))).collect();
    assert_eq!(flows, [(Some(1), None), (None, Some(1))]);
    // 100 bytes in 262 144 ps are 381.5 MB/s. The area under a counter is the traffic of its
    // resource.
    let tracks: Vec<u64> = of_type(4).map(|(_, event)| number(event, 11).unwrap()).collect();
    let first: Vec<(u64, f64)> = of_type(4)
        .filter(|(_, event)| number(event, 11) == Some(tracks[0]))
        .map(|(at, event)| (*at, f64::from_bits(number(event, 44).unwrap())))
        .collect();
    assert!((first[0].1 / 381.469_726_5e6 - 1.0).abs() < 1e-9);
    let area: f64 = first.windows(2).map(|ends| ends[0].1 * (ends[1].0 - ends[0].0) as f64 * 1e-9).sum();
    // Rounding to nanoseconds is within a thousandth of these bins.
    assert!((area - 175.0).abs() < 0.2, "{area}");
    // Every track's parent is described before it.
    let mut known = vec![None];
    for track in packets.iter().filter_map(|packet| inner(packet, 60)) {
        assert!(known.contains(&number(track, 5)));
        known.push(number(track, 1));
    }
}
