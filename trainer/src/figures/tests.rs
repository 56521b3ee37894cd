//! Tests figures of every kind by parsing their output.

use alfiere_charts::text_width;
use alfiere_data::metrics::{Metrics, PhaseMetrics};
use alfiere_data::{MaterialBin, OutcomeBin};

use super::*;

const LONG: &str = "[1024,512,256,128]";

fn group(label: &str, x: f64, mean: f64) -> Group {
    let values = [-0.012, -0.001, 0.0, 0.003, 0.009].map(|by| mean + by).to_vec();
    Group { label: label.to_owned(), x: Some(x), values, color: None }
}

fn comparison(x_axis: XAxis) -> Comparison {
    let labels = ["[]", "[32]", "[128]", "[256]", "[512]", "[768,16,32]", "[769,384,192,96]", LONG];
    let groups = |low: f64| {
        let places = labels.iter().zip(0..);
        places.map(|(label, index)| group(label, 1_000.0 * 3f64.powi(index), low + 0.01 * f64::from(index))).collect()
    };
    Comparison {
        title: "R² by hidden layers".to_owned(),
        subtitle: "5 folds & 10 epochs, R² < 1".to_owned(),
        x_label: "hidden widths".to_owned(),
        y_label: "R² on held-out rows".to_owned(),
        x_axis,
        series: vec![
            Series { name: "split by games".to_owned(), groups: groups(0.31), color: 0 },
            Series { name: "split by rows".to_owned(), groups: groups(0.42), color: 1 },
        ],
        baseline: Some(("constant predictor".to_owned(), 0.0)),
    }
}

fn curves() -> Curves {
    let curve = |kind, last: f64| {
        let points = (1..=12).map(|epoch| (f64::from(epoch), last + 0.04 / f64::from(epoch))).collect();
        Curve { name: String::new(), color: 0, kind, points }
    };
    Curves {
        title: "Loss by epoch".to_owned(),
        subtitle: "dual [256]".to_owned(),
        x_label: "epoch".to_owned(),
        y_label: "mean squared error".to_owned(),
        curves: vec![curve(CurveKind::Training, 0.03), curve(CurveKind::Validation, 0.05)],
        mark: Some(("best epoch: 12".to_owned(), 12.0)),
        baseline: Some(("best constant".to_owned(), 0.083)),
    }
}

fn forest() -> Forest {
    let row = |name: &str, interval| ForestRow { name: name.to_owned(), interval };
    Forest {
        title: "Effect of each setting".to_owned(),
        subtitle: "fold by fold".to_owned(),
        x_label: "difference in R² from the first value".to_owned(),
        rows: vec![
            row("dropout 0", None),
            row("dropout 0.1", Some([-0.02, -0.01, 0.004])),
            row(LONG, Some([0.01, 0.02, 0.03])),
        ],
    }
}

fn agreement() -> Agreement {
    let pairs = (0..4_000).map(|index| f64::from(index) * 0.37).map(|angle| (angle.sin(), 0.6 * (angle + 0.2).sin()));
    Agreement { title: "Agreement".to_owned(), subtitle: "R² 0.4".to_owned(), pairs: pairs.collect() }
}

fn phases() -> PhaseError {
    let bins = (0..8u32).map(|index| PhaseMetrics {
        pieces: 4 * index + 1..=4 * index + 4,
        metrics: (index > 0).then(|| Metrics {
            rows: u64::from(index) * 1_500,
            mse: 0.05,
            rmse: 0.05f64.sqrt(),
            mae: 0.14,
            r2: if index == 1 { -30.0 } else { 0.4 },
            label_mean: 0.0,
            label_variance: 0.09,
        }),
    });
    PhaseError { title: "Error by phase".to_owned(), subtitle: "all rows".to_owned(), bins: bins.collect() }
}

fn histogram() -> Histogram {
    Histogram {
        title: "Labels".to_owned(),
        subtitle: "all rows".to_owned(),
        x_label: "centipawns".to_owned(),
        y_label: "rows".to_owned(),
        start: -1_025.0,
        width: 50.0,
        counts: (0..41u64).map(|index| 90_000 / (1 + index.abs_diff(20))).collect(),
        left: vec![("mate".to_owned(), 1_234), ("less".to_owned(), 50_000)],
        right: vec![("more".to_owned(), 90_000), ("mate".to_owned(), 0)],
        mark: Some(("median +12".to_owned(), 12.0)),
    }
}

fn material() -> Material {
    let bins = (-12..=12i32).map(|balance| {
        let middle = (f64::from(balance) / 6.0).tanh();
        let quantiles = [-0.3, -0.1, 0.0, 0.1, 0.3].map(|by| (middle + by).clamp(-1.0, 1.0));
        let rows = 40_000 / (1 + u64::from(balance.unsigned_abs()));
        MaterialBin { balance, rows, quantiles: (balance != 9).then_some(quantiles) }
    });
    Material { title: "Label against material".to_owned(), subtitle: "all rows".to_owned(), bins: bins.collect() }
}

fn outcomes() -> Outcomes {
    let bins = (-20..=20i32).map(|bin| {
        let (white, black) = ((20 + bin) as u64 * 10, (20 - bin) as u64 * 10);
        OutcomeBin { centipawns: 50.0 * f64::from(bin), white, draws: 100, black }
    });
    Outcomes {
        title: "Results by label".to_owned(),
        subtitle: "all rows".to_owned(),
        width: 50.0,
        bins: bins.collect(),
        scale: Some(312.0),
    }
}

/// Series whose groups are at the same places, among them the reference level.
fn crowded_comparison() -> Comparison {
    let rates = [1e-4, 1e-3, 1e-2, 3e-2];
    let one = |index: usize| {
        let r2 = |rate: f64| 0.01 * index as f64 + if rate > 1e-3 { -0.07 } else { 0.02 };
        let groups = rates.map(|rate| group(&rate.to_string(), rate, r2(rate))).to_vec();
        Series { name: format!("layers [{index}]"), groups, color: index }
    };
    let title = "R² by learning rate".to_owned();
    Comparison { title, series: vec![one(0), one(1), one(2)], ..comparison(XAxis::Logarithmic) }
}

fn all() -> Vec<Figure> {
    vec![
        Figure::Comparison(crowded_comparison()),
        Figure::Histogram(histogram()),
        Figure::Material(material()),
        Figure::Outcomes(outcomes()),
        Figure::Comparison(comparison(XAxis::Categories)),
        Figure::Comparison(comparison(XAxis::Linear)),
        Figure::Comparison(comparison(XAxis::Logarithmic)),
        Figure::Curves(curves()),
        Figure::Forest(forest()),
        Figure::Agreement(agreement()),
        Figure::PhaseError(phases()),
    ]
}

/// The texts of an SVG, each with the edges of its box in units: left, top, right, bottom.
fn texts(svg: &str) -> Vec<(String, [f32; 4])> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let box_of = |node: roxmltree::Node<'_, '_>| {
        let number = |name| node.attribute(name).and_then(|text| text.parse::<f32>().ok()).expect(name);
        let words = node.text().expect("words").split_whitespace().collect::<Vec<_>>().join(" ");
        let (x, y, size) = (number("x"), number("y"), number("font-size"));
        let width = text_width(&words, size.round() as i32) as f32;
        let start = match node.attribute("text-anchor") {
            Some("middle") => -width / 2.0,
            Some("end") => -width,
            _ => 0.0,
        };
        // The position is the middle of a small letter, 1082 of 2048 parts of an em high; capitals have 1409.
        let [above, below] = [1409.0 - 541.0, 541.0].map(|parts| size * parts / 2048.0);
        let is_upright = node.attribute("transform").is_some_and(|turn| turn.contains("270"));
        let edges = if is_upright {
            [x - above, y - start - width, x + below, y - start]
        } else {
            [x + start, y - above, x + start + width, y + below]
        };
        (words, edges)
    };
    document.descendants().filter(|node| node.has_tag_name("text")).map(box_of).collect()
}

#[test]
fn svg_is_valid_xml_with_all_labels_and_reproducible() {
    for figure in all() {
        let svg = figure.svg().expect("a picture");
        let words: Vec<String> = texts(&svg).into_iter().map(|(words, _)| words).collect();
        assert!(words.iter().any(|word| word == figure.title()), "{words:?}");
        assert_eq!(svg, figure.svg().expect("a picture"));
    }
    let words = texts(&Figure::Comparison(comparison(XAxis::Categories)).svg().expect("a picture"));
    for wanted in ["constant predictor", "split by rows", "5 folds & 10 epochs, R² < 1", "0.380", "hidden widths"] {
        assert!(words.iter().any(|(word, _)| word == wanted), "{wanted} is not in {words:?}");
    }
    let words = texts(&Figure::Comparison(comparison(XAxis::Logarithmic)).svg().expect("a picture"));
    for wanted in ["1k", "27k", "243k", "2.19M", "0.0", "0.5"] {
        assert!(words.iter().any(|(word, _)| word == wanted), "{wanted} is not in {words:?}");
    }
    let words = texts(&Figure::Comparison(crowded_comparison()).svg().expect("a picture"));
    for wanted in ["0.0001", "0.001", "0.01", "0.03"] {
        assert!(words.iter().any(|(word, _)| word == wanted), "{wanted} is not in {words:?}");
    }
}

#[test]
fn texts_do_not_overlap_and_stay_on_the_page() {
    for figure in all() {
        let svg = figure.svg().expect("a picture");
        let texts = texts(&svg);
        assert!(!texts.is_empty());
        let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
        let view = document.root_element().attribute("viewBox").expect("a size");
        let page: Vec<f32> = view.split(' ').skip(2).map(|side| side.parse().expect("a number")).collect();
        for (index, (words, [left, top, right, bottom])) in texts.iter().enumerate() {
            let is_inside = *left >= 0.0 && *top >= 0.0 && *right <= page[0] && *bottom <= page[1];
            assert!(is_inside, "{}: {words} at {left} to {right}, {top} to {bottom}", figure.title());
            for (other, edges) in &texts[..index] {
                let apart =
                    *left >= edges[2] || edges[0] >= *right || *top + 4.0 >= edges[3] || edges[1] + 4.0 >= *bottom;
                assert!(apart, "{} of {}: {words} covers {other}", figure.title(), page[0]);
            }
        }
    }
}

#[test]
fn series_that_are_shifted_apart_stay_inside_the_axis() {
    let figure = Figure::Comparison(crowded_comparison());
    let svg = figure.svg().expect("a picture");
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let number = |node: &roxmltree::Node<'_, '_>, name| node.attribute(name).and_then(|text| text.parse::<i32>().ok());
    let dots = document.descendants().filter(|node| number(node, "r") == Some(7) && number(node, "cy") > Some(250));
    let places: Vec<i32> = dots.filter_map(|dot| number(&dot, "cx")).collect();
    let (left, right) = (places.iter().min().expect("dots"), places.iter().max().expect("dots"));
    // The axis ends at the margin of the page.
    assert!(places.len() == 3 * 4 * 5 && *left > 150 && *right < 1_800 - 52, "{left} {right} {places:?}");
}

#[test]
fn reference_levels_are_named_above_the_data() {
    for figure in [Figure::Comparison(crowded_comparison()), Figure::Curves(curves())] {
        let texts = texts(&figure.svg().expect("a picture"));
        let bottom_of = |wanted: fn(&str) -> bool| {
            let found = texts.iter().filter(|(words, _)| wanted(words)).map(|(_, edges)| edges[3]);
            found.reduce(f32::min).expect("this text")
        };
        let name = bottom_of(|words| words.contains("constant"));
        assert!(name < bottom_of(|words| words.starts_with("0.")), "{texts:?}");
    }
}

#[test]
fn labels_without_room_are_rotated() {
    let names: Vec<String> = (1..=14).map(|index| format!("white [{index}16384,8192,4096] screlu")).collect();
    let groups = names.iter().map(|name| group(name, 0.0, 0.4)).collect();
    let series = vec![Series { name: String::new(), groups, color: 0 }];
    let svg = Figure::Comparison(Comparison { series, ..comparison(XAxis::Categories) }).svg().expect("a picture");
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let turned = document.descendants().filter(|node| {
        node.has_tag_name("text") && node.attribute("transform").is_some_and(|turn| turn.contains("270"))
    });
    let turned: Vec<&str> = turned.filter_map(|node| node.text()).map(str::trim).collect();
    assert!(names.iter().all(|name| turned.contains(&name.as_str())), "{turned:?}");
}

#[test]
fn figures_are_written_to_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let figure = Figure::Curves(curves());
    figure.write(&folder.path().join("loss.svg")).expect("written");
    let written = std::fs::read_to_string(folder.path().join("loss.svg")).expect("a file");
    assert_eq!(written, figure.svg().expect("a picture"));
    assert!(matches!(figure.write(&folder.path().join("missing/loss.svg")), Err(FigureError::File(_))));
}

fn error_of(figure: &Figure) -> String {
    figure.svg().expect_err("nothing to draw").to_string()
}

#[test]
fn empty_figures_are_rejected() {
    let empty = Comparison { series: Vec::new(), ..comparison(XAxis::Categories) };
    assert_eq!(error_of(&Figure::Comparison(empty)), "figure \"R² by hidden layers\": no series");
    let mut hollow = comparison(XAxis::Categories);
    hollow.series[1].groups[0].values.clear();
    assert!(error_of(&Figure::Comparison(hollow)).contains("no values for split by rows []"));
    assert!(error_of(&Figure::Curves(Curves { curves: Vec::new(), ..curves() })).contains("no curves"));
    assert!(error_of(&Figure::Agreement(Agreement { pairs: Vec::new(), ..agreement() })).contains("no rows"));
    assert!(error_of(&Figure::PhaseError(PhaseError { bins: Vec::new(), ..phases() })).contains("no rows"));
    let none = Histogram { counts: vec![0; 3], left: Vec::new(), right: Vec::new(), ..histogram() };
    assert!(error_of(&Figure::Histogram(none)).contains("no rows"));
    assert!(error_of(&Figure::Material(Material { bins: Vec::new(), ..material() })).contains("no rows"));
    assert!(
        error_of(&Figure::Outcomes(Outcomes { bins: vec![OutcomeBin::default()], ..outcomes() })).contains("no rows")
    );
}

#[test]
fn values_out_of_range_are_rejected() {
    let mut figure = comparison(XAxis::Logarithmic);
    figure.series[0].groups[2].x = Some(0.0);
    assert!(error_of(&Figure::Comparison(figure.clone())).contains("above 0 on a logarithmic axis"));
    figure.series[0].groups[2].x = None;
    assert!(error_of(&Figure::Comparison(figure)).contains("the position of split by games [128] is NaN"));
    let mut figure = comparison(XAxis::Categories);
    figure.series[0].groups[0].values[1] = f64::INFINITY;
    assert!(error_of(&Figure::Comparison(figure)).contains("a value of split by games [] is inf; expected a finite"));
    let mut figure = curves();
    figure.curves[0].points[3].1 = f64::NAN;
    assert!(error_of(&Figure::Curves(figure)).contains("at 4 is NaN"));
    let mut figure = agreement();
    figure.pairs.push((0.0, 1.5));
    assert!(error_of(&Figure::Agreement(figure)).contains("a prediction is 1.5; expected a number from -1 to 1"));
    assert!(
        error_of(&Figure::Histogram(Histogram { width: 0.0, ..histogram() })).contains("expected a number above 0")
    );
    let mut figure = material();
    figure.bins[0].quantiles = Some([-1.5, -1.0, 0.0, 0.5, 1.0]);
    assert!(error_of(&Figure::Material(figure)).contains("a label at -12 is -1.5; expected a number from -1 to 1"));
    let flat = Outcomes { scale: Some(f64::NAN), ..outcomes() };
    assert!(error_of(&Figure::Outcomes(flat)).contains("the scale is NaN"));
}

#[test]
fn single_and_equal_values_can_be_drawn() {
    let mut figure = comparison(XAxis::Linear);
    figure.series.truncate(1);
    figure.series[0].groups = vec![Group { label: String::new(), x: Some(0.1), values: vec![0.0], color: None }];
    Figure::Comparison(figure.clone()).svg().expect("a picture");
    figure.series[0].groups[0].values = vec![0.4; 30];
    Figure::Comparison(figure).svg().expect("a picture");
    let one = Curve { name: String::new(), color: 0, kind: CurveKind::Validation, points: vec![(1.0, 0.05)] };
    let lone = Curves { curves: vec![one], mark: Some(("best".to_owned(), 1.0)), baseline: None, ..curves() };
    Figure::Curves(lone).svg().expect("a picture");
    Figure::Agreement(Agreement { pairs: vec![(1.0, -1.0)], ..agreement() }).svg().expect("a picture");
}

#[test]
fn invalid_characters_and_long_texts_stay_on_the_page() {
    let name = format!("a \u{1} <b> & {}", "long name ".repeat(60));
    let group = Group { label: name.clone(), x: None, values: vec![0.4, 0.5], color: None };
    let one = Series { name: name.clone(), groups: vec![group], color: 0 };
    let figure = Figure::Comparison(Comparison {
        title: name.clone(),
        subtitle: name.clone(),
        x_label: "setting".to_owned(),
        y_label: "R²".to_owned(),
        x_axis: XAxis::Categories,
        series: vec![one.clone(), one],
        baseline: Some((name, -90.0)),
    });
    let texts = texts(&figure.svg().expect("a picture"));
    assert!(texts.iter().any(|(words, _)| words.starts_with("a <b> & long") && words.ends_with('…')), "{texts:?}");
    assert!(texts.iter().all(|(_, edges)| edges[0] >= 0.0 && edges[2] <= 1_800.0), "{texts:?}");
}
