//! Decompression of pages with a bound on the uncompressed bytes.
//!
//! The `parquet` library has the same codecs, but decompresses gzip and Brotli without a bound, and Zstandard with C.

use super::{Problem, broken};
use ::parquet::basic::CompressionCodec;
use brotli_decompressor::Decompressor as BrotliDecoder;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

/// Checks that the codec is known.
pub fn check(codec: CompressionCodec) -> Result<(), Problem> {
    match codec {
        CompressionCodec::UNCOMPRESSED
        | CompressionCodec::SNAPPY
        | CompressionCodec::ZSTD
        | CompressionCodec::GZIP
        | CompressionCodec::BROTLI
        | CompressionCodec::LZ4_RAW => Ok(()),
        CompressionCodec::LZO | CompressionCodec::LZ4 => Err(Problem::new(
            format!("its columns are compressed with {codec}"),
            "write it with snappy, zstd, gzip, brotli or lz4_raw, or without compression",
        )),
    }
}

/// Decompresses a page of at most `most` uncompressed bytes; a larger page is an error.
pub fn plain(codec: CompressionCodec, packed: &[u8], most: usize) -> Result<Vec<u8>, Problem> {
    let wrong = || broken("a column cannot be decompressed");
    let large = || broken("a column is larger than its sizes say");
    match codec {
        // Some writers store nothing for a page without values.
        _ if packed.is_empty() => Ok(Vec::new()),
        CompressionCodec::SNAPPY => match snap::raw::decompress_len(packed) {
            Ok(length) if length > most => Err(large()),
            Ok(_) => snap::raw::Decoder::new().decompress_vec(packed).map_err(|_| wrong()),
            Err(_) => Err(wrong()),
        },
        CompressionCodec::LZ4_RAW => {
            // A byte of LZ4 stands for at most 255 bytes.
            let most = most.min(packed.len().saturating_mul(255));
            lz4_flex::block::decompress(packed, most).map_err(|error| match error {
                lz4_flex::block::DecompressError::OutputTooSmall { .. } => large(),
                _ => wrong(),
            })
        }
        CompressionCodec::GZIP => bounded(MultiGzDecoder::new(packed), most)?.ok_or_else(large),
        CompressionCodec::ZSTD => {
            // The decoder refuses windows above 128 MiB.
            let decoder = StreamingDecoder::new(packed).map_err(|_| wrong())?;
            bounded(decoder, most)?.ok_or_else(large)
        }
        // These seven bits announce a window of up to 1 GiB, which Parquet does not allow.
        CompressionCodec::BROTLI if packed[0] & 0x7f == 0x11 => Err(wrong()),
        CompressionCodec::BROTLI => bounded(BrotliDecoder::new(packed, 4096), most)?.ok_or_else(large),
        CompressionCodec::UNCOMPRESSED if packed.len() > most => Err(large()),
        other => check(other).map(|()| packed.to_vec()),
    }
}

/// Reads at most `most` bytes; `None` if there are more.
fn bounded(from: impl Read, most: usize) -> Result<Option<Vec<u8>>, Problem> {
    let mut bytes = Vec::new();
    let read = from.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|_| broken("a column cannot be decompressed"))?;
    Ok((bytes.len() <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// 1 MiB of zeros, compressed with each codec.
    fn bombs() -> Vec<(CompressionCodec, Vec<u8>)> {
        let zeros = vec![0; 1 << 20];
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&zeros).unwrap();
        // As pyarrow writes them.
        let zstd = [
            &[40, 181, 47, 253, 128, 72, 0, 0, 16, 0, 84, 0, 0, 16, 0, 0, 1, 0, 251, 255, 57, 192, 2][..],
            &[2, 0, 16, 0, 2, 0, 16, 0, 2, 0, 16, 0, 2, 0, 16, 0, 2, 0, 16, 0, 2, 0, 16, 0, 3, 0, 16, 0],
        ];
        vec![
            (CompressionCodec::SNAPPY, snap::raw::Encoder::new().compress_vec(&zeros).unwrap()),
            (CompressionCodec::LZ4_RAW, lz4_flex::block::compress(&zeros)),
            (CompressionCodec::GZIP, gzip.finish().unwrap()),
            (CompressionCodec::ZSTD, zstd.concat()),
            (CompressionCodec::BROTLI, vec![91, 255, 255, 15, 64, 2, 32, 30, 11, 36, 247, 254, 1]),
            (CompressionCodec::UNCOMPRESSED, zeros),
        ]
    }

    #[test]
    fn pages_are_bounded() {
        for (codec, packed) in bombs() {
            let whole = plain(codec, &packed, 1 << 20).unwrap_or_else(|error| panic!("{}", error.what));
            assert!(whole == vec![0; 1 << 20], "{codec}");
            for most in [0, 1000, (1 << 20) - 1] {
                assert!(
                    plain(codec, &packed, most).is_err_and(|error| error.what.contains("larger")),
                    "{codec}"
                );
            }
            let held = allocation_counter::measure(|| drop(plain(codec, &packed, 1000))).bytes_max;
            // These two hold their window of 1 MiB.
            let windowed = matches!(codec, CompressionCodec::ZSTD | CompressionCodec::BROTLI);
            let window = if windowed { 1 << 20 } else { 0 };
            assert!(held < window + (1 << 19), "{codec}: {held}");
        }
    }

    #[test]
    fn damaged_pages_are_read_or_refused() {
        for (codec, packed) in bombs() {
            for at in 0..packed.len().min(200) {
                let mut bytes = packed.clone();
                for change in [0x01, 0x10, 0x80, 0xff] {
                    bytes[at] = packed[at] ^ change;
                    let _ = plain(codec, &bytes, 1 << 20);
                }
                let _ = plain(codec, &packed[..at], 1 << 20);
            }
        }
    }

    #[test]
    fn a_large_window_is_refused() {
        let window = |descriptor: u8| [0x28, 0xb5, 0x2f, 0xfd, 0, descriptor, 1, 0, 0];
        assert!(plain(CompressionCodec::ZSTD, &window(0), 1 << 20).is_ok());
        assert!(plain(CompressionCodec::ZSTD, &window(20 << 3), 1 << 20).is_err());
        let brotli = allocation_counter::measure(|| {
            assert!(plain(CompressionCodec::BROTLI, &[0x11, 0x1e, 0xff, 0xff, 0xff], 1 << 20).is_err());
        });
        assert!(brotli.bytes_max < 1 << 10);
    }
}
