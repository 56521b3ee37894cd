//! Linear correlation of two quantities from sums.

/// Accumulated sums for correlation and slope.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Correlation {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Correlation {
    pub(super) fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    fn covariance(self) -> f64 {
        self.count * self.xy - self.x * self.y
    }

    fn spread_of_x(self) -> f64 {
        self.count * self.xx - self.x * self.x
    }

    /// Pearson's correlation coefficient; 0 if one of the two is constant.
    pub(super) fn value(self) -> f64 {
        let spread = self.spread_of_x() * (self.count * self.yy - self.y * self.y);
        if spread > 0.0 { self.covariance() / spread.sqrt() } else { 0.0 }
    }

    /// Least-squares slope of y over x; 0 if x is constant.
    pub(super) fn slope(self) -> f64 {
        if self.spread_of_x() > 0.0 { self.covariance() / self.spread_of_x() } else { 0.0 }
    }
}
