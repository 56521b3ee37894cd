//! The summary for documents: the runs, the effect of each setting and the differences from the best run, as tables with
//! notes, in Markdown and LaTeX.

use alfiere_charts::signed;
use alfiere_data::HeldOutUnit;
use alfiere_data::metrics::{CLIP_CENTIPAWNS, mean_and_deviation};
use alfiere_training::MEASURED_TRAINING_ROWS;

use super::effects::Effect;
use super::paired::PairedDifference;
use super::plan::{Plan, common_options};
use super::printed_table::{Table, latex_text};
use super::results::{Results, differ_in_form};
use super::settings::EpochSelection;
use super::tables::{Summary, chosen_r2};
use crate::VERSION;

/// The tables of an experiment: a title, columns and notes for each.
pub struct Document {
    parts: Vec<(String, Table, Vec<String>)>,
}

impl Document {
    /// The tables of the finished folds.
    pub fn new(results: &Results<'_>, summaries: &[Summary<'_>], effects: &[Effect]) -> Self {
        let plan = results.plan;
        let mut notes = notes(plan, summaries);
        if let Some(best) = summaries.first()
            && let Some(chosen) = chosen_r2(results, best.run)
        {
            notes.push(format!(
                "The best run is the best of these folds: R² {:.4}. Chosen on all folds but one and measured on that one, over \
                 all folds: R² {chosen:.4}.",
                best.r2.0
            ));
        }
        let mut parts = vec![(plan.title.clone(), runs(plan, summaries), notes)];
        if !effects.is_empty() {
            let others = plan.other_settings();
            let note = format!("R² of a setting's values, and its difference from the first value{others}. {TEST}");
            parts.push(("Effect of each setting on R²".to_owned(), effect_table(plan, effects), vec![note]));
        }
        if summaries.iter().any(|summary| summary.against_best.is_some()) {
            let title = "Differences from the best run in R²".to_owned();
            parts.push((title, differences(plan, summaries), difference_notes(summaries)));
        }
        Self { parts }
    }

    pub fn markdown(&self) -> String {
        let part = |(index, (title, table, notes)): (usize, &(String, Table, Vec<String>))| {
            let level = if index == 0 { "##" } else { "\n###" };
            let notes = notes.iter().fold("\n".to_owned(), |text, note| text + note + "\n");
            format!("{level} {title}\n\n{}{notes}", table.markdown())
        };
        self.parts.iter().enumerate().map(part).collect()
    }

    /// The tables in LaTeX, each with a comment before it and its notes after it; a line of the preamble comes first.
    pub fn latex(&self) -> String {
        let part = |(title, table, notes): &(String, Table, Vec<String>)| {
            let notes = notes.iter().map(|note| latex_text(note)).collect::<Vec<_>>().join("\n");
            format!(
                "\n% {title}\n{}\\par\\smallskip\\noindent{{\\footnotesize {notes}\\par}}\\medskip\n",
                table.latex()
            )
        };
        PREAMBLE.to_owned() + &self.parts.iter().map(part).collect::<String>()
    }
}

/// A table that starts with the settings that vary.
fn settings(plan: &Plan, summaries: &[Summary<'_>]) -> Table {
    let mut table = Table::default();
    for (index, axis) in plan.axes.iter().enumerate() {
        table.texts(&axis.key, summaries.iter().map(|s| axis.values[s.run.place[index]].text.clone()));
    }
    table
}

/// Numbers of rows that differ by less than this share are said to be equal: folds differ by a few.
const EQUAL_ROWS: f64 = 0.05;

/// The counts of the runs: name, value of a run.
type Count = (&'static str, fn(&Summary<'_>) -> f64);

const COUNTS: [Count; 4] = [
    ("training rows", |s| s.training_rows),
    ("validation rows", |s| s.validation_rows),
    ("folds", |s| s.folds as f64),
    ("epoch", |s| s.epoch),
];

/// The smallest and the largest value, if they differ.
fn range(summaries: &[Summary<'_>], of: fn(&Summary<'_>) -> f64) -> Result<(f64, f64), f64> {
    let (least, most) = summaries.iter().map(of).fold((f64::MAX, 0.0f64), |(a, b), x| (a.min(x), b.max(x)));
    if most > least * (1.0 + EQUAL_ROWS) { Ok((least, most)) } else { Err(most) }
}

fn runs(plan: &Plan, summaries: &[Summary<'_>]) -> Table {
    let mut table = settings(plan, summaries);
    let mut column = |name: &str, cell: &dyn Fn(&Summary<'_>) -> String| {
        table.numbers(name, summaries.iter().map(cell));
    };
    column("R²", &|s| signed(&format!("{:.4} ± {:.4}", s.r2.0, s.r2.1)));
    let is_given = summaries.iter().all(|s| (s.r2.0 - s.r2_as_given).abs() < 1e-9);
    if is_given {
        column("resolved", &|s| signed(&format!("{:.4}", s.r2_resolved)));
    } else {
        column("as given", &|s| signed(&format!("{:.4}", s.r2_as_given)));
    }
    column("training R²", &|s| signed(&format!("{:.4}", s.training_r2)));
    column("RMSE, cp", &|s| format!("{:.1}", s.rmse_centipawns));
    for (name, of) in COUNTS {
        if range(summaries, of).is_ok() {
            column(name, &|s| format!("{:.0}", of(s)));
        }
    }
    table
}

fn notes(plan: &Plan, summaries: &[Summary<'_>]) -> Vec<String> {
    let mut notes = Vec::new();
    let counts = COUNTS.iter().filter_map(|&(name, of)| Some(format!("{name} {:.0}", range(summaries, of).err()?)));
    let counts: Vec<String> = counts.collect();
    if !counts.is_empty() {
        notes.push(format!("Each run: {}.", counts.join(", ")));
    }
    let common = common_options(summaries.iter().map(|summary| summary.run));
    if !plan.axes.is_empty() && !common.is_empty() {
        notes.push(format!("All runs: {common}."));
    }
    notes.push(format!("Program: trainer {VERSION}."));
    notes.push(format!(
        "R²: mean ± standard deviation over the folds; beside it, of the same rows in their other form. Training R²: without \
         dropout, on at most {MEASURED_TRAINING_ROWS} rows of a fold."
    ));
    if differ_in_form(summaries.iter().map(|summary| summary.run)) {
        notes.push(
            "R² (but not training R²), its differences and the other errors are of the rows as given, because the runs differ in \
             captures."
                .to_owned(),
        );
    }
    notes.extend(units(summaries).map(|unit| format!("Split {unit}.")));
    if units(summaries).count() > 1 {
        notes.push("Runs split by rows are listed last, and none of them is the best run.".to_owned());
    }
    notes.extend(units(summaries).find_map(HeldOutUnit::warning).map(|warning| format!("Warning: {warning}.")));
    for selection in [EpochSelection::Last, EpochSelection::Inner] {
        if summaries.iter().any(|summary| summary.run.settings.selection == selection) {
            notes.push(format!("Selected epoch, {selection}."));
        }
    }
    for unit in units(summaries) {
        let runs = summaries.iter().filter(|summary| summary.unit == unit);
        let variances: Vec<f64> = runs.map(|summary| summary.label_variance).collect();
        if let Some((mse, _)) = mean_and_deviation(&variances) {
            let (centipawns, by) = (mse.sqrt() * CLIP_CENTIPAWNS, unit.name());
            notes.push(format!("Constant predictor, split by {by}: R² 0, RMSE {centipawns:.1} centipawns."));
        }
    }
    notes
}

/// The units of the runs, each once.
fn units<'a>(summaries: &'a [Summary<'_>]) -> impl Iterator<Item = HeldOutUnit> + 'a {
    let is_used = |unit: &HeldOutUnit| summaries.iter().any(|summary| summary.unit == *unit);
    HeldOutUnit::ALL.into_iter().filter(is_used)
}

/// Adds the columns of a difference.
fn difference_columns(table: &mut Table, name: &str, found: &[Option<PairedDifference>]) {
    let mut column = |name: &str, cell: &dyn Fn(&PairedDifference) -> Option<String>| {
        table.numbers(name, found.iter().map(|one| one.as_ref().and_then(cell).unwrap_or_default()));
    };
    let plus = |value: f64| signed(&format!("{value:+.4}"));
    column(name, &|one| Some(plus(one.mean)));
    column("95 % from", &|one| one.test.map(|test| plus(test.low)));
    column("to", &|one| one.test.map(|test| plus(test.high)));
    column("p", &|one| {
        one.test.map(|test| if test.p < 1e-4 { "< 0.0001".to_owned() } else { format!("{:.4}", test.p) })
    });
}

fn differences(plan: &Plan, summaries: &[Summary<'_>]) -> Table {
    let mut table = settings(plan, summaries);
    difference_columns(&mut table, "minus best", &summaries.iter().map(|s| s.against_best).collect::<Vec<_>>());
    table
}

fn effect_table(plan: &Plan, effects: &[Effect]) -> Table {
    let mut table = Table::default();
    table.texts("setting", effects.iter().map(|one| plan.axes[one.axis].key.clone()));
    table.texts("value", effects.iter().map(|one| plan.axes[one.axis].values[one.value].text.clone()));
    table.numbers("R²", effects.iter().map(|one| signed(&format!("{:.4}", one.r2))));
    difference_columns(&mut table, "minus first", &effects.iter().map(|one| one.against_first).collect::<Vec<_>>());
    table
}

/// How intervals and p are computed.
const TEST: &str = "Interval and p: paired t-test over the folds, corrected for overlapping training sides (Nadeau and Bengio \
                    2003), two-sided.";

fn difference_notes(summaries: &[Summary<'_>]) -> Vec<String> {
    let tests = summaries.iter().filter(|s| s.against_best.is_some_and(|one| one.test.is_some())).count();
    let mut notes = vec![TEST.to_owned()];
    if tests > 1 {
        notes.push(format!(
            "p is not adjusted for the number of comparisons: with {tests}, a difference to the best run is significant \
             at 5 % if p is below {:.4} (Bonferroni).",
            0.05 / tests as f64
        ));
    }
    notes
}

/// The packages that the tables need.
const PREAMBLE: &str = "% \\usepackage{booktabs,longtable,siunitx}\n";

#[cfg(test)]
mod tests {
    use super::super::effects::effects;
    use super::super::tables::{summaries, summary_csv};
    use super::super::test_store::store;
    use super::*;

    /// R² of the folds of three runs: the second is the best, the third differs from it by chance.
    const R2: [[f64; 3]; 3] = [[0.30, 0.34, 0.32], [0.41, 0.46, 0.42], [0.40, 0.42, 0.44]];
    const SWEEP: &str = "title = 'tiny'\ndata = ['a']\n[run]\nfolds = 3\nhidden = [[8], [64], [16]]\n";

    #[test]
    fn tables_of_a_tiny_sweep() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(folder.path(), SWEEP, |run, fold| R2[run][fold]);
        let results = Results::read(&store).expect("results");
        let found = summaries(&results);
        let document = Document::new(&results, &found, &effects(&results));
        assert_eq!(document.markdown().replace(VERSION, "VERSION"), MARKDOWN);
        assert_eq!(document.latex().replace(VERSION, "VERSION"), LATEX);
        let csv = summary_csv(store.plan(), &found);
        let cells: Vec<&str> = csv.lines().map(|line| line.split_once(',').expect("cells").1).collect();
        assert_eq!(cells, CSV);
        let json = serde_json::to_value(&found).expect("JSON");
        let number = |value: &serde_json::Value| format!("{:.4}", value.as_f64().unwrap_or(f64::NAN));
        assert_eq!((number(&json[1]["r2"]["mean"]), number(&json[1]["r2"]["sd"])), ("0.4200".into(), "0.0200".into()));
        let best = &json[1]["against_best"];
        assert_eq!(
            ["mean", "low", "high", "p"].map(|key| number(&best[key])),
            ["-0.0100", "-0.1086", "0.0886", "0.7051"]
        );
        assert_eq!(json[0]["against_best"], serde_json::Value::Null);
    }

    const MARKDOWN: &str = "\
## tiny

| hidden | R² | as given | training R² | RMSE, cp |
|---|---:|---:|---:|---:|
| [64] | 0.4300 ± 0.0265 | 0.3300 | 0.6800 | 300.0 |
| [16] | 0.4200 ± 0.0200 | 0.3200 | 0.6700 | 300.0 |
| [8] | 0.3200 ± 0.0200 | 0.2200 | 0.5700 | 300.0 |

Each run: training rows 1000, validation rows 250, folds 3, epoch 1.
All runs: net dual crelu x1, captures resolve, start random, epochs 15, batch 1024, lr 0.001, schedule cosine, final-lr 0.01, warmup 0, optimizer adamw, weight-decay 1, dropout 0.5, loss report, result-share 0.
Program: trainer VERSION.
R²: mean ± standard deviation over the folds; beside it, of the same rows in their other form. Training R²: without dropout, on at most 50000 rows of a fold.
Split by games: no game and no position is in both training and validation.
Selected epoch, last: a fold is validated after its last epoch.
Constant predictor, split by games: R² 0, RMSE 447.2 centipawns.
The best run is the best of these folds: R² 0.4300. Chosen on all folds but one and measured on that one, over all folds: R² 0.4167.

### Effect of each setting on R²

| setting | value | R² | minus first | 95 % from | to | p |
|---|---|---:|---:|---:|---:|---:|
| hidden | [8] | 0.3200 |  |  |  |  |
| hidden | [64] | 0.4300 | +0.1100 | +0.0771 | +0.1429 | 0.0048 |
| hidden | [16] | 0.4200 | +0.1000 | +0.0343 | +0.1657 | 0.0225 |

R² of a setting's values, and its difference from the first value. Interval and p: paired t-test over the folds, corrected for overlapping training sides (Nadeau and Bengio 2003), two-sided.

### Differences from the best run in R²

| hidden | minus best | 95 % from | to | p |
|---|---:|---:|---:|---:|
| [64] |  |  |  |  |
| [16] | −0.0100 | −0.1086 | +0.0886 | 0.7051 |
| [8] | −0.1100 | −0.1429 | −0.0771 | 0.0048 |

Interval and p: paired t-test over the folds, corrected for overlapping training sides (Nadeau and Bengio 2003), two-sided.
p is not adjusted for the number of comparisons: with 2, a difference to the best run is significant at 5 % if p is below 0.0250 (Bonferroni).
";

    const LATEX: &str = r"% \usepackage{booktabs,longtable,siunitx}

% tiny
\noindent{\footnotesize\setlength{\tabcolsep}{3pt}%
\begin{tabular}{lS[separate-uncertainty, table-format=1.4(4)]S[table-format=1.4]S[table-format=1.4]S[table-format=3.1]}
\toprule
hidden & {R$^2$} & {as given} & {training R$^2$} & {RMSE, cp} \\
\midrule
{[}64] & 0.4300 \pm 0.0265 & 0.3300 & 0.6800 & 300.0 \\
{[}16] & 0.4200 \pm 0.0200 & 0.3200 & 0.6700 & 300.0 \\
{[}8] & 0.3200 \pm 0.0200 & 0.2200 & 0.5700 & 300.0 \\
\bottomrule
\end{tabular}}
\par\smallskip\noindent{\footnotesize Each run: training rows 1000, validation rows 250, folds 3, epoch 1.
All runs: net dual crelu x1, captures resolve, start random, epochs 15, batch 1024, lr 0.001, schedule cosine, final-lr 0.01, warmup 0, optimizer adamw, weight-decay 1, dropout 0.5, loss report, result-share 0.
Program: trainer VERSION.
R$^2$: mean $\pm$ standard deviation over the folds; beside it, of the same rows in their other form. Training R$^2$: without dropout, on at most 50000 rows of a fold.
Split by games: no game and no position is in both training and validation.
Selected epoch, last: a fold is validated after its last epoch.
Constant predictor, split by games: R$^2$ 0, RMSE 447.2 centipawns.
The best run is the best of these folds: R$^2$ 0.4300. Chosen on all folds but one and measured on that one, over all folds: R$^2$ 0.4167.\par}\medskip

% Effect of each setting on R²
\noindent{\footnotesize\setlength{\tabcolsep}{3pt}%
\begin{tabular}{llS[table-format=1.4]S[retain-explicit-plus, table-format=+1.4]S[retain-explicit-plus, table-format=+1.4]S[retain-explicit-plus, table-format=+1.4]S[table-format=1.4]}
\toprule
setting & value & {R$^2$} & {minus first} & {95 \% from} & {to} & {p} \\
\midrule
hidden & {[}8] & 0.3200 &  &  &  &  \\
hidden & {[}64] & 0.4300 & +0.1100 & +0.0771 & +0.1429 & 0.0048 \\
hidden & {[}16] & 0.4200 & +0.1000 & +0.0343 & +0.1657 & 0.0225 \\
\bottomrule
\end{tabular}}
\par\smallskip\noindent{\footnotesize R$^2$ of a setting's values, and its difference from the first value. Interval and p: paired t-test over the folds, corrected for overlapping training sides (Nadeau and Bengio 2003), two-sided.\par}\medskip

% Differences from the best run in R²
\noindent{\footnotesize\setlength{\tabcolsep}{3pt}%
\begin{tabular}{lS[table-format=+1.4]S[table-format=+1.4]S[retain-explicit-plus, table-format=+1.4]S[table-format=1.4]}
\toprule
hidden & {minus best} & {95 \% from} & {to} & {p} \\
\midrule
{[}64] &  &  &  &  \\
{[}16] & -0.0100 & -0.1086 & +0.0886 & 0.7051 \\
{[}8] & -0.1100 & -0.1429 & -0.0771 & 0.0048 \\
\bottomrule
\end{tabular}}
\par\smallskip\noindent{\footnotesize Interval and p: paired t-test over the folds, corrected for overlapping training sides (Nadeau and Bengio 2003), two-sided.
p is not adjusted for the number of comparisons: with 2, a difference to the best run is significant at 5 \% if p is below 0.0250 (Bonferroni).\par}\medskip
";

    const CSV: [&str; 4] = [
        "hidden,folds,r2_mean,r2_sd,against_best,against_best_sd,against_best_low,against_best_high,against_best_p,mse_mean,\
         rmse_mean,mae_mean,training_rows,validation_rows,selection,epoch_mean,training_r2_mean,r2_as_given_mean,\
         r2_resolved_mean,held_out,seconds_per_fold",
        "[64],3,0.430000,0.026458,,,,,,0.100000,0.300000,0.200000,1000,250,last,1.0,0.680000,0.330000,0.430000,games,0.0",
        "[16],3,0.420000,0.020000,-0.010000,0.030000,-0.108586,0.088586,0.705116,0.100000,0.300000,0.200000,1000,250,\
         last,1.0,0.670000,0.320000,0.420000,games,0.0",
        "[8],3,0.320000,0.020000,-0.110000,0.010000,-0.142862,-0.077138,0.004786,0.100000,0.300000,0.200000,1000,250,\
         last,1.0,0.570000,0.220000,0.320000,games,0.0",
    ];

    #[test]
    fn a_single_run_has_no_differences() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(folder.path(), "data = ['a']\n[run]\nfolds = 3\n", |_, fold| R2[0][fold]);
        let results = Results::read(&store).expect("results");
        let text = Document::new(&results, &summaries(&results), &effects(&results)).markdown();
        assert!(!text.contains("###"), "{text}");
    }
}
