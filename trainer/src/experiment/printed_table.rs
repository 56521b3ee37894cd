//! A table as Markdown, and as LaTeX for the packages booktabs, longtable and siunitx.

/// The start of a table that several settings fit into.
const NARROW: &str = "\\noindent{\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n";

/// A longer table is broken between pages.
const ROWS_OF_A_PAGE: usize = 30;

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

impl Column {
    /// The options of siunitx' column `S` that align its cells; `None` unless all of them are numbers or empty, with as many
    /// decimals.
    fn number_format(&self) -> Option<String> {
        let cells = self.cells.iter().filter(|cell| !cell.is_empty()).map(|cell| cell.replace('−', "-"));
        let cells: Vec<String> = cells.collect();
        let numbers: Vec<Vec<&str>> = cells.iter().map(|cell| cell.split(" ± ").collect()).collect();
        let is_number = |text: &&str| text.parse::<f64>().is_ok_and(f64::is_finite);
        if !self.is_number || numbers.is_empty() || !numbers.iter().flatten().all(is_number) {
            return None;
        }
        let has_deviation = numbers.iter().all(|cell| cell.len() == 2);
        if !has_deviation && numbers.iter().any(|cell| cell.len() != 1) {
            return None;
        }
        let decimals = |text: &str| text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let whole = |text: &str| text.split('.').next().unwrap_or_default().trim_start_matches(['+', '-']).len();
        let first = || numbers.iter().map(|cell| cell[0]);
        let (digits, places) = (first().map(whole).max()?, first().map(decimals).max()?);
        let sign = if first().any(|text| text.starts_with(['+', '-'])) { "+" } else { "" };
        let plus = if first().any(|text| text.starts_with('+')) { "retain-explicit-plus, " } else { "" };
        let (deviation, separate) =
            if has_deviation { (format!("({places})"), "separate-uncertainty, ") } else { (String::new(), "") };
        Some(format!("{plus}{separate}table-format={sign}{digits}.{places}{deviation}"))
    }
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

    /// The table in LaTeX, with the rules of the package booktabs and the columns of numbers of siunitx.
    pub fn latex(&self) -> String {
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        let formats: Vec<Option<String>> = self.columns.iter().map(Column::number_format).collect();
        let columns: String = self
            .columns
            .iter()
            .zip(&formats)
            .map(|(column, format)| match format {
                Some(format) => format!("S[{format}]"),
                None => {
                    if column.is_number {
                        "r".to_owned()
                    } else {
                        "l".to_owned()
                    }
                }
            })
            .collect();
        // Braces keep a name from being read as a number.
        let name = |(column, format): (&Column, &Option<String>)| {
            let text = latex_text(&column.name);
            if format.is_some() { format!("{{{text}}}") } else { text }
        };
        let head = line(self.columns.iter().zip(&formats).map(name).collect());
        let cell = |(text, format): (&str, &Option<String>)| match format {
            Some(_) => text.replace('−', "-").replace('±', "\\pm"),
            None => latex_text(text),
        };
        let rows: String = self.rows().map(|row| line(row.zip(&formats).map(cell).collect())).collect();
        let (name, end_of_head) =
            if self.rows().count() > ROWS_OF_A_PAGE { ("longtable", "\\endhead\n") } else { ("tabular", "") };
        let table = format!("{{{columns}}}\n\\toprule\n{head}\\midrule\n{end_of_head}{rows}\\bottomrule\n");
        format!("{NARROW}\\begin{{{name}}}{table}\\end{{{name}}}}}\n")
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
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        let mut table = Table::default();
        table.texts("net_a", ["[16,8] x|y", "50 % & {b}\\"].map(str::to_owned));
        table.numbers("R²", ["0.5 ± 0.1", "−0.1"].map(str::to_owned));
        let markdown = "| net_a | R² |\n|---|---:|\n| [16,8] x\\|y | 0.5 ± 0.1 |\n| 50 % & {b}\\ | −0.1 |\n";
        assert_eq!(table.markdown(), markdown);
        let latex = r"\noindent{\footnotesize\setlength{\tabcolsep}{3pt}%
\begin{tabular}{lr}
\toprule
net\_a & R$^2$ \\
\midrule
{[}16,8] x$|$y & 0.5 $\pm$ 0.1 \\
50 \% \& \{b\}\textbackslash{} & $-$0.1 \\
\bottomrule
\end{tabular}}
";
        assert_eq!(table.latex(), latex);
        let mut long = Table::default();
        long.numbers("n", (0..=ROWS_OF_A_PAGE).map(|row| row.to_string()));
        assert!(
            long.latex().contains("{n} \\\\\n\\midrule\n\\endhead\n0 \\\\\n")
                && long.latex().ends_with("\\end{longtable}}\n")
        );
    }
}
