//! The experiment's samples, the kept measurements and the figure drawn from them.

use alfiere_tablut::{
    chart::{Language, shares, svg},
    experiment::{HEADER, Sample, samples},
};

const KEPT: &str = include_str!("../../src/tablut/symmetry.csv");
const FIGURES: [(Language, &str); 2] = [
    (Language::English, include_str!("../../src/tablut/symmetry.svg")),
    (Language::Italian, include_str!("../../../book-it/src/tablut/symmetry.svg")),
];

fn kept() -> Vec<Sample> {
    let mut lines = KEPT.lines();
    assert_eq!(lines.next(), Some(HEADER));
    lines.map(|line| Sample::parse(line).expect(line)).collect()
}

#[test]
fn samples_survive_the_csv() {
    let measured = samples(0, 2, 1);
    assert!(measured.len() > 3);
    for sample in measured {
        assert_eq!(Sample::parse(&sample.to_string()), Some(sample));
    }
    for line in ["", "1,2,3", "1,2,3,4,5,6,x", "1,2,3,4,5,6,7,8"] {
        assert_eq!(Sample::parse(line), None, "{line}");
    }
}

#[test]
fn the_figures_belong_to_the_kept_measurements() {
    for (language, figure) in FIGURES {
        assert!(svg(&kept(), language).expect("drawn") == figure, "{language:?}: draw it again with the command chart");
    }
}

#[test]
fn shares_are_ratios_of_sums() {
    let sample = |nodes, microseconds| Sample { game: 0, ply: 4, depth: 3, nodes, microseconds };
    let share = shares(&[sample([100, 50], [10, 5]), sample([300, 50], [10, 10])])[0];
    assert_eq!((share.ply, share.positions, share.nodes, share.time), (4, 2, 25.0, 75.0));
}
