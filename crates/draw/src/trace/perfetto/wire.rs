//! Writer of Protobuf's wire format, as far as traces need it.

#[derive(Clone, Debug, Default)]
pub(super) struct Message(pub Vec<u8>);

impl Message {
    fn tag(&mut self, field: u32, wire: u64) {
        self.varint(u64::from(field) << 3 | wire);
    }

    fn varint(&mut self, mut value: u64) {
        if value < 0x80 {
            self.0.push(value as u8);
            return;
        }
        // A varint of 64 bits takes at most ten bytes; they are appended at once.
        let (mut bytes, mut count) = ([0; 10], 0);
        while value >= 0x80 {
            bytes[count] = value as u8 | 0x80;
            value >>= 7;
            count += 1;
        }
        bytes[count] = value as u8;
        self.0.extend_from_slice(&bytes[..=count]);
    }

    /// Appends an unsigned number, a boolean, or an enumerator.
    pub fn number(&mut self, field: u32, value: u64) -> &mut Message {
        self.tag(field, 0);
        self.varint(value);
        self
    }

    pub fn text(&mut self, field: u32, text: &str) -> &mut Message {
        self.bytes(field, text.as_bytes())
    }

    /// Appends a nested message in place, with its length before it. Most lengths fit one byte.
    pub fn message(&mut self, field: u32, fill: impl FnOnce(&mut Message)) -> &mut Message {
        self.tag(field, 2);
        let start = self.0.len();
        self.0.push(0);
        fill(self);
        let length = self.0.len() - start - 1;
        if length < 0x80 {
            self.0[start] = length as u8;
        } else {
            // The byte of the lowest seven bits exists; the others are inserted behind it.
            self.0[start] = length as u8 | 0x80;
            let end = self.0.len();
            self.varint(length as u64 >> 7);
            let more = self.0.len() - end;
            self.0[start + 1..].rotate_right(more);
        }
        self
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) -> &mut Message {
        self.tag(field, 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }
}

/// Largest size of an [`Event`] packet in bytes: a length that fits one byte, plus tag and length.
const MOST: usize = 0x81;

/// A packet with one event, in a buffer of fixed size. Most packets of a trace are of this kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    bytes: [u8; MOST],
    end: usize,
    /// Offset of the event inside the packet, in bytes.
    inner: usize,
}

impl Event {
    /// First bytes of every event packet: its tag, room for its length, and the constant one-byte
    /// fields.
    pub const fn head(packet: u32, fields: [(u32, u8); 2]) -> [u8; 6] {
        let [(a, x), (b, y)] = fields;
        [tag(packet, 2), 0, tag(a, 0), x, tag(b, 0), y]
    }

    /// Starts a packet; `event` is the field number of the event in the packet.
    #[inline]
    pub fn new(head: [u8; 6], (time, at): (u32, u64), event: u32) -> Event {
        let mut packet = Event { bytes: [0; MOST], end: head.len(), inner: 0 };
        packet.bytes[..head.len()].copy_from_slice(&head);
        packet.number(time, at);
        packet.byte(tag(event, 2));
        packet.inner = packet.end + 1;
        packet.end = packet.inner;
        packet
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        self.bytes[self.end] = byte;
        self.end += 1;
    }

    #[inline]
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.byte(value as u8);
    }

    #[inline]
    fn copy(&mut self, bytes: &[u8]) {
        self.bytes[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Appends an unsigned number, a boolean, or an enumerator.
    #[inline]
    pub fn number(&mut self, field: u32, value: u64) -> &mut Event {
        self.varint(u64::from(field) << 3);
        self.varint(value);
        self
    }

    /// Appends an eight-byte number.
    #[inline]
    pub fn fixed(&mut self, field: u32, value: u64) -> &mut Event {
        self.varint(u64::from(field) << 3 | 1);
        self.copy(&value.to_le_bytes());
        self
    }

    pub fn double(&mut self, field: u32, value: f64) -> &mut Event {
        self.fixed(field, value.to_bits())
    }

    /// Appends a short constant text; other texts are interned.
    pub fn text(&mut self, field: u32, text: &'static str) -> &mut Event {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(text.len() as u64);
        self.copy(text.as_bytes());
        self
    }

    /// Bytes of the packet, with the lengths of both messages filled in.
    #[inline]
    pub fn finish(&mut self) -> &[u8] {
        (self.bytes[1], self.bytes[self.inner - 1]) = (self.end as u8 - 2, (self.end - self.inner) as u8);
        &self.bytes[..self.end]
    }
}

/// Tag byte of a field whose number is below 16.
const fn tag(field: u32, wire: u32) -> u8 {
    assert!(field < 16, "its tag takes two bytes");
    (field << 3 | wire) as u8
}

#[cfg(test)]
mod tests {
    use super::{Event, Message};

    /// An event equals a nested message, for numbers of any size.
    #[test]
    fn events_are_messages() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut event = Event::new(Event::head(1, [(10, 1), (13, 2)]), (8, number), 11);
            event.number(11, number).number(47, 3).text(23, "work");
            let mut message = Message::default();
            message.message(1, |packet| {
                packet.number(10, 1).number(13, 2).number(8, number).message(11, |event| {
                    event.number(11, number).number(47, 3).text(23, "work");
                });
            });
            assert_eq!(event.finish(), message.0);
        }
        let mut value = Event::new(Event::head(1, [(10, 1), (13, 2)]), (8, 0), 11);
        assert!(value.double(4, 1.0).finish().ends_with(b"\x5a\x09\x21\0\0\0\0\0\0\xf0\x3f"));
    }

    // From Protobuf's documentation: field 1 with 150 is 08 96 01; field 2 with "testing" is 12 07
    // and the letters.
    #[test]
    fn fields_match_protobuf_examples() {
        let mut message = Message::default();
        message.number(1, 150).text(2, "testing").message(3, |inner| {
            inner.number(1, 150);
        });
        assert_eq!(message.0, b"\x08\x96\x01\x12\x07testing\x1a\x03\x08\x96\x01");
        // 200 bytes with a head of 3, and 2 more, are 205: both lengths take two bytes.
        let mut long = Message::default();
        long.message(1, |outer| {
            outer.message(2, |inner| inner.0.extend([7; 200])).number(3, 1);
        });
        assert_eq!(long.0[..6], [0x0a, 0xcd, 0x01, 0x12, 0xc8, 0x01]);
        assert_eq!((long.0.len(), &long.0[206..]), (208, &[0x18, 0x01][..]));
    }
}
