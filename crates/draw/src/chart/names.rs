//! Vertical positions of labels, so that they do not overlap.

/// Vertical positions within bounds, as close as possible to the wanted positions and at least `leading` apart.
pub(super) fn apart(wanted: &[f64], leading: f64, (top, bottom): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let leading = leading.min((bottom - top) / wanted.len().max(1) as f64);
    let mut heights: Vec<f64> = order.iter().map(|&at| wanted[at].clamp(top, bottom)).collect();
    // Overlapping neighbours move apart by half the overlap each, until none overlap.
    for _ in 0..200 {
        for at in 1..heights.len() {
            let lack = leading - (heights[at] - heights[at - 1]);
            if lack > 0.0 {
                heights[at - 1] -= lack / 2.0;
                heights[at] += lack / 2.0;
            }
        }
    }
    // Labels beyond an edge move back, and push their neighbours.
    let mut least = top;
    for height in &mut heights {
        *height = height.max(least);
        least = *height + leading;
    }
    let mut most = bottom;
    for height in heights.iter_mut().rev() {
        *height = height.min(most);
        most = *height - leading;
    }
    let mut placed = vec![0.0; wanted.len()];
    for (&at, height) in order.iter().zip(heights) {
        placed[at] = height;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_keep_apart_and_in_order() {
        let heights = apart(&[100.0, 101.0, 300.0, 99.0], 20.0, (0.0, 600.0));
        assert!((heights[2] - 300.0).abs() < 1e-9);
        assert!((heights[0] - heights[3] - 20.0).abs() < 0.1, "{heights:?}");
        assert!((heights[1] - heights[0] - 20.0).abs() < 0.1, "{heights:?}");
    }

    proptest! {
        #[test]
        fn all_stay_within_bounds(wanted in proptest::collection::vec(-50f64..650.0, 1..60)) {
            let heights = apart(&wanted, 20.0, (0.0, 600.0));
            let mut sorted = heights.clone();
            sorted.sort_by(f64::total_cmp);
            let leading = 20f64.min(600.0 / wanted.len() as f64);
            prop_assert!(sorted.iter().all(|y| (-1e-6..=600.0 + 1e-6).contains(y)), "{sorted:?}");
            prop_assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] > leading - 0.1), "{sorted:?}");
        }
    }
}
