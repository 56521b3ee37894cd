//! What a data set holds, and what about it looks wrong.

use alfiere::types::{Color, PieceKind};
use serde::Serialize;

use super::dataset::Dataset;
use super::label::{GameResult, Label};
use super::row::{BestMove, Row};
use super::split::KeySet;
use crate::metrics::{MetricSums, report_label};

/// Counts and shares over a set.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DatasetStats {
    /// Rows.
    pub rows: u64,
    /// Games, as far as the full-move numbers tell.
    pub games: u64,
    /// Rows whose position (placement and side to move) another row has had before.
    pub duplicates: u64,
    /// Rows with White to move.
    pub white_to_move: u64,
    /// Rows in check.
    pub in_check: u64,
    /// Labels.
    pub labels: LabelStats,
    /// Games' ends, by row.
    pub results: ResultStats,
    /// Rows whose best move is known.
    pub best_move_known: u64,
    /// Rows whose best move captures or promotes.
    pub best_move_noisy: u64,
    /// Rows by piece count: 1–4, 5–8, … 29–32, as the output buckets of a network have them.
    pub by_pieces: [u64; 8],
}

/// How labels are spread.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LabelStats {
    /// Mates for White.
    pub white_mates: u64,
    /// Mates for Black.
    pub black_mates: u64,
    /// Labels of exactly 0.
    pub zero: u64,
    /// Centipawn labels of 1000 or more on either side: the ends of report space.
    pub beyond_report: u64,
    /// Smallest, 5 %, 25 %, 50 %, 75 %, 95 % and largest of the centipawn labels.
    pub quantiles: [i32; 7],
    /// Mean in report space.
    pub report_mean: f64,
    /// Variance in report space: the MSE of the best constant predictor.
    pub report_variance: f64,
    /// Correlation with the material balance seen from White's side.
    pub material_correlation: f64,
    /// Correlation with the material balance seen from the side to move; larger than the other when a set's labels are
    /// from the side to move's view.
    pub mover_material_correlation: f64,
}

/// Rows by how their game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ResultStats {
    /// White won.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Black won.
    pub black: u64,
    /// Not said.
    pub unknown: u64,
}

impl DatasetStats {
    /// Counts a set; `None` when it is empty.
    pub fn of(set: &Dataset) -> Option<Self> {
        let rows = &set.rows;
        let count = |test: fn(&Row) -> bool| rows.iter().filter(|row| test(row)).count() as u64;
        let mut seen = KeySet::default();
        let mut by_pieces = [0; 8];
        let mut results = ResultStats::default();
        for row in rows {
            seen.insert(row.key());
            by_pieces[(row.piece_count() as usize - 1) / 4] += 1;
            match row.result() {
                GameResult::WhiteWins => results.white += 1,
                GameResult::Draw => results.draws += 1,
                GameResult::BlackWins => results.black += 1,
                GameResult::Unknown => results.unknown += 1,
            }
        }
        Some(Self {
            rows: rows.len() as u64,
            games: set.games.len() as u64,
            duplicates: (rows.len() - seen.len()) as u64,
            white_to_move: count(|row| row.side_to_move() == Color::White),
            in_check: count(Row::in_check),
            labels: LabelStats::of(rows)?,
            results,
            best_move_known: count(|row| row.best_move() != BestMove::Unknown),
            best_move_noisy: count(|row| row.best_move() == BestMove::Noisy),
            by_pieces,
        })
    }

    /// What looks wrong, a sentence each.
    pub fn suspicions(&self) -> Vec<String> {
        let rows = self.rows as f64;
        let share = |count: u64| count as f64 / rows;
        let labels = &self.labels;
        let mut found = Vec::new();
        let mut check = |is_odd: bool, sentence: String| {
            if is_odd {
                found.push(sentence);
            }
        };
        check(labels.report_variance == 0.0, "all labels are equal: there is nothing to learn".to_owned());
        check(
            labels.mover_material_correlation > labels.material_correlation + 0.1,
            format!(
                "labels follow the material of the side to move ({:.2}) more than White's ({:.2}): are they from the \
                 side to move's view? Expected are labels from White's side",
                labels.mover_material_correlation, labels.material_correlation
            ),
        );
        check(
            labels.material_correlation < -0.1,
            "labels fall where White's material grows: are they from Black's view?".to_owned(),
        );
        let spread = labels.quantiles[5] - labels.quantiles[1];
        check(
            spread > 0 && spread < 20,
            format!("nine tenths of the labels lie within {spread} centipawns: are they in pawns?"),
        );
        let white = share(self.white_to_move);
        check(
            !(0.1..=0.9).contains(&white),
            format!("White is to move in {:.1} % of the rows: one side is nearly missing", 100.0 * white),
        );
        let repeated = share(self.duplicates);
        check(repeated > 0.2, format!("{:.1} % of the rows repeat an earlier position", 100.0 * repeated));
        let length = rows / self.games as f64;
        check(
            length < 4.0 && rows >= 100.0,
            format!("games seem to have {length:.1} rows: shuffled rows cannot be split by games"),
        );
        found
    }
}

impl LabelStats {
    fn of(rows: &[Row]) -> Option<Self> {
        let (mut white_mates, mut black_mates, mut beyond_report) = (0, 0, 0);
        let mut centipawns = Vec::with_capacity(rows.len());
        let mut sums = MetricSums::default();
        let (mut white, mut mover) = (Correlation::default(), Correlation::default());
        for row in rows {
            let value = report_label(row.label());
            sums.add(0.0, value);
            let material = f64::from(material(row));
            white.add(value, material);
            mover.add(value, if row.side_to_move() == Color::White { material } else { -material });
            match row.label() {
                Label::Centipawns(value) => {
                    centipawns.push(value);
                    beyond_report += u64::from(value.unsigned_abs() >= 1_000);
                }
                Label::Mate { winner: Color::White, .. } => white_mates += 1,
                Label::Mate { winner: Color::Black, .. } => black_mates += 1,
            }
        }
        let metrics = sums.metrics()?;
        centipawns.sort_unstable();
        let quantile = |share: f64| {
            let index = (centipawns.len().saturating_sub(1) as f64 * share).round() as usize;
            centipawns.get(index).map_or(0, |&value| i32::from(value))
        };
        Some(Self {
            white_mates,
            black_mates,
            zero: centipawns.iter().filter(|&&value| value == 0).count() as u64,
            beyond_report,
            quantiles: [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0].map(quantile),
            report_mean: metrics.label_mean,
            report_variance: metrics.label_variance,
            material_correlation: white.value(),
            mover_material_correlation: mover.value(),
        })
    }
}

/// White's material less Black's, in pawns.
fn material(row: &Row) -> i32 {
    row.pieces()
        .map(|(piece, _)| {
            let value = match piece.kind() {
                PieceKind::Pawn => 1,
                PieceKind::Knight | PieceKind::Bishop => 3,
                PieceKind::Rook => 5,
                PieceKind::Queen => 9,
                PieceKind::King => 0,
            };
            if piece.color() == Color::White { value } else { -value }
        })
        .sum()
}

/// Pearson's correlation, summed up.
#[derive(Clone, Copy, Default)]
struct Correlation {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Correlation {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    /// 0 where one of the two does not vary.
    fn value(self) -> f64 {
        let covariance = self.count * self.xy - self.x * self.y;
        let spread = (self.count * self.xx - self.x * self.x) * (self.count * self.yy - self.y * self.y);
        if spread > 0.0 { covariance / spread.sqrt() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::fen;

    /// Positions with a queen more for one side, labelled by `label` from White's balance and the side to move.
    fn set(label: fn(i64, Color) -> i64) -> Dataset {
        let mut rows = Vec::new();
        for index in 0..200i64 {
            let (queen, balance) = if index % 4 < 2 { ('Q', 9) } else { ('q', -9) };
            let side = if index % 2 == 0 { 'w' } else { 'b' };
            let fen = format!("k7/8/8/8/8/3{queen}4/7P/1K6 {side} - - 0 {}", index % 40 + 1);
            if let Ok(row) = fen::parse(fen.as_bytes()) {
                let label = label(balance + 1, row.side_to_move());
                rows.push(row.with_label(Label::centipawns(label + index % 7)));
            }
        }
        Dataset::from_rows(rows)
    }

    #[test]
    fn labels_from_the_side_to_move_are_suspected() {
        let fair = DatasetStats::of(&set(|balance, _| balance * 90)).expect("rows");
        assert!(fair.labels.material_correlation > 0.9);
        assert!(!fair.suspicions().iter().any(|sentence| sentence.contains("view")), "{:?}", fair.suspicions());
        let turned = set(|balance, side| if side == Color::White { balance * 90 } else { -balance * 90 });
        let turned = DatasetStats::of(&turned).expect("rows").suspicions();
        assert!(turned.iter().any(|sentence| sentence.contains("side to move's view")), "{turned:?}");
    }

    #[test]
    fn constant_labels_are_suspected() {
        let rows = set(|_, _| 5).rows.iter().map(|row| row.with_label(Label::Centipawns(12))).collect();
        let stats = DatasetStats::of(&Dataset::from_rows(rows)).expect("rows");
        assert!(stats.suspicions()[0].starts_with("all labels are equal"));
        assert_eq!(stats.labels.quantiles, [12; 7]);
    }

    #[test]
    fn rows_are_counted() {
        let stats = DatasetStats::of(&set(|balance, _| balance)).expect("rows");
        assert_eq!(stats.by_pieces, [stats.rows, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(stats.results.unknown, stats.rows);
        // Black to move cannot have the white king in check, which leaves three of the four positions.
        assert_eq!(stats.duplicates, stats.rows - 3);
        assert_eq!(DatasetStats::of(&Dataset::default()), None);
    }
}
