//! What each side attacks of the other's, and how much room it has.

use alfiere_chess::board::attacks;
use alfiere_chess::types::{Bitboard, Color, File, PieceKind, Rank};

use super::context::EvalContext;
use super::term_sink::TermSink;
use super::terms::Term;

/// Counts what a side threatens.
pub(super) fn threats(context: &EvalContext<'_>, side: Color, sink: &mut impl TermSink) {
    let (own, other) = (side.index(), (!side).index());
    let theirs = context.board.color(!side).without(context.king(!side));
    let pieces = theirs & !context.pawns[other];
    let by = |kind: PieceKind| context.attacked_by[own][kind.index()];
    let by_minors = by(PieceKind::Knight) | by(PieceKind::Bishop);
    // No pawn guards it, and no two pieces unless two attack it too.
    let strong = context.pawn_attacks[other] | context.attacked_twice[other] & !context.attacked_twice[own];
    let weak = theirs & !strong & context.attacked[own];

    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        let hit = context.board.colored(!side, kind) & context.pawn_attacks[own];
        sink.add(side, Term::ThreatByPawn.at(kind.index() - 1), hit.count() as i32);
    }
    for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        let pieces = context.board.colored(!side, kind);
        // Capturing a more valuable piece is a threat even if it is defended.
        let for_minors = if kind >= PieceKind::Rook { pieces } else { pieces & weak };
        let for_rooks = if kind == PieceKind::Queen { pieces } else { pieces & weak };
        sink.add(side, Term::ThreatByMinor.at(kind.index()), (for_minors & by_minors).count() as i32);
        sink.add(side, Term::ThreatByRook.at(kind.index()), (for_rooks & by(PieceKind::Rook)).count() as i32);
    }
    sink.add(side, Term::ThreatByKing.at(0), i32::from((weak & by(PieceKind::King)).is_some()));
    let hanging = weak & pieces & !context.attacked[other];
    sink.add(side, Term::Hanging.at(0), hanging.count() as i32);
    sink.add(side, Term::ThreatByPush.at(0), (pushes(context, side) & pieces).count() as i32);
}

/// What pawns would attack after a step that cannot be punished.
fn pushes(context: &EvalContext<'_>, side: Color) -> Bitboard {
    let (own, other) = (side.index(), (!side).index());
    let one = context.pawns[own].forward(side) & !context.occupied;
    let third = Bitboard::rank(Rank::Third.relative_to(side));
    let two = (one & third).forward(side) & !context.occupied;
    let safe = !context.pawn_attacks[other] & (!context.attacked[other] | context.attacked[own]);
    attacks::pawn_attacks_of_all(side, (one | two) & safe)
}

/// Counts the room that a side's pawns make in the middle.
pub(super) fn space(context: &EvalContext<'_>, side: Color, sink: &mut impl TermSink) {
    let files = Bitboard::file(File::C) | Bitboard::file(File::D) | Bitboard::file(File::E) | Bitboard::file(File::F);
    let ranks = [Rank::Second, Rank::Third, Rank::Fourth].map(|rank| Bitboard::rank(rank.relative_to(side)));
    let room = files
        & (ranks[0] | ranks[1] | ranks[2])
        & !context.pawns[side.index()]
        & !context.pawn_attacks[(!side).index()];
    sink.add(side, Term::Space.at(0), room.count() as i32);
}
