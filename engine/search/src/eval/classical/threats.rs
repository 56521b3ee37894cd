//! What each side attacks of the other's, and how much room it has.

use alfiere_chess::board::attacks;
use alfiere_chess::types::{Bitboard, Color, File, PieceKind, Rank};

use super::scene::Scene;
use super::tally::Tally;
use super::terms::Term;

/// Counts what a side threatens.
pub(super) fn threats(scene: &Scene<'_>, side: Color, tally: &mut impl Tally) {
    let (own, other) = (side.index(), (!side).index());
    let theirs = scene.board.color(!side).without(scene.king(!side));
    let pieces = theirs & !scene.pawns[other];
    let by = |kind: PieceKind| scene.attacked_by[own][kind.index()];
    let by_minors = by(PieceKind::Knight) | by(PieceKind::Bishop);
    // No pawn guards it, and no two pieces unless two attack it too.
    let strong = scene.pawn_attacks[other] | scene.attacked_twice[other] & !scene.attacked_twice[own];
    let weak = theirs & !strong & scene.attacked[own];

    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        let hit = scene.board.colored(!side, kind) & scene.pawn_attacks[own];
        tally.add(side, Term::ThreatByPawn.at(kind.index() - 1), hit.count() as i32);
    }
    for kind in [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
        let men = scene.board.colored(!side, kind);
        // To take something greater is worth it even where it is guarded.
        let for_minors = if kind >= PieceKind::Rook { men } else { men & weak };
        let for_rooks = if kind == PieceKind::Queen { men } else { men & weak };
        tally.add(side, Term::ThreatByMinor.at(kind.index()), (for_minors & by_minors).count() as i32);
        tally.add(side, Term::ThreatByRook.at(kind.index()), (for_rooks & by(PieceKind::Rook)).count() as i32);
    }
    tally.add(side, Term::ThreatByKing.at(0), i32::from((weak & by(PieceKind::King)).is_some()));
    let hanging = weak & pieces & !scene.attacked[other];
    tally.add(side, Term::Hanging.at(0), hanging.count() as i32);
    tally.add(side, Term::ThreatByPush.at(0), (pushes(scene, side) & pieces).count() as i32);
}

/// What pawns would attack after a step that cannot be punished.
fn pushes(scene: &Scene<'_>, side: Color) -> Bitboard {
    let (own, other) = (side.index(), (!side).index());
    let one = scene.pawns[own].forward(side) & !scene.occupied;
    let third = Bitboard::rank(Rank::Third.relative_to(side));
    let two = (one & third).forward(side) & !scene.occupied;
    let safe = !scene.pawn_attacks[other] & (!scene.attacked[other] | scene.attacked[own]);
    attacks::pawn_attacks_of_all(side, (one | two) & safe)
}

/// Counts the room that a side's pawns make in the middle.
pub(super) fn space(scene: &Scene<'_>, side: Color, tally: &mut impl Tally) {
    let files = Bitboard::file(File::C) | Bitboard::file(File::D) | Bitboard::file(File::E) | Bitboard::file(File::F);
    let ranks = [Rank::Second, Rank::Third, Rank::Fourth].map(|rank| Bitboard::rank(rank.relative_to(side)));
    let room =
        files & (ranks[0] | ranks[1] | ranks[2]) & !scene.pawns[side.index()] & !scene.pawn_attacks[(!side).index()];
    tally.add(side, Term::Space.at(0), room.count() as i32);
}
