//! Decoder of Parquet's RLE / bit-packing hybrid: runs of one value alternate with groups of bit-packed values.

/// Decodes `count` numbers of `width` bits; `None` if the data is too short or invalid.
pub fn numbers(mut data: &[u8], width: u32, count: usize) -> Option<Vec<u32>> {
    if width > 32 {
        return None;
    }
    let mut found = Vec::new();
    while found.len() < count {
        let left = count - found.len();
        let header = header(&mut data)?;
        let length = usize::try_from(header >> 1).ok()?;
        if header & 1 == 0 {
            let (bytes, rest) = data.split_at_checked(width.div_ceil(8) as usize)?;
            let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
            if length == 0 {
                return None;
            }
            found.resize(found.len() + length.min(left), value);
            data = rest;
        } else {
            // Bit-packed values come in groups of eight; the last group is padded.
            let all = length.checked_mul(8)?;
            if all == 0 {
                return None;
            }
            for at in 0..all.min(left) {
                found.push(bits(data, at * width as usize, width)?);
            }
            data = data.get(length.checked_mul(width as usize)?..).unwrap_or_default();
        }
    }
    Some(found)
}

/// Decodes a LEB128 number, such as the header of a run: seven bits per byte, the lowest first.
fn header(data: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for place in 0..9 {
        let (byte, rest) = data.split_first()?;
        *data = rest;
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Reads a number of `width` bits that begins at bit `from`; `None` if the data ends before.
fn bits(data: &[u8], from: usize, width: u32) -> Option<u32> {
    let mut value = 0_u64;
    let bytes = (from % 8 + width as usize).div_ceil(8);
    for (place, byte) in data.get(from / 8..from / 8 + bytes)?.iter().enumerate() {
        value |= u64::from(*byte) << (8 * place);
    }
    Some((value >> (from % 8) & ((1 << width) - 1)) as u32)
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn runs_and_packed_bits() {
        // Run of four 1s: header 4 << 1, then the value. The eight 3-bit numbers 0 to 7 are the example of the
        // format's specification.
        assert_eq!(numbers(&[8, 1], 1, 4), Some(vec![1; 4]));
        assert_eq!(numbers(&[3, 0b1000_1000, 0b1100_0110, 0b1111_1010], 3, 8), Some((0..8).collect()));
        assert_eq!(numbers(&[4, 2, 3, 0b1000_1000, 0b1100_0110, 0b1111_1010], 3, 4), Some(vec![2, 2, 0, 1]));
        // Numbers of zero bits are 0.
        assert_eq!(numbers(&[6], 0, 3), Some(vec![0; 3]));
        assert_eq!(numbers(&[], 1, 0), Some(vec![]));
    }

    #[test]
    fn too_few_are_none() {
        for data in [&[][..], &[8], &[0, 1], &[1], &[3, 0], &[0xff; 12], &[2, 1]] {
            assert_eq!(numbers(data, 9, 4), None, "{data:?}");
        }
        assert_eq!(numbers(&[8, 1, 1, 1, 1, 1], 33, 4), None);
    }
}
