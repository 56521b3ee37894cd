//! The code in the chapters is that of the sources: after `<!-- code: PATH#ANCHOR -->`, a block of Rust holds what is between
//! `// ANCHOR: ANCHOR` and `// ANCHOR_END: ANCHOR` in the file. With `BOOK_FILL=1` the blocks are written, otherwise compared.

use std::path::Path;
use std::{env, fs};

const MARKER: &str = "<!-- code: ";
const FENCE: &str = "```rust\n";

/// The lines between the comments of an anchor, without their common indentation.
fn fragment(root: &Path, place: &str) -> Result<String, String> {
    let (path, anchor) = place.split_once('#').ok_or_else(|| format!("{place}: expected PATH#ANCHOR"))?;
    let text = fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))?;
    let mut lines = text.lines().skip_while(|line| line.trim() != format!("// ANCHOR: {anchor}"));
    lines.next().ok_or_else(|| format!("{path} has no line \"// ANCHOR: {anchor}\""))?;
    let inner: Vec<&str> = lines.by_ref().take_while(|line| !line.trim().starts_with("// ANCHOR")).collect();
    let indent = inner.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    let Some(indent) = indent else { return Err(format!("{path}: nothing after \"// ANCHOR: {anchor}\"")) };
    Ok(inner.iter().map(|line| format!("{}\n", line.get(indent..).unwrap_or(""))).collect())
}

/// A chapter with the code of the sources, and a sentence for each block that cannot be filled.
fn filled(root: &Path, chapter: &str) -> (String, Vec<String>) {
    let mut parts = chapter.split(MARKER);
    let (mut text, mut faults) = (parts.next().unwrap_or("").to_owned(), Vec::new());
    for part in parts {
        let block = part.split_once(" -->\n").and_then(|(place, rest)| {
            let (old, rest) = rest.strip_prefix(FENCE)?.split_once("```\n")?;
            Some((place, old, rest))
        });
        text.push_str(MARKER);
        let Some((place, old, rest)) = block else {
            faults.push(format!("\"{MARKER}{}\" needs a block of Rust below", part.lines().next().unwrap_or("")));
            text.push_str(part);
            continue;
        };
        let code = fragment(root, place).unwrap_or_else(|fault| {
            faults.push(fault);
            old.to_owned()
        });
        text.push_str(&format!("{place} -->\n{FENCE}{code}```\n{rest}"));
    }
    (text, faults)
}

#[test]
fn chapters_show_the_code_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut faults = Vec::new();
    for folder in ["docs/book/src", "docs/book-it/src"] {
        for entry in fs::read_dir(root.join(folder)).expect(folder) {
            let path = entry.expect(folder).path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().display());
            let chapter = fs::read_to_string(&path).expect(&name);
            let (text, missing) = filled(&root, &chapter);
            faults.extend(missing.into_iter().map(|fault| format!("{name}: {fault}")));
            if text == chapter {
                continue;
            }
            if env::var_os("BOOK_FILL").is_some() {
                fs::write(&path, text).expect(&name);
            } else {
                faults.push(format!(
                    "{name}: code differs from the sources; BOOK_FILL=1 cargo test -p alfiere-book --test book_code writes it"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
