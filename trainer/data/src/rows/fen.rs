//! Fast parsing of FEN into rows.
//!
//! `Board::from_fen` computes everything a game needs; a row needs only a valid placement and a few fields. Impossible
//! positions are rejected with the reason; a test compares this parser with the engine's on real rows.

use alfiere_chess::board::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use alfiere_chess::types::{Bitboard, CastleSide, CastlingRights, Color, Piece, PieceKind, Rank, Square};

use super::label::parse_digits;
use super::row::{Row, pack_nibbles};

/// Why a FEN is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenProblem {
    #[error("expected 4 to 6 FEN fields, found {0}")]
    Fields(usize),
    #[error("expected 8 ranks of 8 squares in the placement")]
    Placement,
    #[error("expected one king a side, found {white} white and {black} black")]
    Kings { white: u32, black: u32 },
    #[error("expected at most 8 pawns and promoted pieces a side")]
    TooManyPieces,
    #[error("a pawn is on the first or last rank")]
    PawnOnLastRank,
    #[error("expected `w` or `b` as the side to move")]
    SideToMove,
    #[error("expected castling rights that king and rooks allow, or `-`")]
    Castling,
    #[error("expected an en passant square behind a pawn that just moved, or `-`")]
    EnPassant,
    #[error("expected numbers as half-move clock and full-move number")]
    Clocks,
    #[error("the side not to move is in check")]
    OpponentInCheck,
    #[error("expected at most 2 pieces that give check")]
    TooManyCheckers,
}

const EMPTY: u8 = 15;

const PIECE_OF_LETTER: [u8; 256] = {
    let mut table = [EMPTY; 256];
    let mut index = 0;
    while index < Piece::ALL.len() {
        table[Piece::ALL[index].letter() as usize] = index as u8;
        index += 1;
    }
    table
};

/// Reads a FEN into a row without label.
pub(crate) fn parse(text: &[u8]) -> Result<Row, FenProblem> {
    let mut fields: [&[u8]; 6] = [b"", b"", b"-", b"-", b"0", b"1"];
    let mut count = 0;
    for field in text.split(|byte| *byte == b' ').filter(|field| !field.is_empty()) {
        if let Some(slot) = fields.get_mut(count) {
            *slot = field;
        }
        count += 1;
    }
    if !(4..=6).contains(&count) {
        return Err(FenProblem::Fields(count));
    }
    let placement = Placement::parse(fields[0])?;
    let us = match fields[1] {
        b"w" => Color::White,
        b"b" => Color::Black,
        _ => return Err(FenProblem::SideToMove),
    };
    let kings = placement.check_counts()?;
    let (rights, inner_rooks) = placement.parse_castling(fields[2], kings)?;
    let en_passant = placement.parse_en_passant(fields[3], us, kings[us.index()])?;
    let in_check = placement.check_kings(kings, us)?;
    let mut row = placement.pack();
    row.mark_inner_rooks(inner_rooks);
    row.state = us as u8 | (rights.index() as u8) << 1 | u8::from(in_check) << 7;
    row.extra = en_passant;
    row.clock = parse_digits(fields[4]).ok_or(FenProblem::Clocks)?.min(255) as u8;
    row.full_moves = parse_digits(fields[5]).ok_or(FenProblem::Clocks)?.clamp(1, 65_535) as u16;
    Ok(row)
}

/// A row from pieces and side to move, without label, castling rights and en passant, with move number 1.
pub(crate) fn of_pieces(pieces: impl IntoIterator<Item = (Piece, Square)>, us: Color) -> Result<Row, FenProblem> {
    let mut placement = Placement { mailbox: [EMPTY; 64], pieces: [Bitboard::EMPTY; 12] };
    for (piece, square) in pieces {
        placement.mailbox[square.index()] = piece.index() as u8;
        placement.pieces[piece.index()].0 |= 1 << square.index();
    }
    let kings = placement.check_counts()?;
    let in_check = placement.check_kings(kings, us)?;
    let mut row = placement.pack();
    row.state = us as u8 | u8::from(in_check) << 7;
    Ok(row)
}

/// The placement, by square and by piece.
struct Placement {
    mailbox: [u8; 64],
    pieces: [Bitboard; 12],
}

impl Placement {
    fn parse(text: &[u8]) -> Result<Self, FenProblem> {
        let mut placement = Self { mailbox: [EMPTY; 64], pieces: [Bitboard::EMPTY; 12] };
        let (mut rank, mut file) = (7usize, 0usize);
        for &byte in text {
            match byte {
                b'/' => {
                    if file != 8 || rank == 0 {
                        return Err(FenProblem::Placement);
                    }
                    (rank, file) = (rank - 1, 0);
                }
                b'1'..=b'8' => {
                    file += usize::from(byte - b'0');
                    if file > 8 {
                        return Err(FenProblem::Placement);
                    }
                }
                letter => {
                    let piece = PIECE_OF_LETTER[usize::from(letter)];
                    if piece == EMPTY || file > 7 {
                        return Err(FenProblem::Placement);
                    }
                    placement.mailbox[rank * 8 + file] = piece;
                    placement.pieces[usize::from(piece)].0 |= 1 << (rank * 8 + file);
                    file += 1;
                }
            }
        }
        if rank == 0 && file == 8 { Ok(placement) } else { Err(FenProblem::Placement) }
    }

    fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.pieces[Piece::new(color, kind).index()]
    }

    fn at(&self, square: Square) -> Option<Piece> {
        Piece::ALL.get(usize::from(self.mailbox[square.index()])).copied()
    }

    fn occupied(&self) -> Bitboard {
        self.pieces.iter().fold(Bitboard::EMPTY, |all, &some| all | some)
    }

    fn pack(&self) -> Row {
        let occupied = self.occupied();
        let nibbles = pack_nibbles(occupied, |square| self.mailbox[square.index()]);
        Row { occupied: occupied.0, nibbles, label: 0, state: 0, extra: 0, clock: 0, best: 0, full_moves: 1 }
    }

    /// Checks the numbers of kings, pawns and promoted pieces; returns the squares of the kings.
    fn check_counts(&self) -> Result<[Square; 2], FenProblem> {
        let kings = Color::ALL.map(|color| self.of(color, PieceKind::King));
        let ([Some(white), Some(black)], [1, 1]) = (kings.map(Bitboard::first), kings.map(Bitboard::count)) else {
            return Err(FenProblem::Kings { white: kings[0].count(), black: kings[1].count() });
        };
        for color in Color::ALL {
            let count = |kind| self.of(color, kind).count();
            let promoted =
                [(PieceKind::Knight, 2), (PieceKind::Bishop, 2), (PieceKind::Rook, 2), (PieceKind::Queen, 1)]
                    .map(|(kind, usual)| count(kind).saturating_sub(usual));
            if count(PieceKind::Pawn) + promoted.iter().sum::<u32>() > 8 {
                return Err(FenProblem::TooManyPieces);
            }
        }
        let pawns = self.of(Color::White, PieceKind::Pawn) | self.of(Color::Black, PieceKind::Pawn);
        let last_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        if (pawns & last_ranks).is_some() { Err(FenProblem::PawnOnLastRank) } else { Ok([white, black]) }
    }

    /// Whether the side to move is in check. Fails for more than two checkers, or if the other side is in check.
    fn check_kings(&self, kings: [Square; 2], us: Color) -> Result<bool, FenProblem> {
        let occupied = self.occupied();
        if self.attackers(kings[(!us).index()], us, occupied).is_some() {
            return Err(FenProblem::OpponentInCheck);
        }
        match self.attackers(kings[us.index()], !us, occupied).count() {
            0 => Ok(false),
            1 | 2 => Ok(true),
            _ => Err(FenProblem::TooManyCheckers),
        }
    }

    /// The pieces of `by` that attack a square if these squares are occupied.
    fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let of = |kind| self.of(by, kind);
        pawn_attacks(!by, square) & of(PieceKind::Pawn)
            | knight_attacks(square) & of(PieceKind::Knight)
            | king_attacks(square) & of(PieceKind::King)
            | bishop_attacks(square, occupied) & (of(PieceKind::Bishop) | of(PieceKind::Queen))
            | rook_attacks(square, occupied) & (of(PieceKind::Rook) | of(PieceKind::Queen))
    }

    /// `KQkq`, or the rooks' files as letters (Shredder-FEN); a right needs its king and a rook on the first rank. Also
    /// returns the castling rooks that are not the outermost ones of their side.
    fn parse_castling(&self, text: &[u8], kings: [Square; 2]) -> Result<(CastlingRights, Bitboard), FenProblem> {
        let (mut rights, mut inner) = (CastlingRights::NONE, Bitboard::EMPTY);
        if text == b"-" {
            return Ok((rights, inner));
        }
        for &letter in text {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let home = Rank::First.relative_to(color);
            let king = kings[color.index()];
            if king.rank() != home {
                return Err(FenProblem::Castling);
            }
            let mut rooks = self.of(color, PieceKind::Rook) & Bitboard::rank(home);
            let rook = match letter.to_ascii_lowercase() {
                b'k' => rooks.last().filter(|&rook| rook > king),
                b'q' => rooks.first().filter(|&rook| rook < king),
                file => rooks.into_iter().find(|rook| rook.file().letter() == char::from(file)),
            };
            let rook = rook.ok_or(FenProblem::Castling)?;
            let side = if rook > king { CastleSide::King } else { CastleSide::Queen };
            if rooks.any(|other| if side == CastleSide::King { other > rook } else { other < rook }) {
                inner = inner.with(rook);
            }
            if rights.has(color, side) {
                return Err(FenProblem::Castling);
            }
            rights = rights.with(color, side);
        }
        Ok((rights, inner))
    }

    /// File + 1 of the pawn that may be captured en passant; 0 if none may.
    fn parse_en_passant(&self, text: &[u8], us: Color, king: Square) -> Result<u8, FenProblem> {
        if text == b"-" {
            return Ok(0);
        }
        let name = std::str::from_utf8(text).map_err(|_| FenProblem::EnPassant)?;
        let passed = Square::parse(name).ok_or(FenProblem::EnPassant)?;
        let on = |rank: Rank| Square::new(passed.file(), rank.relative_to(us));
        let possible = passed == on(Rank::Sixth)
            && self.at(on(Rank::Seventh)).is_none()
            && self.at(passed).is_none()
            && self.at(on(Rank::Fifth)) == Some(Piece::new(!us, PieceKind::Pawn));
        if !possible {
            return Err(FenProblem::EnPassant);
        }
        let captured = on(Rank::Fifth);
        let mut sources = pawn_attacks(!us, passed) & self.of(us, PieceKind::Pawn);
        let is_legal = sources.any(|source| {
            let occupied = self.occupied().without(source).without(captured).with(passed);
            self.attackers(king, !us, occupied).without(captured).is_empty()
        });
        Ok(if is_legal { passed.file() as u8 + 1 } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::board::Board;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn problem(text: &str) -> FenProblem {
        parse(text.as_bytes()).expect_err(text)
    }

    #[test]
    fn positions_come_back_as_they_were() {
        for fen in [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "4k1b1/p1Q1n3/3p4/2nP3p/3qP1pP/2N3P1/PrP2RK1/8 w - - 200 922",
        ] {
            let row = parse(fen.as_bytes()).expect(fen);
            assert_eq!(row.to_fen(), fen);
            assert_eq!(Row::from_bytes(&row.to_bytes()), Some(row));
        }
    }

    #[test]
    fn each_fault_is_named() {
        assert_eq!(problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), FenProblem::Fields(1));
        assert_eq!(problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1"), FenProblem::Placement);
        assert_eq!(problem("rnbqkbnr/pppppppp/8/9/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), FenProblem::Placement);
        assert_eq!(problem("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), FenProblem::Placement);
        assert_eq!(problem("8/8/8/8/8/8/8/K7 w - - 0 1"), FenProblem::Kings { white: 1, black: 0 });
        assert_eq!(problem("k6P/8/8/8/8/8/8/K7 w - - 0 1"), FenProblem::PawnOnLastRank);
        assert_eq!(problem("k7/8/8/8/8/8/8/K7 x - - 0 1"), FenProblem::SideToMove);
        assert_eq!(problem("k7/8/8/8/8/8/8/K7 w K - 0 1"), FenProblem::Castling);
        assert_eq!(problem("k7/8/8/8/8/8/8/K7 w - e6 0 1"), FenProblem::EnPassant);
        assert_eq!(problem("k7/8/8/8/8/8/8/K7 w - - x 1"), FenProblem::Clocks);
        assert_eq!(problem("k7/8/8/8/8/8/8/K6R b - - 0 x"), FenProblem::Clocks);
        assert_eq!(problem("k6R/8/8/8/8/8/8/K7 w - - 0 1"), FenProblem::OpponentInCheck);
        assert_eq!(problem("7k/pppppppp/p7/8/8/8/8/K7 w - - 0 1"), FenProblem::TooManyPieces);
        assert_eq!(problem("k6R/8/8/Q7/8/8/8/4K2B b - - 0 1"), FenProblem::TooManyCheckers);
        assert_eq!(problem("kK6/8/8/8/8/8/8/8 w - - 0 1"), FenProblem::OpponentInCheck);
    }

    #[test]
    fn checks_and_rights_are_seen() {
        let row = parse(b"k6R/8/8/8/8/8/8/K7 b - - 0 1").expect("legal");
        assert!(row.in_check());
        let row = parse(b"rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1").expect("legal");
        assert_eq!(row.castling_rights(), CastlingRights::ALL);
        assert!(!row.in_check());
    }

    /// Both readers of FEN agree on what is a position, and on what it holds.
    fn agree(text: &str) {
        match (parse(text.as_bytes()), Board::from_fen(text)) {
            (Ok(row), Ok(board)) => {
                let back = Board::from_fen(&row.to_fen()).expect(text);
                assert_eq!(row.in_check(), board.in_check(), "{text}");
                for square in Square::ALL {
                    assert_eq!(row.piece_on(square), board.piece_on(square), "{text}");
                }
                assert_eq!(row.side_to_move(), board.side_to_move(), "{text}");
                assert_eq!(row.castling_rights(), board.castling_rights(), "{text}");
                assert_eq!(row.to_fen(), board.to_fen(), "{text}");
                assert_eq!(row.en_passant_file(), board.en_passant().map(Square::file), "{text}");
                assert_eq!(back.en_passant(), board.en_passant(), "{text}");
                assert_eq!(back.halfmove_clock(), board.halfmove_clock(), "{text}");
                assert_eq!(back.fullmove_number(), board.fullmove_number(), "{text}");
            }
            (Err(_), Err(_)) => {}
            (Ok(_), Err(error)) => panic!("{text}: only the engine refuses it: {error}"),
            (Err(problem), Ok(_)) => panic!("{text}: only the reader refuses it: {problem}"),
        }
    }

    #[test]
    fn agrees_with_the_engine_on_real_rows() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/");
        let file = std::fs::File::open(format!("{folder}kaggle/sample.csv.gz")).expect("the sample");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text).expect("text");
        for line in text.lines().skip(1).step_by(3) {
            agree(line.split(',').next().expect("a FEN"));
        }
        for suite in ["standard", "fischer"] {
            let text = std::fs::read_to_string(format!("{folder}perft/{suite}.epd")).expect("a suite");
            text.lines().for_each(|line| agree(line.split(';').next().expect("a FEN").trim()));
        }
    }

    proptest::proptest! {
        #[test]
        fn agrees_with_the_engine_on_damaged_rows(index in 0usize..128, at in 0usize..70, byte in "[KQRNBPkqrnbp1-8/ wa-h-]") {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/perft/standard.epd");
            let text = std::fs::read_to_string(path).expect("a suite");
            let line = text.lines().nth(index).expect("128 lines");
            let mut fen = line.split(';').next().expect("a FEN").trim().to_owned();
            let at = at % fen.len();
            fen.replace_range(at..=at, &byte);
            agree(&fen);
        }
    }

    #[test]
    fn an_en_passant_square_without_a_legal_capture_is_dropped() {
        for (start, square) in [
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq", "e3"),
            ("8/8/8/8/k2Pp2Q/8/8/3K4 b -", "d3"),
            ("8/1k6/8/8/3Pp3/8/8/3K3B b -", "d3"),
        ] {
            let with = |square: &str| parse(format!("{start} {square} 0 1").as_bytes()).expect("legal");
            assert_eq!(with("-"), with(square), "{start}");
            agree(&format!("{start} {square} 0 1"));
        }
    }

    #[test]
    fn keys_tell_placement_and_side_apart() {
        let key = |fen: &str| parse(fen.as_bytes()).expect(fen).key();
        let start = key(START);
        assert_eq!(start, key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 7 9"));
        assert_ne!(start, key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"));
        assert_ne!(start, key("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 1"));
    }
}
