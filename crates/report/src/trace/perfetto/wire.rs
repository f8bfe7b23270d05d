//! Protobuf's wire format, as far as traces need it: a message is written field by field into bytes.

/// A message under construction.
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
        // Ten bytes are all that 64 bits take; room for them is asked for once.
        let (mut bytes, mut count) = ([0; 10], 0);
        while value >= 0x80 {
            bytes[count] = value as u8 | 0x80;
            value >>= 7;
            count += 1;
        }
        bytes[count] = value as u8;
        self.0.extend_from_slice(&bytes[..=count]);
    }

    /// A number without sign, a truth, or an enumerator.
    pub fn number(&mut self, field: u32, value: u64) -> &mut Message {
        self.tag(field, 0);
        self.varint(value);
        self
    }

    /// Eight bytes that are a number.
    pub fn fixed(&mut self, field: u32, value: u64) -> &mut Message {
        self.tag(field, 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A floating-point number.
    pub fn double(&mut self, field: u32, value: f64) -> &mut Message {
        self.fixed(field, value.to_bits())
    }

    /// Text.
    pub fn text(&mut self, field: u32, text: &str) -> &mut Message {
        self.bytes(field, text.as_bytes())
    }

    /// A message inside this one: it is written in its place, and its length put before it. Most are shorter than what
    /// a byte counts.
    pub fn message(&mut self, field: u32, fill: impl FnOnce(&mut Message)) -> &mut Message {
        self.tag(field, 2);
        let start = self.0.len();
        self.0.push(0);
        fill(self);
        let length = self.0.len() - start - 1;
        if length < 0x80 {
            self.0[start] = length as u8;
        } else {
            // The lowest seven bits have their place already.
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

#[cfg(test)]
mod tests {
    use super::Message;

    // Protobuf's own example: field 1 with 150 is 08 96 01; field 2 with "testing" is 12 07 and the letters.
    #[test]
    fn fields_are_written_as_protobuf_has_them() {
        let mut message = Message::default();
        message.number(1, 150).text(2, "testing").message(3, |inner| {
            inner.number(1, 150);
        });
        assert_eq!(message.0, b"\x08\x96\x01\x12\x07testing\x1a\x03\x08\x96\x01");
        // 200 bytes with their head of 3, and 2 more, are 205: both lengths take two bytes.
        let mut long = Message::default();
        long.message(1, |outer| {
            outer.message(2, |inner| inner.0.extend([7; 200])).number(3, 1);
        });
        assert_eq!(long.0[..6], [0x0a, 0xcd, 0x01, 0x12, 0xc8, 0x01]);
        assert_eq!((long.0.len(), &long.0[206..]), (208, &[0x18, 0x01][..]));
        let mut fixed = Message::default();
        fixed.double(4, 1.0);
        assert_eq!(fixed.0, b"\x21\0\0\0\0\0\0\xf0\x3f");
    }
}
