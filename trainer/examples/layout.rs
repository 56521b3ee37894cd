//! Evaluates positions with a file written by `trainer export NET --layout OUT`; docs/guide/networks.md describes it.
//!
//! `cargo run -p alfiere-trainer --example layout -- OUT "FEN"...`

/// A network: numbers in the order of the file.
pub(crate) struct Net {
    head: Vec<u32>,
    /// By the square of the own king, then by the number of pieces minus 1.
    buckets: Vec<u8>,
    numbers: Vec<i64>,
    bias: Vec<i64>,
}

/// Reads a file's bytes; `None` if they are no such file.
pub(crate) fn load(bytes: &[u8]) -> Option<Net> {
    let body = bytes.strip_prefix(b"ALFFLAT\x02")?;
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word: u32, &byte| word << 8 | u32::from(byte));
    let head: Vec<u32> = body.get(..24)?.chunks(4).map(word).collect();
    let end = 120 + 2 * head[0] as usize * (768 * head[5] as usize + 2 + 2 * head[1] as usize);
    let numbers = body.get(120..end)?.chunks(2).map(|bytes| i64::from(word(bytes) as i16)).collect();
    let bias = body[end..].chunks(4).map(|bytes| i64::from(word(bytes) as i32)).collect();
    Some(Net { head, buckets: body[24..120].to_vec(), numbers, bias })
}

/// Kinds (0 to 5 for P N B R Q K of White, 6 to 11 of Black) and squares of a FEN's pieces.
fn pieces(board: &str) -> Option<Vec<(usize, usize)>> {
    let (mut square, mut pieces) = (56, Vec::new());
    for letter in board.chars() {
        match letter {
            '/' => square -= 16,
            '1'..='8' => square += letter as usize - '0' as usize,
            _ => {
                pieces.push(("PNBRQKpnbrqk".find(letter)?, square));
                square += 1;
            }
        }
    }
    Some(pieces)
}

/// Centipawns for the side to move, and whether it is Black; `None` if the text is no FEN.
pub(crate) fn evaluate(net: &Net, fen: &str) -> Option<(i64, bool)> {
    let (board, rest) = fen.split_once(' ')?;
    let (pieces, black_moves) = (pieces(board)?, rest.starts_with('b'));
    let (width, inputs) = (net.head[0] as usize, 768 * net.head[5] as usize);
    let row = |number: usize| &net.numbers[number * width..][..width];
    let mut sums = [row(inputs).to_vec(), row(inputs + 1).to_vec()];
    for (sums, black_view) in sums.iter_mut().zip([black_moves, !black_moves]) {
        let turn = if black_view { 56 } else { 0 };
        let &(_, king) = pieces.iter().find(|(kind, _)| *kind == if black_view { 11 } else { 5 })?;
        let bucket = net.buckets[king ^ turn];
        let turn = turn ^ if bucket < 128 { 0 } else { 7 };
        for &(kind, square) in &pieces {
            let owner = if (kind > 5) == black_view { 0 } else { 384 };
            let input = 768 * usize::from(bucket & 127) + owner + 64 * (kind % 6) + (square ^ turn);
            sums.iter_mut().zip(row(input)).for_each(|(sum, weight)| *sum += weight);
        }
    }
    let bucket = usize::from(net.buckets[64 + pieces.len() - 1]);
    let is_squared = net.head[2] == 1;
    let active = |&sum: &i64| if is_squared { sum.clamp(0, 255) * sum.clamp(0, 255) } else { sum.clamp(0, 255) };
    let weights = row(inputs + 2 + 2 * bucket).iter().chain(row(inputs + 3 + 2 * bucket));
    let sum =
        sums.iter().flatten().map(active).zip(weights).fold(net.bias[bucket], |sum, (a, weight)| sum + a * weight);
    let one: i64 = if is_squared { 255 * 255 } else { 255 };
    let one = (256 * one) << net.head[3];
    let parts = sum * i64::from(net.head[4]);
    Some(((parts.abs() + one / 2) / one * parts.signum(), black_moves))
}

#[allow(clippy::print_stdout, dead_code, reason = "it prints; a test includes this file for the rest")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let net = load(&std::fs::read(arguments.first().ok_or("usage: layout OUT FEN...")?)?).ok_or("no flat layout")?;
    for fen in &arguments[1..] {
        let (value, black_moves) = evaluate(&net, fen).ok_or("no FEN")?;
        println!(
            "evaluation {:+} internal units ({value:+} for the side to move)",
            if black_moves { -value } else { value }
        );
    }
    Ok(())
}
