//! Checks for suspicious data: each may return a warning, one sentence that ends with a question.
//!
//! The thresholds are loose, because warnings about correct data would be ignored later.

use super::DatasetStats;

/// What to do about labels from the wrong side.
const TURN: &str = "`--labels side-to-move` turns such labels to White's side, and must not be used with others";

/// Minimum number of cases for a warning.
const ENOUGH: u64 = 100;

impl DatasetStats {
    /// Warnings about suspicious data, one sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let checks: [fn(&DatasetStats) -> Option<String>; 13] = [
            constant,
            mostly_zero,
            one_side,
            mover_view,
            black_view,
            turning_signs,
            scale,
            cut_off,
            contradicting_results,
            equal_results,
            one_side_to_move,
            duplicates,
            shuffled,
        ];
        checks.iter().filter_map(|check| check(self)).collect()
    }
}

fn percent(part: u64, of: u64) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

fn constant(stats: &DatasetStats) -> Option<String> {
    (stats.labels.report_variance == 0.0).then(|| "all labels are equal: there is nothing to learn".to_owned())
}

fn mostly_zero(stats: &DatasetStats) -> Option<String> {
    let zero = percent(stats.labels.zero, stats.rows);
    (zero > 50.0 && stats.labels.report_variance > 0.0)
        .then(|| format!("{zero:.1} % of the labels are 0: are these rows labelled at all?"))
}

/// Labels that are nearly all good for one side leave the other side unlearnt.
fn one_side(stats: &DatasetStats) -> Option<String> {
    let labels = &stats.labels;
    let (side, against) = match labels.quantiles {
        [_, low, ..] if low > 0 => ("White", labels.black_mates),
        [.., high, _] if high < 0 => ("Black", labels.white_mates),
        _ => return None,
    };
    (stats.rows >= ENOUGH && labels.report_variance > 0.0 && percent(against, stats.rows) < 5.0)
        .then(|| format!("nearly all labels are good for {side}: are positions of one kind missing?"))
}

fn mover_view(stats: &DatasetStats) -> Option<String> {
    let (mover, white) = (stats.labels.mover_material_correlation, stats.labels.material_correlation);
    (mover > 0.1 && mover > white + 0.1).then(|| {
        format!(
            "labels follow the material of the side to move ({mover:.2}) more than White's ({white:.2}): are they from \
             the side to move's view? {TURN}"
        )
    })
}

fn black_view(stats: &DatasetStats) -> Option<String> {
    (stats.labels.material_correlation < -0.1)
        .then(|| "labels fall where White's material grows: are they from Black's view?".to_owned())
}

/// Labels from White's point of view rarely change their sign between two plies; from the side to move they change at
/// each ply, and random labels at every second.
fn turning_signs(stats: &DatasetStats) -> Option<String> {
    let signs = stats.signs;
    let share = percent(signs.turns, signs.pairs);
    (signs.pairs >= ENOUGH && share > 70.0).then(|| {
        format!(
            "labels change their sign between neighbouring half-moves of a game in {share:.1} % of {} cases: is each \
             from the view of the side to move? {TURN}",
            signs.pairs
        )
    })
}

/// A pawn is worth 50 to 200 centipawns to every engine that measures in centipawns.
fn scale(stats: &DatasetStats) -> Option<String> {
    let labels = &stats.labels;
    let spread = labels.quantiles[5] - labels.quantiles[1];
    if labels.report_variance == 0.0 {
        return None;
    }
    if spread > 0 && spread < 20 {
        return Some(format!(
            "nine tenths of the labels lie within {spread} centipawns: are they in pawns? `--unit pawns` reads a CSV in pawns"
        ));
    }
    let spread = labels.quantiles[4] - labels.quantiles[2];
    if spread > 8_000 {
        return Some(format!(
            "half of the labels are spread over {spread} centipawns: were centipawns read with `--unit pawns`?"
        ));
    }
    if stats.rows < ENOUGH || labels.per_pawn_correlation < 0.1 {
        return None;
    }
    let unit = match labels.per_pawn {
        slope if (0.0..20.0).contains(&slope) => "far less than 100; are they in pawns or another large unit?",
        slope if slope > 400.0 => "far more than 100; are they in thousandths of a pawn or another small unit?",
        _ => return None,
    };
    let slope = labels.per_pawn;
    Some(format!(
        "a pawn more is worth {slope:.1} centipawns in these labels, {unit} `FILE:scale=F` multiplies them by F"
    ))
}

/// Many labels at the largest absolute value indicate clipping.
fn cut_off(stats: &DatasetStats) -> Option<String> {
    let labels = &stats.labels;
    let farthest = labels.quantiles[0].unsigned_abs().max(labels.quantiles[6].unsigned_abs());
    let share = percent(labels.at_extreme, stats.rows);
    (share > 2.0 && labels.at_extreme >= 20 && labels.report_variance > 0.0 && farthest > 0)
        .then(|| format!("{share:.1} % of the labels are exactly ±{farthest}: were they cut off there?"))
}

fn contradicting_results(stats: &DatasetStats) -> Option<String> {
    let results = &stats.results;
    let share = percent(results.contradicting, results.clear);
    (results.clear >= ENOUGH && share > 35.0).then(|| {
        format!(
            "in {share:.1} % of the won games' rows with a label beyond ±200 the label names the loser: are results and \
             labels from different sides?"
        )
    })
}

fn equal_results(stats: &DatasetStats) -> Option<String> {
    let results = &stats.results;
    let known = results.known();
    let name = [("1-0", results.white), ("1/2-1/2", results.draws), ("0-1", results.black)]
        .into_iter()
        .find(|&(_, count)| count == known)?
        .0;
    (known >= ENOUGH && !(1..10).contains(&stats.games))
        .then(|| format!("every known result is {name}: was it filled in?"))
}

/// Rows of bulletformat have White to move, and no move numbers.
fn one_side_to_move(stats: &DatasetStats) -> Option<String> {
    let white = percent(stats.white_to_move, stats.rows);
    let is_of_the_format =
        stats.white_to_move == stats.rows && stats.distributions.plies.counts.first() == Some(&stats.rows);
    (!is_of_the_format && !(10.0..=90.0).contains(&white))
        .then(|| format!("White is to move in {white:.1} % of the rows: one side is nearly missing"))
}

fn duplicates(stats: &DatasetStats) -> Option<String> {
    let repeated = percent(stats.duplicates, stats.rows);
    (repeated > 20.0).then(|| format!("{repeated:.1} % of the rows repeat an earlier position"))
}

fn shuffled(stats: &DatasetStats) -> Option<String> {
    let share = percent(stats.rows_without_game, stats.rows);
    (stats.rows_without_game >= ENOUGH).then(|| {
        format!("{share:.1} % of the rows are in no game's order: they cannot be split by games, only by positions")
    })
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::Color;

    use super::*;
    use crate::{Dataset, Label, Row, RowResult, sample};

    fn real() -> Vec<Row> {
        sample::real(20_000)
    }

    fn warnings(rows: Vec<Row>) -> Vec<String> {
        DatasetStats::of(&Dataset::from_rows(rows)).expect("rows").warnings()
    }

    /// The real rows, each with a label made of its own and the side to move.
    fn labelled(label: impl Fn(i64, &Row) -> i64) -> Vec<Row> {
        let relabel = |row: &Row| match row.label() {
            Label::Centipawns(value) => row.with_label(Label::centipawns(label(i64::from(value), row))),
            mate @ Label::Mate { .. } => row.with_label(mate),
        };
        real().iter().map(relabel).collect()
    }

    /// The real rows, each with a result made of its label and its number.
    fn ended(result: impl Fn(i32, usize) -> RowResult) -> Vec<Row> {
        let mut rows = real();
        for (index, row) in rows.iter_mut().enumerate() {
            let result = result(row.label().as_centipawns(), index);
            row.state |= result.to_bits() << 5;
        }
        rows
    }

    /// One warning and no other, with this text.
    fn only(rows: Vec<Row>, text: &str) {
        let found = warnings(rows);
        assert!(found.len() == 1 && found[0].contains(text), "{text}: {found:?}");
    }

    /// One of the warnings has this text.
    fn among_others(rows: Vec<Row>, text: &str) {
        let found = warnings(rows);
        assert!(found.iter().any(|sentence| sentence.contains(text)), "{text}: {found:?}");
    }

    #[test]
    fn sound_rows_raise_no_alarm() {
        assert_eq!(warnings(real()), [""; 0]);
        let fair = ended(|label, index| match (label, index % 5) {
            (-150..=150, _) | (_, 0) => RowResult::Draw,
            (label, _) if label > 0 => RowResult::WhiteWins,
            _ => RowResult::BlackWins,
        });
        assert_eq!(warnings(fair), [""; 0]);
        assert_eq!(warnings(labelled(|value, _| value * 3 / 4)), [""; 0]);
        assert_eq!(warnings(labelled(|value, _| value * 2)), [""; 0]);
    }

    #[test]
    fn views_of_the_wrong_side() {
        let turned = warnings(labelled(|value, row| if row.side_to_move() == Color::White { value } else { -value }));
        assert!(
            turned[0].contains("are they from the side to move's view? `--labels side-to-move` turns"),
            "{turned:?}"
        );
        assert!(turned[1].starts_with("labels change their sign between neighbouring half-moves"), "{turned:?}");
        assert_eq!(turned.len(), 2, "{turned:?}");
        only(labelled(|value, _| -value), "labels fall where White's material grows");
    }

    #[test]
    fn large_sets_are_checked_in_blocks() {
        let turned = labelled(|value, row| if row.side_to_move() == Color::White { value } else { -value });
        let many: Vec<Row> = turned.iter().chain(&turned).chain(&turned).chain(&turned).copied().collect();
        let found = super::super::block_warnings(&many, 40_000);
        assert!(found.len() == 3 && found[0].contains("`--labels side-to-move`"), "{found:?}");
        assert!(found[2].contains("of the rows repeat an earlier position"), "{found:?}");
        assert_eq!(super::super::data_warnings(&real()), [""; 0]);
    }

    #[test]
    fn labels_that_say_nothing() {
        let blank = |label: Label| real().iter().map(|row| row.with_label(label)).collect::<Vec<_>>();
        only(blank(Label::Centipawns(0)), "all labels are equal");
        only(blank(Label::Centipawns(37)), "all labels are equal");
        let won = real().into_iter().filter(|row| row.label().as_centipawns() > 10).collect();
        among_others(won, "nearly all labels are good for White");
        let part = labelled(|value, row| if row.key() % 10 < 6 { 0 } else { value });
        among_others(part, "of the labels are 0: are these rows labelled at all?");
    }

    #[test]
    fn units_that_are_no_centipawns() {
        // Rounding to pawns leaves many labels of 0, which is also reported.
        among_others(labelled(|value, _| value / 100), "nine tenths of the labels lie within ");
        only(labelled(|value, _| value / 10), "a pawn more is worth ");
        among_others(labelled(|value, _| value * 10), "a pawn more is worth ");
        among_others(labelled(|value, _| value * 100), "read with `--unit pawns`?");
        let cut = labelled(|value, _| value.clamp(-600, 600));
        only(cut, "of the labels are exactly ±600: were they cut off there?");
    }

    #[test]
    fn results_that_cannot_be() {
        let turned = ended(|label, _| if label > 0 { RowResult::BlackWins } else { RowResult::WhiteWins });
        only(turned, "the label names the loser");
        let dice = ended(|_, index| if index / 60 % 2 == 0 { RowResult::WhiteWins } else { RowResult::BlackWins });
        only(dice, "the label names the loser");
        only(ended(|_, _| RowResult::Draw), "every known result is 1/2-1/2");
    }

    #[test]
    fn rows_out_of_order_or_twice() {
        let rows = real();
        only(rows.iter().chain(&rows[..10_000]).copied().collect(), "of the rows repeat an earlier position");
        let mut shuffled = rows.clone();
        shuffled.sort_by_key(Row::key);
        only(shuffled, "100.0 % of the rows are in no game's order");
        let white: Vec<Row> = rows.into_iter().filter(|row| row.side_to_move() == Color::White).collect();
        // As bulletformat has them.
        let records = white.iter().map(|row| Row { state: row.state & !0x1F, full_moves: 1, ..*row }).collect();
        assert_eq!(warnings(records), [""; 0]);
        only(white, "White is to move in 100.0 %");
    }
}
