//! The summary for documents: the runs and their differences as tables with notes, in Markdown and LaTeX.

use alfiere_charts::signed;
use alfiere_data::HeldOutUnit;
use alfiere_data::metrics::{CLIP_CENTIPAWNS, mean_and_deviation};
use alfiere_training::MEASURED_TRAINING_ROWS;

use super::paired::PairedDifference;
use super::plan::Plan;
use super::settings::EpochSelection;
use super::tables::{Summary, differ_in_form};

const DIFFERENCES: &str = "Differences in R², fold by fold";

pub fn summary_markdown(plan: &Plan, summaries: &[Summary<'_>]) -> String {
    let lines = |notes: Vec<String>| notes.iter().fold("\n".to_owned(), |text, note| text + note + "\n");
    let runs = format!("## {}\n\n{}{}", plan.title, runs(plan, summaries).markdown(), lines(notes(summaries)));
    let Some(table) = differences(plan, summaries) else { return runs };
    format!("{runs}\n### {DIFFERENCES}\n\n{}{}", table.markdown(), lines(difference_notes(summaries)))
}

/// The summary in LaTeX: tables, each with a comment before it and its notes after it.
pub fn summary_latex(plan: &Plan, summaries: &[Summary<'_>]) -> String {
    let part = |title: &str, table: &Table, notes: Vec<String>| {
        let notes = notes.iter().map(|note| latex_text(note)).collect::<Vec<_>>().join("\n");
        format!("% {title}\n{}\n{notes}\n", table.latex())
    };
    let runs = part(&plan.title, &runs(plan, summaries), notes(summaries));
    let Some(table) = differences(plan, summaries) else { return runs };
    format!("{runs}\n{}", part(DIFFERENCES, &table, difference_notes(summaries)))
}

/// A table that starts with the settings that vary.
fn settings(plan: &Plan, summaries: &[Summary<'_>]) -> Table {
    let mut table = Table::default();
    for (index, axis) in plan.axes.iter().enumerate() {
        table.texts(&axis.key, summaries.iter().map(|s| axis.values[s.run.place[index]].text.clone()));
    }
    table
}

fn runs(plan: &Plan, summaries: &[Summary<'_>]) -> Table {
    let mut table = settings(plan, summaries);
    let mut column = |name: &str, cell: &dyn Fn(&Summary<'_>) -> String| {
        table.numbers(name, summaries.iter().map(cell));
    };
    column("R²", &|s| signed(&format!("{:.4} ± {:.4}", s.r2.0, s.r2.1)));
    column("as given", &|s| signed(&format!("{:.4}", s.r2_as_given)));
    column("resolved", &|s| signed(&format!("{:.4}", s.r2_resolved)));
    column("training R²", &|s| signed(&format!("{:.4}", s.training_r2)));
    column("RMSE, centipawns", &|s| format!("{:.1}", s.rmse_centipawns));
    column("MSE", &|s| format!("{:.4}", s.mse));
    column("RMSE", &|s| format!("{:.4}", s.rmse));
    column("MAE", &|s| format!("{:.4}", s.mae));
    column("training rows", &|s| format!("{:.0}", s.training_rows));
    column("validation rows", &|s| format!("{:.0}", s.validation_rows));
    column("folds", &|s| s.folds.to_string());
    column("epoch", &|s| format!("{:.1}, {}", s.epoch, s.run.settings.selection.name()));
    column("s per fold", &|s| format!("{:.1}", s.seconds));
    table
}

fn notes(summaries: &[Summary<'_>]) -> Vec<String> {
    let mut notes = vec![format!(
        "± is the standard deviation over the folds. R² of the same rows as given and with captures resolved beside it. \
         Training R² is measured without dropout, on at most {MEASURED_TRAINING_ROWS} rows of a fold."
    )];
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
            let (rmse, by) = (mse.sqrt(), unit.name());
            let centipawns = rmse * CLIP_CENTIPAWNS;
            notes.push(format!(
                "Constant predictor, split by {by}: R² 0, RMSE {centipawns:.1} centipawns, MSE {mse:.4}, RMSE {rmse:.4}."
            ));
        }
    }
    notes
}

/// The units of the runs, each once.
fn units<'a>(summaries: &'a [Summary<'_>]) -> impl Iterator<Item = HeldOutUnit> + 'a {
    let is_used = |unit: &HeldOutUnit| summaries.iter().any(|summary| summary.unit == *unit);
    HeldOutUnit::ALL.into_iter().filter(is_used)
}

/// Every run against the best, and against the plan's first run unless that is the best. `None` without anything to
/// compare.
fn differences(plan: &Plan, summaries: &[Summary<'_>]) -> Option<Table> {
    if summaries.iter().all(|s| s.against_best.is_none() && s.against_first.is_none()) {
        return None;
    }
    let mut table = settings(plan, summaries);
    let mut compare = |other: &str, of: fn(&Summary<'_>) -> Option<PairedDifference>| {
        let found: Vec<Option<PairedDifference>> = summaries.iter().map(of).collect();
        let mut column = |name: &str, cell: &dyn Fn(&PairedDifference) -> Option<String>| {
            table.numbers(name, found.iter().map(|one| one.as_ref().and_then(cell).unwrap_or_default()));
        };
        let plus = |value: f64| signed(&format!("{value:+.4}"));
        column(&format!("minus {other} run"), &|one| Some(plus(one.mean)));
        column("95 % interval", &|one| one.test.map(|test| format!("{} to {}", plus(test.low), plus(test.high))));
        column("p", &|one| {
            one.test.map(|test| if test.p < 1e-4 { "< 0.0001".to_owned() } else { format!("{:.4}", test.p) })
        });
    };
    compare("best", |s| s.against_best);
    if summaries.iter().any(|s| s.against_first.is_some() && s.against_first != s.against_best) {
        compare("first", |s| s.against_first);
    }
    Some(table)
}

fn difference_notes(summaries: &[Summary<'_>]) -> Vec<String> {
    let tests = summaries.iter().filter(|s| s.against_best.is_some_and(|one| one.test.is_some())).count();
    let mut notes = vec![
        "Interval and p: paired t-test over the folds, corrected for overlapping training sides (Nadeau and Bengio 2003), \
         two-sided."
            .to_owned(),
    ];
    if tests > 1 {
        notes.push(format!(
            "p is not adjusted for the number of comparisons: with {tests}, a difference to the best run is significant \
             at 5 % if p is below {:.4} (Bonferroni).",
            0.05 / tests as f64
        ));
    }
    notes
}

/// A table, built column by column.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Table {
    columns: Vec<Column>,
}

#[derive(Clone, PartialEq, Debug)]
struct Column {
    name: String,
    is_number: bool,
    cells: Vec<String>,
}

impl Table {
    /// Adds a column of texts, aligned to the left. All columns have the same number of cells.
    pub fn texts(&mut self, name: &str, cells: impl IntoIterator<Item = String>) {
        self.columns.push(Column { name: name.to_owned(), is_number: false, cells: cells.into_iter().collect() });
    }

    /// Adds a column of numbers, aligned to the right.
    pub fn numbers(&mut self, name: &str, cells: impl IntoIterator<Item = String>) {
        self.columns.push(Column { name: name.to_owned(), is_number: true, cells: cells.into_iter().collect() });
    }

    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = self.columns.iter().map(|column| if column.is_number { "---:|" } else { "---|" });
        let head = line(self.names().map(markdown_text).collect()) + "|" + &rule.collect::<String>() + "\n";
        self.rows().fold(head, |text, row| text + &line(row.map(markdown_text).collect()))
    }

    /// The table in LaTeX, with the rules of the package booktabs.
    pub fn latex(&self) -> String {
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let columns: String = self.columns.iter().map(|column| if column.is_number { 'r' } else { 'l' }).collect();
        let head = line(self.names().map(latex_text).collect());
        let rows: String = self.rows().map(|row| line(row.map(latex_text).collect())).collect();
        format!(
            "% \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n"
        )
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        let count = self.columns.iter().map(|column| column.cells.len()).min().unwrap_or(0);
        (0..count).map(|row| self.columns.iter().map(move |column| column.cells[row].as_str()))
    }
}

fn markdown_text(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The text with LaTeX's special characters escaped.
pub(super) fn latex_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' | '>' | '|' => escaped.extend(['$', letter, '$']),
            // After the end of a row, a bracket would be an argument.
            '[' => escaped.push_str("{[}"),
            '±' => escaped.push_str("$\\pm$"),
            '−' => escaped.push_str("$-$"),
            '²' => escaped.push_str("$^2$"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
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
        let (plan, found) = (store.plan(), summaries(&store).expect("results"));
        assert_eq!(summary_markdown(plan, &found), MARKDOWN);
        assert_eq!(summary_latex(plan, &found), LATEX);
        let csv = summary_csv(plan, &found);
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

| hidden | R² | as given | resolved | training R² | RMSE, centipawns | MSE | RMSE | MAE | training rows | validation rows | folds | epoch | s per fold |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| [64] | 0.4300 ± 0.0265 | 0.3300 | 0.4300 | 0.6800 | 300.0 | 0.1000 | 0.3000 | 0.2000 | 1000 | 250 | 3 | 1.0, last | 0.0 |
| [16] | 0.4200 ± 0.0200 | 0.3200 | 0.4200 | 0.6700 | 300.0 | 0.1000 | 0.3000 | 0.2000 | 1000 | 250 | 3 | 1.0, last | 0.0 |
| [8] | 0.3200 ± 0.0200 | 0.2200 | 0.3200 | 0.5700 | 300.0 | 0.1000 | 0.3000 | 0.2000 | 1000 | 250 | 3 | 1.0, last | 0.0 |

± is the standard deviation over the folds. R² of the same rows as given and with captures resolved beside it. Training R² is measured without dropout, on at most 50000 rows of a fold.
Split by games: no game and no position is in both training and validation.
Selected epoch, last: a fold is validated after its last epoch.
Constant predictor, split by games: R² 0, RMSE 447.2 centipawns, MSE 0.2000, RMSE 0.4472.

### Differences in R², fold by fold

| hidden | minus best run | 95 % interval | p | minus first run | 95 % interval | p |
|---|---:|---:|---:|---:|---:|---:|
| [64] |  |  |  | +0.1100 | +0.0771 to +0.1429 | 0.0048 |
| [16] | −0.0100 | −0.1086 to +0.0886 | 0.7051 | +0.1000 | +0.0343 to +0.1657 | 0.0225 |
| [8] | −0.1100 | −0.1429 to −0.0771 | 0.0048 |  |  |  |

Interval and p: paired t-test over the folds, corrected for overlapping training sides (Nadeau and Bengio 2003), two-sided.
p is not adjusted for the number of comparisons: with 2, a difference to the best run is significant at 5 % if p is below 0.0250 (Bonferroni).
";

    const LATEX: &str = r"% tiny
% \usepackage{booktabs}
\begin{tabular}{lrrrrrrrrrrrrr}
\toprule
hidden & R$^2$ & as given & resolved & training R$^2$ & RMSE, centipawns & MSE & RMSE & MAE & training rows & validation rows & folds & epoch & s per fold \\
\midrule
{[}64] & 0.4300 $\pm$ 0.0265 & 0.3300 & 0.4300 & 0.6800 & 300.0 & 0.1000 & 0.3000 & 0.2000 & 1000 & 250 & 3 & 1.0, last & 0.0 \\
{[}16] & 0.4200 $\pm$ 0.0200 & 0.3200 & 0.4200 & 0.6700 & 300.0 & 0.1000 & 0.3000 & 0.2000 & 1000 & 250 & 3 & 1.0, last & 0.0 \\
{[}8] & 0.3200 $\pm$ 0.0200 & 0.2200 & 0.3200 & 0.5700 & 300.0 & 0.1000 & 0.3000 & 0.2000 & 1000 & 250 & 3 & 1.0, last & 0.0 \\
\bottomrule
\end{tabular}

$\pm$ is the standard deviation over the folds. R$^2$ of the same rows as given and with captures resolved beside it. Training R$^2$ is measured without dropout, on at most 50000 rows of a fold.
Split by games: no game and no position is in both training and validation.
Selected epoch, last: a fold is validated after its last epoch.
Constant predictor, split by games: R$^2$ 0, RMSE 447.2 centipawns, MSE 0.2000, RMSE 0.4472.

% Differences in R², fold by fold
% \usepackage{booktabs}
\begin{tabular}{lrrrrrr}
\toprule
hidden & minus best run & 95 \% interval & p & minus first run & 95 \% interval & p \\
\midrule
{[}64] &  &  &  & +0.1100 & +0.0771 to +0.1429 & 0.0048 \\
{[}16] & $-$0.0100 & $-$0.1086 to +0.0886 & 0.7051 & +0.1000 & +0.0343 to +0.1657 & 0.0225 \\
{[}8] & $-$0.1100 & $-$0.1429 to $-$0.0771 & 0.0048 &  &  &  \\
\bottomrule
\end{tabular}

Interval and p: paired t-test over the folds, corrected for overlapping training sides (Nadeau and Bengio 2003), two-sided.
p is not adjusted for the number of comparisons: with 2, a difference to the best run is significant at 5 \% if p is below 0.0250 (Bonferroni).
";

    const CSV: [&str; 4] = [
        "hidden,folds,r2_mean,r2_sd,against_first,against_first_sd,against_first_low,against_first_high,against_first_p,\
         against_best,against_best_sd,against_best_low,against_best_high,against_best_p,mse_mean,rmse_mean,mae_mean,\
         training_rows,validation_rows,selection,epoch_mean,training_r2_mean,r2_as_given_mean,\
         r2_resolved_mean,held_out,seconds_per_fold",
        "[64],3,0.430000,0.026458,0.110000,0.010000,0.077138,0.142862,0.004786,,,,,,0.100000,0.300000,0.200000,1000,250,\
         last,1.0,0.680000,0.330000,0.430000,games,0.0",
        "[16],3,0.420000,0.020000,0.100000,0.020000,0.034276,0.165724,0.022547,-0.010000,0.030000,-0.108586,0.088586,\
         0.705116,0.100000,0.300000,0.200000,1000,250,last,1.0,0.670000,0.320000,0.420000,games,0.0",
        "[8],3,0.320000,0.020000,,,,,,-0.110000,0.010000,-0.142862,-0.077138,0.004786,0.100000,0.300000,0.200000,1000,250,\
         last,1.0,0.570000,0.220000,0.320000,games,0.0",
    ];

    #[test]
    fn a_single_run_has_no_differences() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(folder.path(), "data = ['a']\n[run]\nfolds = 3\n", |_, fold| R2[0][fold]);
        let text = summary_markdown(store.plan(), &summaries(&store).expect("results"));
        assert!(!text.contains(DIFFERENCES), "{text}");
    }

    #[test]
    fn special_characters_are_escaped() {
        let mut table = Table::default();
        table.texts("net_a", ["[16,8] x|y", "50 % & {b}\\"].map(str::to_owned));
        table.numbers("R²", ["0.5 ± 0.1", "−0.1"].map(str::to_owned));
        let markdown = "| net_a | R² |\n|---|---:|\n| [16,8] x\\|y | 0.5 ± 0.1 |\n| 50 % & {b}\\ | −0.1 |\n";
        assert_eq!(table.markdown(), markdown);
        let latex = r"% \usepackage{booktabs}
\begin{tabular}{lr}
\toprule
net\_a & R$^2$ \\
\midrule
{[}16,8] x$|$y & 0.5 $\pm$ 0.1 \\
50 \% \& \{b\}\textbackslash{} & $-$0.1 \\
\bottomrule
\end{tabular}
";
        assert_eq!(table.latex(), latex);
    }
}
