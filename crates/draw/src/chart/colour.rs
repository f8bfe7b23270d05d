//! Colours that remain distinct for common colour blindnesses.

/// Colours of times that do not belong to a data node.
pub(crate) struct Greys {
    /// Colour of the time spent waiting for other threads.
    pub idle: &'static str,
    /// Colour of the time in the runtime and the operating system.
    pub overhead: &'static str,
    /// Colour of the time spent computing without a data source.
    pub compute: &'static str,
    pub grid: &'static str,
    pub axis: &'static str,
}

pub(crate) const GREYS: Greys =
    Greys { idle: "#ebebeb", overhead: "#2b2b2b", compute: "#a8a8a8", grid: "#d9d9d9", axis: "#4d4d4d" };

/// Hues in degrees, each with its default lightness. Dark and light alternate, so that neighbours
/// differ even without colour. Blue, orange, green, pink, violet, cyan, vermillion, olive.
pub(crate) const HUES: [(f64, f64); 8] = [
    (250.0, 0.52),
    (62.0, 0.75),
    (160.0, 0.57),
    (350.0, 0.78),
    (300.0, 0.44),
    (215.0, 0.81),
    (32.0, 0.60),
    (110.0, 0.86),
];

/// The `at`-th hue in step `step` of `steps` from dark to light.
pub(crate) fn hue(at: usize, step: u32, steps: u32) -> String {
    let (degrees, alone) = HUES[at % HUES.len()];
    let lightness = match steps {
        0 | 1 => alone,
        _ => 0.47 + 0.38 * f64::from(step) / f64::from(steps - 1),
    };
    oklch(lightness, 0.125, degrees)
}

/// Colour scale from dark violet over green to yellow, ordered by lightness.
pub(crate) fn sequential(fraction: f64) -> String {
    let fraction = fraction.clamp(0.0, 1.0);
    oklch(0.30 + 0.58 * fraction, 0.13, 310.0 - 210.0 * fraction)
}

/// Converts a colour from OKLCH, in which equal steps look equal, to sRGB as `#rrggbb` (Björn Ottosson, "A perceptual
/// color space for image processing", 2020). Channels outside sRGB are clipped.
fn oklch(lightness: f64, chroma: f64, hue_degrees: f64) -> String {
    let (sin, cos) = hue_degrees.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    let linear = [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ];
    let [red, green, blue] = linear.map(|channel| {
        let channel = channel.clamp(0.0, 1.0);
        let curved =
            if channel <= 0.003_130_8 { 12.92 * channel } else { 1.055 * channel.powf(1.0 / 2.4) - 0.055 };
        (curved * 255.0).round() as u8
    });
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// True if white letters are easier to read on `#rrggbb` than black ones.
pub(crate) fn dark(colour: &str) -> bool {
    let channel = |at: usize| u32::from_str_radix(colour.get(at..at + 2).unwrap_or("ff"), 16).unwrap_or(255);
    2126 * channel(1) + 7152 * channel(3) + 722 * channel(5) < 10_000 * 140
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours() {
        assert_eq!(oklch(1.0, 0.0, 0.0), "#ffffff");
        assert_eq!(oklch(0.0, 0.0, 0.0), "#000000");
        // sRGB red is (0.62796, 0.25768, 29.234°).
        assert_eq!(oklch(0.627_96, 0.257_68, 29.234), "#ff0000");
    }
}
