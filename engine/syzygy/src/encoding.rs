//! From the squares of the men to the number of a position in a table.
//!
//! Men come in groups of equal ones. The first group fixes the board's orientation (the kings, three different men, or the
//! leading side's pawns) and is numbered by special rules; each further group is a choice among the squares left.

use super::error::Damage;
use super::material::{MOST_MEN, Material};
use super::squares::{
    KING_PAIRS, TRIPLES, below_diagonal, choose, king_pair, off_diagonal, pawn_order, pawn_place, pawns_before,
    pawns_on_file, transposed, triangle,
};

/// What the first group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leaders {
    /// The two kings.
    Kings,
    /// Three men, each the only one of its kind and side.
    Triple,
    /// The pawns of the side that has fewer, but some.
    Pawns,
}

/// How one table, or one file of a table with pawns, numbers its positions.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    leaders: Leaders,
    /// Of each man in the table's order: 1 pawn to 6 king, 8 more for the second side.
    pieces: [u8; MOST_MEN],
    men: usize,
    /// Men in each group, the leading one first; its factor; whether it is of the other side's pawns.
    groups: Vec<Group>,
    /// How many positions there are.
    positions: u64,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    men: usize,
    factor: u64,
    pawns: bool,
}

impl Encoding {
    /// From the bytes at the head of a table, of which `shift` (0 or 4) picks the half that belongs to one side.
    pub(super) fn read(bytes: &[u8], shift: u32, material: Material, file: usize) -> Result<Self, Damage> {
        let nibble = |at: usize| bytes.get(at).map(|byte| byte >> shift & 15).ok_or(Damage::Short);
        let both_pawns = has_pawns_on_both_sides(material);
        let order = usize::from(nibble(0)?);
        let second_order = if both_pawns { usize::from(nibble(1)?) } else { 15 };
        let men = material.men();
        let mut pieces = [0; MOST_MEN];
        for (index, piece) in pieces.iter_mut().enumerate().take(men) {
            *piece = nibble(index + 1 + usize::from(both_pawns))?;
            if !matches!(*piece, 1..=6 | 9..=14) {
                return Err(Damage::Head("a man of no kind"));
            }
        }
        check_pieces(&pieces[..men], material)?;

        let (leaders, first) = leading_group(material);
        let mut sizes = vec![first];
        if both_pawns {
            let [a, b] = material.pawns();
            sizes.push(a.max(b));
        }
        let mut placed: usize = sizes.iter().sum();
        while placed < men {
            let same = pieces[placed..men].iter().take_while(|&&piece| piece == pieces[placed]).count();
            sizes.push(same);
            placed += same;
        }
        let mut groups: Vec<Group> = sizes.iter().map(|&men| Group { men, factor: 0, pawns: false }).collect();
        let positions = assign_factors(&mut groups, [order, second_order], leaders, both_pawns, file)?;
        Ok(Self { leaders, pieces, men, groups, positions })
    }

    /// Bytes of the head that one file's orders and men take.
    pub(super) fn head_bytes(material: Material) -> usize {
        material.men() + 1 + usize::from(has_pawns_on_both_sides(material))
    }

    /// How many positions it numbers.
    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    /// The men in the table's order.
    pub(super) fn pieces(&self) -> &[u8] {
        &self.pieces[..self.men]
    }

    /// Men of the group that leads.
    pub(super) fn leading_men(&self) -> usize {
        self.groups[0].men
    }

    /// The number of a position, from the squares of its men in the table's order; of leading pawns the one of lowest
    /// [`pawn_order`] must be the first.
    pub(super) fn index(&self, squares: &mut [usize]) -> u64 {
        if squares[0] % 8 > 3 {
            reflect(squares, |square| square ^ 0b111);
        }
        let first = self.groups[0];
        let mut index = first.factor
            * match self.leaders {
                Leaders::Pawns => index_of_pawns(&mut squares[..first.men]),
                Leaders::Kings => {
                    orient(squares, 2);
                    king_pair(squares[0], squares[1])
                }
                Leaders::Triple => {
                    orient(squares, 3);
                    index_of_triple([squares[0], squares[1], squares[2]])
                }
            };
        let mut placed = first.men;
        for group in &self.groups[1..] {
            let (before, rest) = squares.split_at_mut(placed);
            let members = &mut rest[..group.men];
            members.sort_unstable();
            let mut combination = 0;
            for (nth, &square) in members.iter().enumerate() {
                let skipped = before.iter().filter(|&&other| square > other).count();
                // Pawns never stand on the first rank.
                let free = (square - skipped).saturating_sub(if group.pawns { 8 } else { 0 });
                combination += choose(nth + 1, free);
            }
            index += combination * group.factor;
            placed += group.men;
        }
        index
    }
}

fn has_pawns_on_both_sides(material: Material) -> bool {
    material.pawns().iter().all(|&pawns| pawns > 0)
}

fn leading_group(material: Material) -> (Leaders, usize) {
    match material.pawns() {
        [0, 0] if material.has_single_man() => (Leaders::Triple, 3),
        [0, 0] => (Leaders::Kings, 2),
        [0, pawns] | [pawns, 0] => (Leaders::Pawns, pawns),
        [a, b] => (Leaders::Pawns, a.min(b)),
    }
}

/// The men that the head lists must be those of the table's name, the leading pawns first.
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
        return Err(Damage::Head("other men than in its name"));
    }
    let pawns = |count: usize| pieces[..count].iter().all(|piece| piece & 7 == 1);
    let (leaders, first) = leading_group(material);
    let all_pawns = if has_pawns_on_both_sides(material) { material.pawns().iter().sum() } else { first };
    let same = pieces[..first].iter().all(|&piece| piece == pieces[0]);
    if leaders == Leaders::Pawns && !(pawns(all_pawns) && same) {
        return Err(Damage::Head("pawns do not come first"));
    }
    Ok(())
}

/// The order in which groups are multiplied up is the table's choice: `order` says when the leading group's turn comes and,
/// with pawns on both sides, when the other pawns'. The result is the number of positions.
fn assign_factors(
    groups: &mut [Group],
    order: [usize; 2],
    leaders: Leaders,
    both_pawns: bool,
    file: usize,
) -> Result<u64, Damage> {
    let special = 1 + usize::from(both_pawns);
    let mut free = 64 - groups[..special].iter().map(|group| group.men).sum::<usize>();
    let first_men = groups[0].men;
    let mut positions: u64 = 1;
    let mut next = special;
    for turn in 0..groups.len() {
        let (group, ways) = if turn == order[0] {
            let ways = match leaders {
                Leaders::Kings => KING_PAIRS,
                Leaders::Triple => TRIPLES,
                Leaders::Pawns => pawns_on_file(first_men, file),
            };
            (0, ways)
        } else if both_pawns && turn == order[1] {
            groups[1].pawns = true;
            (1, choose(groups[1].men, 48 - first_men))
        } else {
            let men = groups.get(next).ok_or(Damage::Head("orders"))?.men;
            let ways = choose(men, free);
            free -= men;
            next += 1;
            (next - 1, ways)
        };
        groups[group].factor = positions;
        positions = positions.checked_mul(ways).ok_or(Damage::Head("too many positions"))?;
    }
    if groups.iter().any(|group| group.factor == 0) || next != groups.len() {
        return Err(Damage::Head("orders"));
    }
    Ok(positions)
}

fn reflect(squares: &mut [usize], image: impl Fn(usize) -> usize) {
    for square in squares {
        *square = image(*square);
    }
}

/// Reflects the board so that the first man comes into the triangle a1-d1-d4, and where it is on the diagonal, the next ones
/// of the leading group below it.
fn orient(squares: &mut [usize], leading: usize) {
    if squares[0] / 8 > 3 {
        reflect(squares, |square| square ^ 0b11_1000);
    }
    let first_off = squares[..leading].iter().map(|&square| off_diagonal(square)).find(|&side| side != 0);
    if first_off.is_some_and(|side| side > 0) {
        reflect(squares, transposed);
    }
}

/// The number of three different men, oriented: by how many of the first ones stand on the diagonal.
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

/// The number of the leading pawns; the first must be the one of lowest order.
fn index_of_pawns(squares: &mut [usize]) -> u64 {
    squares[1..].sort_unstable_by_key(|&square| std::cmp::Reverse(pawn_place(square)));
    let pawns = squares.len();
    let others = squares.iter().enumerate().skip(1).map(|(nth, &square)| choose(pawns - nth, pawn_place(square)));
    pawns_before(pawns, pawn_order(squares[0])) + others.sum::<u64>()
}
