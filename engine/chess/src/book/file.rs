//! A book in memory: validated on load, searched by binary search, and moves chosen by weight; and its entries.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use thiserror::Error;

use crate::board::Board;
use crate::movegen::find_move;
use crate::types::{File, Move, PieceKind, Rank, Square};

/// The embedded book; its description is next to the file.
static EMBEDDED: &[u8] = include_bytes!(env!("ALFIERE_BOOK"));

/// Why bytes are not a Polyglot book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    #[error("found an empty file, expected a Polyglot book")]
    Empty,
    #[error("found {0} bytes, expected a Polyglot book, entries of 16 bytes each")]
    Length(usize),
    #[error(
        "found a smaller key in entry {0} than in the one before it, expected a Polyglot book, entries sorted by key"
    )]
    Unsorted(usize),
}

#[derive(Debug, Error)]
pub enum BookError {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {source}", path.display())]
    Format { path: PathBuf, source: FormatError },
}

/// A legal move that a book has for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// Weight relative to the position's other moves; 0 means never chosen.
    pub weight: u16,
}

/// How a book move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pick {
    Best,
    /// At random in proportion to the weights, with a random number of 64 bits.
    Weighted(u64),
}

#[derive(Clone, Debug)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
}

impl Book {
    /// Loads a book file.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, is not a multiple of the entry size, or is not sorted by key.
    pub fn load(path: &Path) -> Result<Self, BookError> {
        let bytes = std::fs::read(path).map_err(|source| BookError::Read { path: path.to_owned(), source })?;
        Self::from_bytes(bytes).map_err(|source| BookError::Format { path: path.to_owned(), source })
    }

    /// Creates a book from the bytes of a book file.
    ///
    /// # Errors
    /// If the bytes are empty, not a multiple of the entry size, or not sorted by key.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, FormatError> {
        let bytes = bytes.into();
        let (entries, rest) = bytes.as_chunks::<LENGTH>();
        if !rest.is_empty() {
            return Err(FormatError::Length(bytes.len()));
        }
        if entries.is_empty() {
            return Err(FormatError::Empty);
        }
        let key = |entry| Entry::from_bytes(entry).key;
        if let Some(place) = entries.windows(2).position(|pair| key(&pair[0]) > key(&pair[1])) {
            return Err(FormatError::Unsorted(place + 2));
        }
        Ok(Self { bytes })
    }

    /// The embedded book.
    ///
    /// # Panics
    /// If the embedded file is not a valid book; a test checks that it is.
    pub fn embedded() -> &'static Self {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| match Self::from_bytes(EMBEDDED) {
            Ok(book) => book,
            Err(error) => panic!("the book compiled into this program: {error}"),
        })
    }

    pub fn entry_count(&self) -> usize {
        self.bytes.len() / LENGTH
    }

    /// The book's moves for a position, highest weight first. Illegal moves are left out: a damaged book or a key
    /// collision can contain them. A move that is listed twice has both weights.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        let mut found = board.polyglot_keys().map(|key| self.moves_of(key, board));
        found.find(|moves| !moves.is_empty()).unwrap_or_default()
    }

    fn moves_of(&self, key: u64, board: &Board) -> Vec<BookMove> {
        let entries = self.bytes.as_chunks::<LENGTH>().0;
        let first = entries.partition_point(|entry| Entry::from_bytes(entry).key < key);
        let own = entries[first..].iter().map(Entry::from_bytes).take_while(|entry| entry.key == key);
        let mut moves: Vec<BookMove> = Vec::new();
        for found in own.filter_map(|Entry { mv, weight, .. }| Some(BookMove { mv: mv.on(board)?, weight })) {
            match moves.iter_mut().find(|known| known.mv == found.mv) {
                Some(known) => known.weight = known.weight.saturating_add(found.weight),
                None => moves.push(found),
            }
        }
        moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
        moves
    }

    /// Chooses a move; `None` if the book has no move with a positive weight.
    pub fn choose(&self, board: &Board, pick: Pick) -> Option<BookMove> {
        let moves = self.moves(board);
        let total: u128 = moves.iter().map(|found| u128::from(found.weight)).sum();
        let mut place = match pick {
            Pick::Best => 0,
            Pick::Weighted(number) => (u128::from(number) * total) >> u64::BITS,
        };
        moves.into_iter().filter(|found| found.weight > 0).find(|found| {
            let weight = u128::from(found.weight);
            let is_here = place < weight;
            place = place.saturating_sub(weight);
            is_here
        })
    }
}

// One book entry: 16 bytes, all numbers big-endian.
//
// ```text
// 0..8    key of the position
// 8..10   move: target file and rank, source file and rank, promotion, 3 bits each from the least significant bit
// 10..12  weight, relative to the position's other moves
// 12..16  learning data: written as 0 and ignored
// ```

/// Size of an entry in bytes.
pub(super) const LENGTH: usize = 16;

/// A decoded entry; its move is not yet checked against a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) mv: EncodedMove,
    pub(super) weight: u16,
}

impl Entry {
    pub(super) fn from_bytes(bytes: &[u8; LENGTH]) -> Self {
        let [a, b, c, d, e, f, g, h, move_high, move_low, weight_high, weight_low, ..] = *bytes;
        Self {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            mv: EncodedMove(u16::from_be_bytes([move_high, move_low])),
            weight: u16::from_be_bytes([weight_high, weight_low]),
        }
    }

    pub(super) fn to_bytes(self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.0.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes
    }
}

/// A move as a book encodes it; castling is king takes rook, as in [`Move`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct EncodedMove(pub(super) u16);

impl EncodedMove {
    pub(super) fn of(mv: Move) -> Self {
        let square = |square: Square| (square.file().index() | square.rank().index() << 3) as u16;
        let promotion = match mv.promotion() {
            None => 0,
            Some(PieceKind::Knight) => 1,
            Some(PieceKind::Bishop) => 2,
            Some(PieceKind::Rook) => 3,
            Some(_) => 4,
        };
        Self(square(mv.target()) | square(mv.source()) << 6 | promotion << 12)
    }

    /// The legal move that this encodes; `None` if there is none. A king move of two squares is also accepted as
    /// castling, because some books write it so.
    pub(super) fn on(self, board: &Board) -> Option<Move> {
        let square = |bits: u16| {
            let bits = usize::from(bits);
            Square::new(File::ALL[bits & 7], Rank::ALL[bits >> 3 & 7])
        };
        let (target, source) = (square(self.0), square(self.0 >> 6));
        let promotion = match self.0 >> 12 {
            0 => None,
            1 => Some(PieceKind::Knight),
            2 => Some(PieceKind::Bishop),
            3 => Some(PieceKind::Rook),
            4 => Some(PieceKind::Queen),
            _ => return None,
        };
        find_move(board, source, target, promotion)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BookBuilder, MinCounts};
    use super::*;
    use crate::movegen::{format_san, legal_moves, parse_san, parse_uci_move};

    fn book_of(entries: &[(&Board, u16, u16)]) -> Book {
        let mut bytes: Vec<[u8; LENGTH]> = entries
            .iter()
            .map(|&(board, mv, weight)| Entry { key: board.key(), mv: EncodedMove(mv), weight }.to_bytes())
            .collect();
        bytes.sort_unstable();
        Book::from_bytes(bytes.concat()).expect("a book")
    }

    #[test]
    fn invalid_files_are_rejected() {
        assert_eq!(Book::from_bytes(Vec::new()).expect_err("empty"), FormatError::Empty);
        for length in [1, 15, 17, 4095] {
            assert_eq!(Book::from_bytes(vec![0; length]).expect_err("odd"), FormatError::Length(length));
        }
        let entry = |key| Entry { key, mv: EncodedMove(0o1434), weight: 1 }.to_bytes();
        let turned = [entry(5), entry(5), entry(9), entry(7)].concat();
        let error = Book::from_bytes(turned).expect_err("not sorted");
        assert_eq!(error, FormatError::Unsorted(4));
        assert!(error.to_string().contains("entry 4") && error.to_string().contains("expected"), "{error}");
        let error = Book::load(Path::new("/no/such/book.bin")).expect_err("missing");
        assert!(error.to_string().starts_with("/no/such/book.bin: "), "{error}");
    }

    #[test]
    fn illegal_moves_and_moves_without_weight_are_not_chosen() {
        let start = Board::startpos();
        let (e4, d4, e5, nothing, f3) = (0o1434, 0o1333, 0o1444, 0, 0o1525);
        let book =
            book_of(&[(&start, d4, 10), (&start, e4, 30), (&start, e5, 900), (&start, nothing, 9), (&start, f3, 0)]);
        let names: Vec<_> = book.moves(&start).iter().map(|found| format_san(&start, found.mv)).collect();
        assert_eq!(names, ["e4", "d4", "f3"]);
        let chosen = |pick| book.choose(&start, pick).map(|found| format_san(&start, found.mv)).expect("a move");
        assert_eq!(chosen(Pick::Best), "e4");
        // The first move has 30 of 40 parts of the range, the second the rest.
        let part = |numerator: u64| u64::MAX / 40 * numerator;
        for (number, name) in [(0, "e4"), (part(29), "e4"), (part(31), "d4"), (u64::MAX, "d4")] {
            assert_eq!(chosen(Pick::Weighted(number)), name, "{number}");
        }
        let after = Board::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").expect("valid");
        assert_eq!(book.choose(&after, Pick::Best), None);
        let without_weight = book_of(&[(&start, f3, 0)]);
        assert_eq!(without_weight.choose(&start, Pick::Best), None);
        assert_eq!(without_weight.choose(&start, Pick::Weighted(u64::MAX)), None);
    }

    #[test]
    fn a_pinned_en_passant_capture_is_part_of_the_key() {
        // Of another program, for the position after d2d4.
        let bytes = 0xECBA_303C_D610_B817_0714_0005_0000_0000_u128.to_be_bytes().to_vec();
        let board = Board::from_fen("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1").expect("valid");
        let names = |book: &Book, board: &Board| -> Vec<String> {
            book.moves(board).iter().map(|found| format_san(board, found.mv)).collect()
        };
        assert_eq!(names(&Book::from_bytes(bytes.clone()).expect("a book"), &board), ["e3"]);
        let later = Board::from_fen("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 4 9").expect("valid");
        assert!(names(&Book::from_bytes(bytes.clone()).expect("a book"), &later).is_empty());
        // Written in the same way.
        let start = Board::from_fen("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1").expect("valid");
        let mut builder = BookBuilder::new(9);
        let moves = ["d2d4", "e4e3"].iter().scan(start.clone(), |board, text| {
            let mv = parse_uci_move(board, text).expect("legal");
            board.play(mv);
            Some(mv)
        });
        builder.add_game(&start, moves.collect::<Vec<_>>(), None);
        let (written, _) = builder.finish(MinCounts { min_games: 1, min_share: 0.0 });
        assert!(written.as_chunks::<LENGTH>().0.iter().any(|entry| entry[..10] == bytes[..10]), "{written:x?}");
    }

    #[test]
    fn the_embedded_book_contains_main_lines() {
        let book = Book::embedded();
        let mut board = Board::startpos();
        for text in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O"] {
            let mv = parse_san(&board, text).expect("legal");
            assert!(book.moves(&board).iter().any(|found| found.mv == mv && found.weight > 0), "{text}");
            board.play(mv);
        }
        let names: Vec<_> =
            book.moves(&Board::startpos()).iter().map(|it| format_san(&Board::startpos(), it.mv)).collect();
        assert!(["e4", "d4"].contains(&names[0].as_str()) && !names.contains(&"a3".to_owned()), "{names:?}");
    }

    #[test]
    fn moves_are_encoded_as_the_format_says() {
        // From the format description: e2e4 from the start, promotions 1 to 4, castling as king takes rook.
        let promoting = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (fen, uci, bits) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 0o1434),
            (promoting, "a7a8n", 0o16070),
            (promoting, "a7a8b", 0o26070),
            (promoting, "a7a8r", 0o36070),
            (promoting, "a7a8q", 0o46070),
            (castling, "e1h1", 0o0407),
            (castling, "e1a1", 0o0400),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 0o4453),
        ] {
            let board = Board::from_fen(fen).expect("valid");
            let mv = parse_uci_move(&board, uci).expect("legal");
            assert_eq!(EncodedMove::of(mv), EncodedMove(bits), "{uci}: {:o}", EncodedMove::of(mv).0);
            assert_eq!(EncodedMove(bits).on(&board), Some(mv), "{uci}");
        }
        let board = Board::from_fen(castling).expect("valid");
        assert!(EncodedMove(0o0406).on(&board).is_some_and(Move::is_castle), "e1g1");
        // A king move that is legal is not castling; zero and invalid bits are not moves.
        let board = Board::from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1").expect("valid");
        assert!(EncodedMove(0o0506).on(&board).is_some_and(|mv| !mv.is_castle()));
        for bits in [0, 0o1434, 0o50506, u16::MAX] {
            assert_eq!(EncodedMove(bits).on(&board), None, "{bits:o}");
        }
    }

    #[test]
    fn every_legal_move_round_trips() {
        for fen in crate::positions::POSITIONS {
            let board = Board::from_fen(fen).expect("valid");
            for mv in legal_moves(&board) {
                assert_eq!(EncodedMove::of(mv).on(&board), Some(mv), "{fen}");
            }
        }
    }

    #[test]
    fn entries_are_big_endian() {
        let entry = Entry { key: 0x0102_0304_0506_0708, mv: EncodedMove(0x090a), weight: 0x0b0c };
        let bytes = entry.to_bytes();
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0]);
        assert_eq!(Entry::from_bytes(&bytes), entry);
    }
}
