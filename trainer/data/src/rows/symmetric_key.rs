//! The key of a position for splits, which is equal for a position and its twins.
//!
//! A twin is the same position with colours exchanged, or with files mirrored. Castling rights, en passant, clocks and move
//! numbers are not part of the key: some formats drop them, and a mirrored position with castling rights is illegal.
//! Held-out sets depend on these keys, so a change of them is a new [`HASH_VERSION`](crate::splits::held_out::HASH_VERSION).

use alfiere_chess::types::Rank;
use xxhash_rust::xxh3::xxh3_64;

use super::row::Row;

/// Eight ranks from the side to move, with a nibble per file: 0 empty, 1–6 own P N B R Q K, 7–12 the opponent's.
type Ranks = [u32; 8];

impl Row {
    // ANCHOR: key
    /// XXH3 of the board from the side to move or of its mirror image, whichever sorts first.
    pub fn symmetric_key(&self) -> u64 {
        let ranks = self.ranks();
        let mirrored = ranks.map(mirrored);
        let mut bytes = [0; 32];
        for (bytes, rank) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(ranks.min(mirrored)) {
            *bytes = rank.to_le_bytes();
        }
        xxh3_64(&bytes)
    }
    // ANCHOR_END: key

    fn ranks(&self) -> Ranks {
        let mover = self.side_to_move();
        let mut ranks = [0; 8];
        for (piece, square) in self.pieces() {
            let kind = piece.kind() as u32 + if piece.color() == mover { 1 } else { 7 };
            let rank: Rank = square.rank().relative_to(mover);
            ranks[rank as usize] |= kind << (4 * square.file() as u32);
        }
        ranks
    }
}

/// A rank with its nibbles in reverse order.
const fn mirrored(rank: u32) -> u32 {
    let bytes = rank.swap_bytes();
    bytes >> 4 & 0x0F0F_0F0F | (bytes & 0x0F0F_0F0F) << 4
}

#[cfg(test)]
mod tests {
    use alfiere_chess::board::Board;
    use alfiere_chess::positions::POSITIONS;

    use crate::sample;

    fn key(fen: &str) -> u64 {
        sample::row(fen).symmetric_key()
    }

    /// The FEN with flipped ranks, swapped colours and side to move, without castling rights and en passant.
    fn flipped(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<String> = fields[0].split('/').rev().map(exchanged).collect();
        let mover = if fields[1] == "w" { "b" } else { "w" };
        format!("{} {mover} - - 0 1", ranks.join("/"))
    }

    fn exchanged(rank: &str) -> String {
        let exchange = |letter: char| {
            if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
        };
        rank.chars().map(exchange).collect()
    }

    /// The FEN with its files in reverse order, without rights and en passant.
    fn mirrored(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<String> = fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
        format!("{} {} - - 0 1", ranks.join("/"), fields[1])
    }

    #[test]
    fn twins_share_a_key_and_other_positions_do_not() {
        let mut keys = std::collections::HashSet::new();
        for fen in POSITIONS {
            let fen = Board::from_fen(fen).expect("legal").to_fen();
            for twin in [flipped(&fen), mirrored(&fen), mirrored(&flipped(&fen))] {
                assert_eq!(key(&twin), key(&fen), "{fen} and {twin}");
            }
            keys.insert(key(&fen));
        }
        assert_eq!(keys.len(), POSITIONS.len());
    }

    #[test]
    fn the_mover_counts_and_rights_do_not() {
        let plain = key("r3k2r/pp6/8/8/8/8/PPP5/R3K2R w - - 0 1");
        assert_eq!(key("r3k2r/pp6/8/8/8/8/PPP5/R3K2R w KQkq - 12 40"), plain);
        assert_ne!(key("r3k2r/pp6/8/8/8/8/PPP5/R3K2R b - - 0 1"), plain);
        assert_ne!(key("r3k2r/pp6/8/8/8/8/PP1P4/R3K2R w - - 0 1"), plain);
    }

    #[test]
    fn keys_do_not_change() {
        // A change moves rows between the sides of every earlier network: it needs a new version.
        assert_eq!(key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0x3F0F_F9D1_9B4D_70D8);
    }
}
