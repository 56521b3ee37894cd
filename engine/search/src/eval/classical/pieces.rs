//! Piece terms: piece-square values, mobility, tropism, outposts, imbalance.

use alfiere_chess::board::attacks;
use alfiere_chess::types::{Bitboard, Color, File, PieceKind, Rank, Square};

use super::context::{EvalContext, ahead, relative_rank};
use super::term_sink::TermSink;
use super::weights::Term;

/// Attack units of a piece that attacks the king zone; none for pawn and king.
const ATTACKER_UNITS: [i32; 6] = [0, 4, 3, 3, 5, 0];

/// Adds material and piece-square values of pawns and king.
pub(super) fn pawns_and_king(context: &EvalContext<'_>, side: Color, sink: &mut impl TermSink) {
    let pawns = context.pawns[side.index()];
    sink.add(side, Term::Material.at(PieceKind::Pawn.index()), pawns.count() as i32);
    for square in pawns {
        sink.add(side, placement(PieceKind::Pawn, square, side), 1);
    }
    sink.add(side, placement(PieceKind::King, context.king(side), side), 1);
}

/// Adds the terms of a side's knights, bishops, rooks and queens, and records their attacks.
pub(super) fn pieces(context: &mut EvalContext<'_>, side: Color, sink: &mut impl TermSink) {
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        for square in context.board.colored(side, kind) {
            let attacked = attacks_of(context, side, kind, square);
            context.note(side, kind, attacked);
            sink.add(side, Term::Material.at(kind.index()), 1);
            sink.add(side, placement(kind, square, side), 1);
            let reach = (attacked & context.area[side.index()]).count() as usize;
            sink.add(side, mobility(kind).at(reach), 1);
            let near = 7 - square.distance(context.king(!side)) as i32;
            sink.add(side, Term::Tropism.at(kind.index() - 1), near);
            let hits = attacked & context.king_zone[(!side).index()];
            if hits.is_some() {
                context.attackers[(!side).index()] += 1;
                context.attack_units[(!side).index()] += ATTACKER_UNITS[kind.index()] + hits.count() as i32;
            }
            match kind {
                PieceKind::Knight => knight(context, side, square, attacked, sink),
                PieceKind::Bishop => bishop(context, side, square, sink),
                PieceKind::Rook => rook(context, side, square, reach, sink),
                _ => {}
            }
        }
    }
    groups(context, side, sink);
}

/// X-rays: bishops see through own queens, rooks through own rooks and queens.
fn attacks_of(context: &EvalContext<'_>, side: Color, kind: PieceKind, square: Square) -> Bitboard {
    let own = |kind: PieceKind| context.board.colored(side, kind);
    let occupied = context.occupied;
    match kind {
        PieceKind::Bishop => attacks::bishop_attacks(square, occupied ^ own(PieceKind::Queen)),
        PieceKind::Rook => {
            attacks::rook_attacks(square, occupied ^ own(PieceKind::Queen) ^ own(PieceKind::Rook).without(square))
        }
        _ => attacks::piece_attacks(kind, square, occupied),
    }
}

fn placement(kind: PieceKind, square: Square, side: Color) -> usize {
    let square = square.relative_to(side);
    let file = square.file().index();
    Term::Placement.at(kind.index() * 32 + square.rank().index() * 4 + file.min(7 - file))
}

const fn mobility(kind: PieceKind) -> Term {
    match kind {
        PieceKind::Knight => Term::KnightMobility,
        PieceKind::Bishop => Term::BishopMobility,
        PieceKind::Rook => Term::RookMobility,
        _ => Term::QueenMobility,
    }
}

/// Squares of the middle ranks that a pawn guards and that no pawn of the other side can attack.
fn outposts(context: &EvalContext<'_>, side: Color) -> Bitboard {
    let ranks = [Rank::Fourth, Rank::Fifth, Rank::Sixth].map(|rank| Bitboard::rank(rank.relative_to(side)));
    (ranks[0] | ranks[1] | ranks[2]) & context.pawn_attacks[side.index()] & context.pawn_free[(!side).index()]
}

fn knight(context: &EvalContext<'_>, side: Color, square: Square, attacked: Bitboard, sink: &mut impl TermSink) {
    let outposts = outposts(context, side);
    if outposts.contains(square) {
        sink.add(side, Term::KnightOutpost.at(0), 1);
    } else if (outposts & attacked & !context.board.color(side)).is_some() {
        sink.add(side, Term::OutpostInReach.at(0), 1);
    }
    behind_pawn(context, side, square, sink);
}

fn bishop(context: &EvalContext<'_>, side: Color, square: Square, sink: &mut impl TermSink) {
    if outposts(context, side).contains(square) {
        sink.add(side, Term::BishopOutpost.at(0), 1);
    }
    behind_pawn(context, side, square, sink);
    let dark = Bitboard::DARK_SQUARES.contains(square);
    let colour = if dark { Bitboard::DARK_SQUARES } else { !Bitboard::DARK_SQUARES };
    sink.add(side, Term::BadBishop.at(0), (context.pawns[side.index()] & colour).count() as i32);
    // A bishop on a7 or a6 (h7, h6) with an enemy pawn on b6 or b5 (g6, g5) is trapped.
    let inwards = match square.file() {
        File::A => Bitboard::from(square).east(),
        File::H => Bitboard::from(square).west(),
        _ => Bitboard::EMPTY,
    };
    let bar = inwards.forward(!side) & context.pawns[(!side).index()];
    if relative_rank(square, side) >= 5 && bar.is_some() {
        sink.add(side, Term::TrappedBishop.at(0), 1);
    }
}

fn behind_pawn(context: &EvalContext<'_>, side: Color, square: Square, sink: &mut impl TermSink) {
    if (Bitboard::from(square).forward(side) & context.pawns[side.index()]).is_some() {
        sink.add(side, Term::MinorBehindPawn.at(0), 1);
    }
}

fn rook(context: &EvalContext<'_>, side: Color, square: Square, reach: usize, sink: &mut impl TermSink) {
    let file = Bitboard::file(square.file());
    let (own, theirs) = (context.pawns[side.index()], context.pawns[(!side).index()]);
    if (own & file).is_empty() {
        let term = if (theirs & file).is_empty() { Term::RookOpenFile } else { Term::RookHalfOpenFile };
        sink.add(side, term.at(0), 1);
    } else if reach <= 3 {
        let king = context.king(side);
        let (king_file, rook_file) = (king.file().index(), square.file().index());
        let shut_in = if king_file >= 4 { rook_file > king_file } else { rook_file < king_file };
        if shut_in && relative_rank(king, side) == 0 {
            sink.add(side, Term::TrappedRook.at(0), 1);
        }
    }
    if relative_rank(square, side) == 6 {
        let prey = (theirs & Bitboard::rank(square.rank())).is_some();
        if prey || relative_rank(context.king(!side), side) == 7 {
            sink.add(side, Term::RookSeventh.at(0), 1);
        }
    }
    if (ahead(square, side) & context.passed[side.index()]).is_some() {
        sink.add(side, Term::RookBehindPassed.at(0), 1);
    }
}

/// Adds the bishop pair and the material imbalance.
fn groups(context: &EvalContext<'_>, side: Color, sink: &mut impl TermSink) {
    let count = |side: Color, kind: PieceKind| context.board.colored(side, kind).count() as i32;
    let bishops = context.board.colored(side, PieceKind::Bishop);
    if (bishops & Bitboard::DARK_SQUARES).is_some() && (bishops & !Bitboard::DARK_SQUARES).is_some() {
        sink.add(side, Term::BishopPair.at(0), 1);
    }
    let pawns = context.pawns[side.index()].count() as i32 - 5;
    for (case, kind) in
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen].into_iter().enumerate()
    {
        sink.add(side, Term::Imbalance.at(case), count(side, kind) * pawns);
    }
    if count(side, PieceKind::Rook) > 1 {
        sink.add(side, Term::Imbalance.at(4), 1);
    }
    let minors = count(!side, PieceKind::Knight) + count(!side, PieceKind::Bishop);
    sink.add(side, Term::Imbalance.at(5), count(side, PieceKind::Queen) * minors);
}
