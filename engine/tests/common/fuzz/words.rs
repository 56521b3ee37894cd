//! Invalid lines: garbage, numbers out of range, and damaged commands.

use alfiere_chess::random::Random;

const COMMANDS: [&str; 13] = [
    "uci",
    "isready",
    "setoption name",
    "position fen",
    "position startpos moves",
    "go",
    "stop",
    "ponderhit",
    "debug",
    "ucinewgame",
    "register",
    "info",
    "bestmove",
];
const WORDS: [&str; 24] = [
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "a7a8q",
    "0000",
    "w",
    "-",
    "KQkq",
    "8/8/8/8/8/8/8/8",
    "depth",
    "nodes",
    "wtime",
    "infinite",
    "ponder",
    "searchmoves",
    "name",
    "value",
    "Hash",
    "MultiPV",
    "true",
    "\u{feff}",
    "♔♞",
    "e\u{301}2e4",
];
/// Longer than any fixed-size buffer.
const LONG: usize = 70_000;

pub(super) fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len() as u64) as usize]
}

/// A number that no GUI sends.
pub(super) fn strange_number(random: &mut Random) -> String {
    match random.below(6) {
        0 => random.next_number().to_string(),
        1 => format!("-{}", random.next_number()),
        2 => format!("{}{}", random.next_number(), random.next_number()),
        3 => format!("{}.5", random.below(100)),
        4 => pick(random, &["", "NaN", "inf", "1e9", "-0", "+7", "0x10", "١٢", "two"]).to_owned(),
        _ => pick(random, &["2147483648", "4294967296", "9223372036854775807", "-9223372036854775808", "33554432"])
            .to_owned(),
    }
}

/// Random words, invalid UTF-8, and very long lines.
pub(super) fn garbage(random: &mut Random) -> Vec<u8> {
    match random.below(40) {
        0 if random.below(20) == 0 => {
            let word = pick(random, &["x", "go ", "moves ", "e2e4 ", "position fen ", "8/", "\t", "é"]);
            word.repeat(LONG / word.len()).into_bytes()
        }
        0..8 => (0..random.below(40)).map(|_| random.below(256) as u8).map(no_line_end).collect(),
        _ => {
            let mut line = if random.below(3) == 0 { String::new() } else { pick(random, &COMMANDS).to_owned() };
            for _ in 0..random.below(8) {
                line.push_str(pick(random, &[" ", " ", " ", "  ", "\t", ""]));
                let word = pick(random, &WORDS);
                line.push_str(if random.below(6) == 0 { &word[..0] } else { word });
            }
            line.into_bytes()
        }
    }
}

/// Damages a line: removes, doubles, swaps or inserts a part.
pub(super) fn damage(random: &mut Random, mut line: Vec<u8>) -> Vec<u8> {
    let start = random.below(line.len() as u64 + 1) as usize;
    let end = (start + 1 + random.below(8) as usize).min(line.len());
    match random.below(8) {
        0 => line.truncate(start),
        1 => drop(line.drain(start..end)),
        2 => {
            let part = line[start..end].to_vec();
            line.splice(start..start, part);
        }
        3 => line.iter_mut().skip(start).take(1).for_each(|byte| *byte = no_line_end(random.below(256) as u8)),
        4 => line.insert(start, no_line_end(random.below(256) as u8)),
        5 => drop(line.splice(start..start, pick(random, &WORDS).bytes())),
        6 => {
            let text = String::from_utf8_lossy(&line).into_owned();
            let mut words: Vec<&str> = text.split(' ').collect();
            let (a, b) = (random.below(words.len() as u64) as usize, random.below(words.len() as u64) as usize);
            words.swap(a, b);
            line = words.join(" ").into_bytes();
        }
        _ => {
            let text = String::from_utf8_lossy(&line).into_owned();
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let numbers: Vec<usize> = (0..words.len()).filter(|&at| words[at].parse::<i64>().is_ok()).collect();
            if !numbers.is_empty() {
                words[numbers[random.below(numbers.len() as u64) as usize]] = strange_number(random);
            }
            line = words.join(" ").into_bytes();
        }
    }
    line
}

fn no_line_end(byte: u8) -> u8 {
    if byte == b'\n' { b' ' } else { byte }
}
