//! King safety: pawn shelter, pawn storm and attacking pieces. Threats: what each side attacks of the other's, and how much room
//! it has.

use alfiere_chess::board::attacks;
use alfiere_chess::types::{Bitboard, Color, File, PieceKind, Rank};

use super::context::{EvalContext, ranks_ahead, relative_rank};
use super::term_sink::TermSink;
use super::weights::{KING_ATTACK_STEPS, Term};

/// Attack units of a safe check by knight, bishop, rook and queen.
const CHECK_UNITS: [i32; 4] = [7, 4, 8, 7];
/// Attack units of an attacked square next to the king that only the king defends.
const WEAK_SQUARE_UNITS: i32 = 3;
/// Attack units subtracted for an attack without a queen.
const NO_QUEEN_UNITS: i32 = 12;

/// Counts the pawns on the king's file and beside it.
pub(super) fn shelter(context: &EvalContext<'_>, side: Color, sink: &mut impl TermSink) {
    let king = context.king(side);
    let from_here = ranks_ahead(king.rank(), side) | Bitboard::rank(king.rank());
    let (own, theirs) = (context.pawns[side.index()] & from_here, context.pawns[(!side).index()] & from_here);
    // At the edge the files before the two nearest to it count.
    let middle = king.file().index().clamp(1, 6);
    for file in &File::ALL[middle - 1..=middle + 1] {
        let on = Bitboard::file(*file);
        let is_kings = usize::from(*file == king.file());
        let nearest = |pawns: Bitboard| {
            let pawns = pawns & on;
            let square = if side == Color::White { pawns.first() } else { last(pawns) };
            square.map_or(0, |square| relative_rank(square, side))
        };
        let (shield, attacker) = (nearest(own), nearest(theirs));
        sink.add(side, Term::Shelter.at(is_kings * 8 + shield), 1);
        if attacker > 0 && shield > 0 && attacker == shield + 1 {
            sink.add(side, Term::StormBlocked.at(attacker), 1);
        } else {
            sink.add(side, Term::Storm.at(is_kings * 8 + attacker), 1);
        }
    }
}

/// The square with the highest index.
fn last(squares: Bitboard) -> Option<alfiere_chess::types::Square> {
    squares.is_some().then(|| alfiere_chess::types::Square::from_index(63 - squares.0.leading_zeros() as usize))
}

/// Counts the attack on a side's king. It counts for the attacker.
pub(super) fn attack(context: &EvalContext<'_>, side: Color, sink: &mut impl TermSink) {
    let attacker = !side;
    let (own, other) = (side.index(), attacker.index());
    let king = context.king(side);
    let mut units = context.attack_units[own];
    let guarded = context.attacked[own];
    let only_king = guarded & !context.attacked_twice[own] & context.attacked_by[own][PieceKind::King.index()];
    let weak = attacks::king_attacks(king) & context.attacked[other] & (!guarded | only_king);
    units += WEAK_SQUARE_UNITS * weak.count() as i32;

    // Safe squares for a check: undefended, or defended only by the king and attacked twice.
    let safe = !context.board.color(attacker) & (!guarded | only_king & context.attacked_twice[other]);
    let diagonal = attacks::bishop_attacks(king, context.occupied);
    let straight = attacks::rook_attacks(king, context.occupied);
    let from = [attacks::knight_attacks(king), diagonal, straight, diagonal | straight];
    for (case, from) in from.into_iter().enumerate() {
        let checks = from & safe & context.attacked_by[other][case + 1];
        if checks.is_some() {
            sink.add(attacker, Term::SafeCheck.at(case), 1);
            units += CHECK_UNITS[case];
        }
    }
    if context.board.colored(attacker, PieceKind::Queen).is_empty() {
        units -= NO_QUEEN_UNITS;
    }
    let step = (units / 2).clamp(0, KING_ATTACK_STEPS as i32 - 1) as usize;
    if step > 0 && context.attackers[own] > 1 {
        sink.add(attacker, Term::KingAttack.at(step), 1);
    }
}

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
