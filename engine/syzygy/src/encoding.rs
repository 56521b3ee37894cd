//! Maps the squares of the pieces to the index of a position in a table.
//!
//! Equal pieces form groups. The leading group fixes the board's orientation (the kings, three different pieces, or the
//! leading side's pawns) and has its own index rules; each further group is indexed as a combination of the remaining
//! squares.

use super::material::{MAX_PIECES, Material};
use super::source::Damage;
use super::squares::{
    KING_PAIRS, TRIPLES, below_diagonal, choose, king_pair, off_diagonal, pawn_order, pawn_square_index, pawns_before,
    pawns_on_file, transposed, triangle,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LeadingGroup {
    Kings,
    /// Three different pieces, each unique in kind and side.
    Triple,
    /// The pawns of the side with fewer pawns, or of the only side with pawns.
    Pawns,
}

/// The position index of one table, or of one file of a table with pawns.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    leading: LeadingGroup,
    /// The pieces in the table's order: 1 (pawn) to 6 (king), plus 8 for the second side.
    pieces: [u8; MAX_PIECES],
    piece_count: usize,
    /// The groups, leading group first.
    groups: Vec<Group>,
    positions: u64,
}

#[derive(Clone, Copy, Debug)]
/// A group of equal pieces, or the leading group.
struct Group {
    piece_count: usize,
    factor: u64,
    pawns: bool,
}

impl Encoding {
    /// Reads the encoding from the table header; `shift` (0 or 4) selects the nibble of the side to move.
    pub(super) fn read(bytes: &[u8], shift: u32, material: Material, file: usize) -> Result<Self, Damage> {
        let nibble = |at: usize| bytes.get(at).map(|byte| byte >> shift & 15).ok_or(Damage::Short);
        let both_pawns = has_pawns_on_both_sides(material);
        let order = usize::from(nibble(0)?);
        let second_order = if both_pawns { usize::from(nibble(1)?) } else { 15 };
        let piece_count = material.piece_count();
        let mut pieces = [0; MAX_PIECES];
        for (index, piece) in pieces.iter_mut().enumerate().take(piece_count) {
            *piece = nibble(index + 1 + usize::from(both_pawns))?;
            if !matches!(*piece, 1..=6 | 9..=14) {
                return Err(Damage::Header("an invalid piece"));
            }
        }
        check_pieces(&pieces[..piece_count], material)?;

        let (leading, first) = leading_group(material);
        let mut sizes = vec![first];
        if both_pawns {
            let [a, b] = material.pawns();
            sizes.push(a.max(b));
        }
        let mut placed: usize = sizes.iter().sum();
        while placed < piece_count {
            let same = pieces[placed..piece_count].iter().take_while(|&&piece| piece == pieces[placed]).count();
            sizes.push(same);
            placed += same;
        }
        let mut groups: Vec<Group> =
            sizes.iter().map(|&piece_count| Group { piece_count, factor: 0, pawns: false }).collect();
        let positions = assign_factors(&mut groups, [order, second_order], leading, both_pawns, file)?;
        Ok(Self { leading, pieces, piece_count, groups, positions })
    }

    /// Number of header bytes for one file's group orders and pieces.
    pub(super) fn header_bytes(material: Material) -> usize {
        material.piece_count() + 1 + usize::from(has_pawns_on_both_sides(material))
    }

    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    /// The pieces in the table's order.
    pub(super) fn pieces(&self) -> &[u8] {
        &self.pieces[..self.piece_count]
    }

    pub(super) fn leading_piece_count(&self) -> usize {
        self.groups[0].piece_count
    }

    /// The index of a position, from the squares of its pieces in the table's order. Among leading pawns, the one with
    /// the lowest [`pawn_order`] must come first.
    pub(super) fn index(&self, squares: &mut [usize]) -> u64 {
        if squares[0] % 8 > 3 {
            reflect(squares, |square| square ^ 0b111);
        }
        let first = self.groups[0];
        let mut index = first.factor
            * match self.leading {
                LeadingGroup::Pawns => index_of_pawns(&mut squares[..first.piece_count]),
                LeadingGroup::Kings => {
                    orient(squares, 2);
                    king_pair(squares[0], squares[1])
                }
                LeadingGroup::Triple => {
                    orient(squares, 3);
                    index_of_triple([squares[0], squares[1], squares[2]])
                }
            };
        let mut placed = first.piece_count;
        for group in &self.groups[1..] {
            let (before, rest) = squares.split_at_mut(placed);
            let members = &mut rest[..group.piece_count];
            members.sort_unstable();
            let mut combination = 0;
            for (nth, &square) in members.iter().enumerate() {
                let skipped = before.iter().filter(|&&other| square > other).count();
                // Pawns are never on the first rank.
                let free = (square - skipped).saturating_sub(if group.pawns { 8 } else { 0 });
                combination += choose(nth + 1, free);
            }
            index += combination * group.factor;
            placed += group.piece_count;
        }
        index
    }
}

fn has_pawns_on_both_sides(material: Material) -> bool {
    material.pawns().iter().all(|&pawns| pawns > 0)
}

fn leading_group(material: Material) -> (LeadingGroup, usize) {
    match material.pawns() {
        [0, 0] if material.has_unique_piece() => (LeadingGroup::Triple, 3),
        [0, 0] => (LeadingGroup::Kings, 2),
        [0, pawns] | [pawns, 0] => (LeadingGroup::Pawns, pawns),
        [a, b] => (LeadingGroup::Pawns, a.min(b)),
    }
}

/// Checks that the header lists the pieces of the table's name, leading pawns first.
fn check_pieces(pieces: &[u8], material: Material) -> Result<(), Damage> {
    let side = |offset: u8| {
        let letters = pieces
            .iter()
            .filter(|&&piece| piece & 8 == offset)
            .map(|piece| "PNBRQK".as_bytes()[usize::from(piece & 7) - 1]);
        let mut letters: Vec<char> = letters.map(char::from).collect();
        letters.sort_unstable_by_key(|&letter| letter != 'K');
        letters.into_iter().collect::<String>()
    };
    let listed = Material::parse(&format!("{}v{}", side(0), side(8)));
    if listed != Some(material) {
        return Err(Damage::Header("pieces that differ from the file name"));
    }
    let pawns = |count: usize| pieces[..count].iter().all(|piece| piece & 7 == 1);
    let (leading, first) = leading_group(material);
    let all_pawns = if has_pawns_on_both_sides(material) { material.pawns().iter().sum() } else { first };
    let same = pieces[..first].iter().all(|&piece| piece == pieces[0]);
    if leading == LeadingGroup::Pawns && !(pawns(all_pawns) && same) {
        return Err(Damage::Header("pawns that are not first"));
    }
    Ok(())
}

/// Assigns the index factor of each group and returns the number of positions. The header gives the order of the
/// factors: `order` holds the place of the leading group and, with pawns on both sides, of the other pawns.
fn assign_factors(
    groups: &mut [Group],
    order: [usize; 2],
    leading: LeadingGroup,
    both_pawns: bool,
    file: usize,
) -> Result<u64, Damage> {
    let special = 1 + usize::from(both_pawns);
    let mut free = 64 - groups[..special].iter().map(|group| group.piece_count).sum::<usize>();
    let first_count = groups[0].piece_count;
    let mut positions: u64 = 1;
    let mut next = special;
    for turn in 0..groups.len() {
        let (group, ways) = if turn == order[0] {
            let ways = match leading {
                LeadingGroup::Kings => KING_PAIRS,
                LeadingGroup::Triple => TRIPLES,
                LeadingGroup::Pawns => pawns_on_file(first_count, file),
            };
            (0, ways)
        } else if both_pawns && turn == order[1] {
            groups[1].pawns = true;
            (1, choose(groups[1].piece_count, 48 - first_count))
        } else {
            let piece_count = groups.get(next).ok_or(Damage::Header("group orders"))?.piece_count;
            let ways = choose(piece_count, free);
            free -= piece_count;
            next += 1;
            (next - 1, ways)
        };
        groups[group].factor = positions;
        positions = positions.checked_mul(ways).ok_or(Damage::Header("too many positions"))?;
    }
    if groups.iter().any(|group| group.factor == 0) || next != groups.len() {
        return Err(Damage::Header("group orders"));
    }
    Ok(positions)
}

fn reflect(squares: &mut [usize], image: impl Fn(usize) -> usize) {
    for square in squares {
        *square = image(*square);
    }
}

/// Mirrors the board so that the first piece is in the triangle a1-d1-d4; if it is on the diagonal, the next piece of
/// the leading group that is off the diagonal is below it.
fn orient(squares: &mut [usize], leading: usize) {
    if squares[0] / 8 > 3 {
        reflect(squares, |square| square ^ 0b11_1000);
    }
    let first_off = squares[..leading].iter().map(|&square| off_diagonal(square)).find(|&side| side != 0);
    if first_off.is_some_and(|side| side > 0) {
        reflect(squares, transposed);
    }
}

/// The index of three different pieces in canonical orientation, by the number of leading pieces on the diagonal.
fn index_of_triple([a, b, c]: [usize; 3]) -> u64 {
    let before_b = usize::from(b > a);
    let before_c = usize::from(c > a) + usize::from(c > b);
    let index = if off_diagonal(a) != 0 {
        triangle(a) * 63 * 62 + (b - before_b) * 62 + c - before_c
    } else if off_diagonal(b) != 0 {
        6 * 63 * 62 + a % 8 * 28 * 62 + below_diagonal(b) * 62 + c - before_c
    } else if off_diagonal(c) != 0 {
        6 * 63 * 62 + 4 * 28 * 62 + a % 8 * 7 * 28 + (b % 8 - before_b) * 28 + below_diagonal(c)
    } else {
        6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + a % 8 * 7 * 6 + (b % 8 - before_b) * 6 + c % 8 - before_c
    };
    index as u64
}

/// The index of the leading pawns; the pawn of lowest order must come first.
fn index_of_pawns(squares: &mut [usize]) -> u64 {
    squares[1..].sort_unstable_by_key(|&square| std::cmp::Reverse(pawn_square_index(square)));
    let pawns = squares.len();
    let others =
        squares.iter().enumerate().skip(1).map(|(nth, &square)| choose(pawns - nth, pawn_square_index(square)));
    pawns_before(pawns, pawn_order(squares[0])) + others.sum::<u64>()
}
