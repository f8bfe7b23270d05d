//! Piecewise linear curves.

/// Factor that depends on one quantity: linear between points, constant outside. Without points the factor is 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve(pub Vec<(f64, f64)>);

impl Curve {
    /// Quantity up to which the factor is 1; 0 without points, or if the factor of the first point is not 1.
    pub(super) fn roomy(&self) -> f64 {
        self.0.iter().take_while(|point| point.1 == 1.0).last().map_or(0.0, |point| point.0)
    }

    pub fn at(&self, quantity: f64) -> f64 {
        self.with_slope(quantity).0
    }

    /// Factor and slope at `quantity`; at a point, the slope to its right.
    pub(super) fn with_slope(&self, quantity: f64) -> (f64, f64) {
        let points = &self.0;
        let after = points.partition_point(|point| point.0 <= quantity);
        match (after.checked_sub(1).map(|before| points[before]), points.get(after)) {
            (None, None) => (1.0, 0.0),
            (None, Some(&(_, only))) | (Some((_, only)), None) => (only, 0.0),
            (Some((x0, y0)), Some(&(x1, y1))) => {
                (y0 + (y1 - y0) * (quantity - x0) / (x1 - x0), (y1 - y0) / (x1 - x0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Curve;

    #[test]
    fn straight_between_points_and_flat_outside() {
        let curve = Curve(vec![(10.0, 1.0), (20.0, 0.5)]);
        assert_eq!(curve.at(0.0), 1.0);
        assert_eq!(curve.at(10.0), 1.0);
        assert_eq!(curve.at(15.0), 0.75);
        assert_eq!(curve.at(20.0), 0.5);
        assert_eq!(curve.at(1e9), 0.5);
        assert_eq!(Curve::default().at(5.0), 1.0);
        assert_eq!([5.0, 10.0, 15.0, 20.0].map(|at| curve.with_slope(at).1), [0.0, -0.05, -0.05, 0.0]);
        assert_eq!((curve.roomy(), Curve(vec![(3.0, 0.9)]).roomy()), (10.0, 0.0));
    }
}
