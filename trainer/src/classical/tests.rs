//! Tests fits on real rows.

use alfiere_chess::types::Color;
use alfiere_data::{CacheLocation, DataFile, Dataset, LoadOptions, Row};
use alfiere_search::eval::{Classical, Evaluator};

use super::*;

/// The first rows of the sample, including those that a static evaluation cannot get right.
fn sample(count: usize) -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/kaggle/sample.csv.gz");
    let options = LoadOptions { cache: CacheLocation::Off, rows: Some(count), ..LoadOptions::default() };
    Dataset::load(&[DataFile::new(path)], &options, &mut ()).expect("the sample").rows
}

fn traces(rows: &[Row]) -> Traces {
    let picks: Vec<u32> = (0..rows.len() as u32).collect();
    Traces::of(rows, &picks, &mut |_| ControlFlow::Continue(())).expect("legal rows")
}

fn embedded() -> Vec<[f32; 2]> {
    (0..WEIGHT_COUNT).map(|place| Weights::embedded().values(place).map(|value| value as f32)).collect()
}

#[test]
fn trace_matches_the_engines_evaluation() {
    let rows = &sample(2_000);
    let (traces, weights) = (traces(rows), embedded());
    let mut engine = Classical::new();
    for (index, row) in rows.iter().enumerate() {
        let (traced, coefficients) = traces.row(index);
        let value = Value::of(traced, coefficients, &weights).total;
        let board = row.to_board().expect("a legal row");
        let own = engine.evaluate(&board);
        let white = if board.side_to_move() == Color::White { own } else { -own };
        assert!((value - white as f32).abs() < 1.01, "{value} {white} {}", row.to_fen());
    }
}

#[test]
fn gradients_match_finite_differences() {
    let rows = &sample(300);
    let traces = traces(rows);
    let settings = FitSettings { result_share: 0.25, ..FitSettings::default() };
    let order: Vec<u32> = (0..rows.len() as u32).collect();
    let weights = embedded();
    let (_, slopes) = gradient(&traces, &order, &weights, &settings);
    let loss = |weights: &[[f32; 2]]| measure(&traces, weights, &settings).expect("rows").0 * rows.len() as f64;
    let mut checked = 0;
    for place in (0..WEIGHT_COUNT).step_by(7) {
        for half in 0..2 {
            let mut moved = [weights.clone(), weights.clone()];
            moved[0][place][half] += 2.0;
            moved[1][place][half] -= 2.0;
            let numeric = (loss(&moved[0]) - loss(&moved[1])) / 4.0;
            // The slope omits the constant factors of the square and of the scale.
            let slope = f64::from(slopes[2 * place + half]) * 2.0 / f64::from(settings.scale);
            assert!((numeric - slope).abs() < 5e-3 * slope.abs() + 4e-6, "{place} {half}: {numeric} {slope}");
            checked += usize::from(slope.abs() > 1e-6);
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn fit_improves_and_is_independent_of_threads() {
    let rows = &sample(6_000);
    let (training, validation) = (traces(&rows[..5_000]), traces(&rows[5_000..]));
    let settings = FitSettings { epochs: 6, batch: 500, rate: 4.0, ..FitSettings::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            fit(&training, &validation, &Weights::material(), &settings, &mut |_| ControlFlow::Continue(()))
                .expect("rows")
        })
    };
    let (one, three) = (run(1), run(3));
    assert_eq!(one.values, three.values);
    let [first, last] = [one.epochs[0], one.epochs[5]];
    assert!(last.training_loss < first.training_loss && last.validation_loss < first.validation_loss);
    let start: Vec<[f32; 2]> =
        (0..WEIGHT_COUNT).map(|place| Weights::material().values(place).map(|value| value as f32)).collect();
    let before = measure(&validation, &start, &settings).expect("rows").1;
    assert!(last.validation.r2 > before.r2 + 0.05, "{} {}", last.validation.r2, before.r2);
}
