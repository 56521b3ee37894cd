//! Tables for documents: Markdown and LaTeX from the same cells.

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

    /// The table in Markdown.
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
    use super::*;

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
