//! The code in the chapters is that of the sources: after `<!-- code: PATH#ANCHOR -->`, a block of Rust holds what is between
//! `// ANCHOR: ANCHOR` and `// ANCHOR_END: ANCHOR` in the file. With `BOOK_FILL=1` the blocks are written, otherwise compared.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

const MARKER: &str = "<!-- code: ";
const FENCE: &str = "```rust\n";
const ANCHOR: &str = "// ANCHOR: ";

/// The lines between the comments of an anchor, without their common indentation.
fn fragment(root: &Path, place: &str) -> Result<String, String> {
    let (path, anchor) = place.split_once('#').ok_or_else(|| format!("{place}: expected PATH#ANCHOR"))?;
    let text = fs::read_to_string(root.join(path)).map_err(|error| format!("{path} cannot be read: {error}"))?;
    let mut lines = text.lines().skip_while(|line| line.trim().strip_prefix(ANCHOR) != Some(anchor));
    lines.next().ok_or_else(|| format!("{path} has no line \"{ANCHOR}{anchor}\""))?;
    let inner: Vec<&str> = lines.take_while(|line| !line.trim().starts_with("// ANCHOR")).collect();
    let indent = inner.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    let indent = indent.ok_or_else(|| format!("{path} has nothing after \"{ANCHOR}{anchor}\""))?;
    let plain: Vec<&str> = inner.iter().map(|line| line.get(indent..).unwrap_or("")).collect();
    Ok(plain.join("\n") + "\n")
}

/// A chapter with the code of the sources. `places` receives the places that it shows, `faults` a sentence for each block that
/// cannot be filled.
fn filled(root: &Path, chapter: &str, places: &mut BTreeSet<String>, faults: &mut Vec<String>) -> String {
    let mut parts = chapter.split(MARKER);
    let mut text = parts.next().unwrap_or("").to_owned();
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
        places.insert(place.to_owned());
        let code = fragment(root, place).unwrap_or_else(|fault| {
            faults.push(fault);
            old.to_owned()
        });
        text.push_str(&[place, " -->\n", FENCE, &code, "```\n", rest].concat());
    }
    text
}

/// The places of all anchors in the Rust files of a folder, given by its path from the root.
fn anchors(root: &Path, folder: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(root.join(folder)).expect(folder) {
        let entry = entry.expect(folder);
        let path = format!("{folder}/{}", entry.file_name().display());
        if entry.file_type().expect(&path).is_dir() {
            anchors(root, &path, found);
        } else if Path::new(&path).extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(root.join(&path)).expect(&path);
            let names = text.lines().filter_map(|line| line.trim_start().strip_prefix(ANCHOR));
            found.extend(names.map(|name| format!("{path}#{name}")));
        }
    }
}

#[test]
fn chapters_show_the_code_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let (mut places, mut faults) = (BTreeSet::new(), Vec::new());
    for folder in ["docs/book/src", "docs/book-it/src"] {
        for entry in fs::read_dir(root.join(folder)).expect(folder) {
            let path = entry.expect(folder).path();
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().display());
            let chapter = fs::read_to_string(&path).expect(&name);
            let mut missing = Vec::new();
            let text = filled(&root, &chapter, &mut places, &mut missing);
            faults.extend(missing.into_iter().map(|fault| format!("{name}: {fault}")));
            if text == chapter {
                continue;
            }
            if env::var_os("BOOK_FILL").is_some() {
                fs::write(&path, text).expect(&name);
            } else {
                let command = "BOOK_FILL=1 cargo test -p alfiere-book --test book_code";
                faults.push(format!("{name}: code differs from the sources; {command} writes it"));
            }
        }
    }
    let mut all = BTreeSet::new();
    for folder in ["engine", "trainer", "docs/book"] {
        anchors(&root, folder, &mut all);
    }
    faults.extend(all.difference(&places).map(|place| format!("{place}: no chapter shows this anchor")));
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
