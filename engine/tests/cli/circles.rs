//! No two files of a crate import each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::data;

/// The names of a module from its crate's root.
type Module = Vec<String>;

/// The modules of a crate's folder `src`, with their text without comments and tests.
fn read(folder: &Path, module: &[String], modules: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let own = [module, std::slice::from_ref(&stem)].concat();
        if stem == "tests" || stem == "assets" {
        } else if path.is_dir() {
            read(&path, &own, modules);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let tests = |start: &str| text.find(&format!("#[cfg(test)]\n{start}mod tests {{"));
            let code = text[..tests("").or_else(|| tests("pub(super) ")).unwrap_or(text.len())].lines();
            let code = code.map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n");
            modules.insert(if ["lib", "main", "mod"].contains(&&*stem) { module.to_vec() } else { own }, code);
        }
    }
}

/// The paths of `a::{b, c::d}`.
fn paths(tree: &str, before: &[String], found: &mut Vec<Module>) {
    let (head, list) = tree.trim().split_once('{').unwrap_or((tree.trim(), ""));
    let head = head.split(" as ").next().unwrap().split("::").map(str::trim).filter(|name| !name.is_empty());
    let path = [before, &head.map(str::to_owned).collect::<Vec<_>>()].concat();
    if list.is_empty() {
        return found.push(path);
    }
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in list.char_indices() {
        if depth == 0 && (letter == ',' || letter == '}') {
            let part = list[start..at].trim();
            start = at + 1;
            if !part.is_empty() {
                paths(part, &path, found);
            }
        }
        depth += i32::from(letter == '{') - i32::from(letter == '}');
    }
}

/// The paths that a module imports, and those that it exports again, from the crate's root.
fn imports(module: &Module, code: &str) -> [Vec<Module>; 2] {
    let mut found = [const { Vec::new() }; 2];
    for statement in code.split(';') {
        let Some((before, tree)) = statement.rsplit_once("use ") else { continue };
        let line = before.rsplit('\n').next().unwrap().trim();
        if line.is_empty() || line.starts_with("pub") {
            paths(tree, &[], &mut found[usize::from(!line.is_empty())]);
        }
    }
    let absolute = |path: Module| {
        let steps = path.iter().take_while(|name| ["crate", "self", "super"].contains(&name.as_str())).count();
        let mut base = module.clone();
        for step in &path[..steps] {
            match step.as_str() {
                "crate" => base.clear(),
                "super" => _ = base.pop(),
                _ => {}
            }
        }
        [&base[..], &path[steps..]].concat()
    };
    found.map(|paths| paths.into_iter().map(absolute).collect())
}

#[test]
fn no_two_files_import_each_other() {
    let engine = ["", "arena", "chess", "nnue", "pages", "rules", "search", "syzygy", "terminal", "wasm"];
    let trainer = ["", "charts", "data", "model", "sources", "teacher", "training", "wasm"];
    let crates = engine.map(|name| ("engine", name)).into_iter().chain(trainer.map(|name| ("trainer", name)));
    for (program, name) in crates {
        let mut modules = BTreeMap::new();
        read(&Path::new(&data(program)).join(name).join("src"), &[], &mut modules);
        let known: BTreeMap<&Module, [Vec<Module>; 2]> =
            modules.iter().map(|(module, code)| (module, imports(module, code))).collect();
        // The module that a path leads to, through what others export again.
        let file_of = |path: &Module| {
            let mut path = path.clone();
            for _ in 0..9 {
                let length = (0..=path.len()).rev().find(|&length| known.contains_key(&path[..length].to_vec()))?;
                let (module, rest) = (path[..length].to_vec(), path[length..].to_vec());
                let next = known[&module][1].iter().find(|export| !rest.is_empty() && export.last() == rest.first());
                match next {
                    Some(export) if *export != path => path = [&export[..], &rest[1..]].concat(),
                    _ => return Some(module),
                }
            }
            None
        };
        let edges: BTreeSet<(Module, Module)> = known
            .iter()
            .flat_map(|(&module, [used, _])| used.iter().map(move |path| (module.clone(), path)))
            // A name for a module of its own is no import.
            .filter(|(module, path)| path.len() != module.len() + 1 || !known.contains_key(path))
            .filter_map(|(module, path)| Some((module, file_of(path)?)))
            .filter(|(module, other)| module != other)
            .collect();
        assert!(edges.len() > 50 || name != "search", "{edges:?}");
        let circles: Vec<_> = edges.iter().filter(|(a, b)| a < b && edges.contains(&(b.clone(), a.clone()))).collect();
        assert!(circles.is_empty(), "{program}/{name}: {circles:?}");
    }
}
