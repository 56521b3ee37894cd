//! One file: its head, and the value that it holds for a position.

use std::path::Path;

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};

use super::encoding::Encoding;
use super::error::Damage;
use super::material::{MOST_MEN, Material};
use super::pairs::{Head, Values};
use super::source::{Allowance, Source};
use super::squares::{folded_file, pawn_order};
use super::wdl::Wdl;

/// The head of the largest table is far smaller.
const HEAD_BYTES: u64 = 256 * 1024;

/// What a file tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Whether a position is won.
    Wdl,
    /// How many plies it takes to a capture or a pawn's move, with best play by that count.
    Dtz,
}

impl Kind {
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Self::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        }
    }
}

/// The positions of one side to move, of one file of the leading pawn where there are pawns.
#[derive(Debug)]
struct Section {
    encoding: Encoding,
    values: Values,
    flags: Flags,
    /// By outcome: what the stored values of a distance mean; empty if they mean themselves.
    maps: [Vec<u16>; 4],
}

/// The bits before the values.
#[derive(Clone, Copy, Debug)]
struct Flags(u8);

impl Flags {
    const fn side(self) -> usize {
        (self.0 & 1) as usize
    }

    const fn has_maps(self) -> bool {
        self.0 & 2 != 0
    }

    const fn has_wide_maps(self) -> bool {
        self.0 & 16 != 0
    }

    /// Whether distances are stored in plies and not in moves.
    const fn counts_plies(self, wdl: Wdl) -> bool {
        match wdl {
            Wdl::Win => self.0 & 4 != 0,
            Wdl::Loss => self.0 & 8 != 0,
            _ => false,
        }
    }
}

/// A distance as its table tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Distance {
    /// So many plies, less one.
    Plies(i32),
    /// The table holds only positions with the other side to move.
    OtherSide,
}

/// A table that can be asked.
#[derive(Debug)]
pub(super) struct Table {
    material: Material,
    source: Source,
    /// By file of the leading pawn, one where there are no pawns; then by side to move where both are stored.
    sections: Vec<Vec<Section>>,
}

impl Table {
    /// Opens a file and reads its head.
    pub(super) fn open(path: &Path, kind: Kind, material: Material) -> Result<Self, Damage> {
        let source = Source::open(path)?;
        let length = source.length();
        let head = source.read(0, length.min(HEAD_BYTES) as usize).ok_or(Damage::Short)?;
        if !head.starts_with(&kind.magic()) {
            return Err(Damage::Magic);
        }
        // Whole blocks of 64 bytes and a checksum of 16.
        if length % 64 != 16 {
            return Err(Damage::Length(length));
        }
        let (sections, end) = read_head(&head, kind, material)?;
        if end.checked_add(16).is_none_or(|end| end > length) {
            return Err(Damage::Short);
        }
        Ok(Self { material, source, sections })
    }

    /// The same with its bytes in memory, if it is small.
    pub(super) fn kept(self, allowance: &Allowance) -> Self {
        Self { source: self.source.kept(allowance), ..self }
    }

    /// The outcome for the side to move, captures and en passant left aside.
    pub(super) fn wdl(&self, board: &Board, view: View) -> Option<Wdl> {
        let (section, index) = self.find(board, view, view.side(self.material))?;
        Wdl::from_stored(section.values.get(&self.source, index)? as u8)
    }

    /// The distance to a capture or a pawn's move in a position of this outcome.
    pub(super) fn dtz(&self, board: &Board, view: View, wdl: Wdl) -> Option<Distance> {
        let (section, index) = self.find(board, view, 0)?;
        if section.flags.side() != view.side(self.material) && !self.material.is_symmetric() {
            return Some(Distance::OtherSide);
        }
        let stored = section.values.get(&self.source, index)?;
        let map = &section.maps[wdl.map()];
        let value = if section.flags.has_maps() { *map.get(usize::from(stored))? } else { stored };
        let plies = i32::from(value) * if section.flags.counts_plies(wdl) { 1 } else { 2 };
        Some(Distance::Plies(plies))
    }

    /// The section for a side to move and the position's number in it.
    fn find(&self, board: &Board, view: View, side: usize) -> Option<(&Section, u64)> {
        let mut squares = [0; MOST_MEN];
        let pawns = self.material.has_pawns();
        let turn = if pawns && view.exchanged { 56 } else { 0 };
        let first = self.sections.first()?;
        let mut file = 0;
        if pawns {
            let encoding = &first.first()?.encoding;
            let leading = &mut squares[..encoding.leading_men()];
            place(board, view, turn, encoding.pieces(), leading)?;
            file = folded_file(leading.iter().copied().min_by_key(|&square| pawn_order(square))?);
        }
        let section = self.sections.get(file)?.get(side)?;
        let encoding = &section.encoding;
        let squares = &mut squares[..self.material.men()];
        place(board, view, turn, encoding.pieces(), squares)?;
        if pawns {
            let leading = &mut squares[..encoding.leading_men()];
            let lowest = (0..leading.len()).min_by_key(|&at| pawn_order(leading[at]))?;
            leading.swap(0, lowest);
        }
        let index = encoding.index(squares);
        (index < encoding.positions()).then_some((section, index))
    }
}

/// Whose eyes the table sees the board with.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Black has the men of the table's first side.
    exchanged: bool,
    to_move: Color,
}

impl View {
    /// Of a board whose material is the table's, or the table's with sides exchanged.
    pub(super) fn of(board: &Board, table: Material, material: Material) -> Self {
        let to_move = board.side_to_move();
        // Equal men: the side to move is always the first.
        let exchanged = if table.is_symmetric() { to_move == Color::Black } else { material != table };
        Self { exchanged, to_move }
    }

    /// 0 if the table's first side is to move, 1 for the second.
    fn side(self, table: Material) -> usize {
        usize::from(!table.is_symmetric() && (self.to_move == Color::Black) != self.exchanged)
    }

    fn color(self, piece: u8) -> Color {
        if (piece & 8 != 0) == self.exchanged { Color::White } else { Color::Black }
    }
}

/// Writes down the squares of the men in the table's order, `turn` (0 or 56) exchanging the ranks.
fn place(board: &Board, view: View, turn: usize, pieces: &[u8], squares: &mut [usize]) -> Option<()> {
    let mut at = 0;
    while at < squares.len() {
        let piece = *pieces.get(at)?;
        let kind = PieceKind::ALL[usize::from(piece & 7).checked_sub(1)?];
        let men = board.colored(view.color(piece), kind);
        if men.is_empty() {
            return None;
        }
        for square in men {
            *squares.get_mut(at)? = square.index() ^ turn;
            at += 1;
        }
    }
    Some(())
}

/// The sections, and where their data end.
fn read_head(bytes: &[u8], kind: Kind, material: Material) -> Result<(Vec<Vec<Section>>, u64), Damage> {
    let mut head = Head::new(bytes);
    head.take(4)?;
    let layout = head.byte()?;
    let split = kind == Kind::Wdl && layout & 1 != 0;
    if kind == Kind::Wdl && split == material.is_symmetric() || (layout & 2 != 0) != material.has_pawns() {
        return Err(Damage::Head("other men than in its name"));
    }
    let (files, sides) = (if material.has_pawns() { 4 } else { 1 }, if split { 2 } else { 1 });
    let mut encodings = Vec::new();
    for file in 0..files {
        let bytes = head.take(Encoding::head_bytes(material))?;
        for side in 0..sides {
            encodings.push(Encoding::read(bytes, 4 * side, material, file)?);
        }
    }
    head.align();
    let mut sections = Vec::new();
    for encoding in encodings {
        let (flags, values) = Values::read(&mut head, encoding.positions(), kind == Kind::Wdl)?;
        sections.push(Section { encoding, values, flags: Flags(flags), maps: Default::default() });
    }
    if kind == Kind::Dtz {
        for section in sections.iter_mut().filter(|section| section.flags.has_maps()) {
            section.maps = read_maps(&mut head, section.flags)?;
        }
        head.align();
    }
    let mut at = head.position();
    for section in &mut sections {
        at = section.values.place_spans(at);
    }
    for section in &mut sections {
        at = section.values.place_sizes(at);
    }
    for section in &mut sections {
        at = section.values.place_blocks(at);
    }
    let mut by_file: Vec<Vec<Section>> = Vec::new();
    for section in sections {
        match by_file.last_mut() {
            Some(file) if file.len() < sides as usize => file.push(section),
            _ => by_file.push(vec![section]),
        }
    }
    Ok((by_file, at))
}

/// Four lists, each after its length.
fn read_maps(head: &mut Head<'_>, flags: Flags) -> Result<[Vec<u16>; 4], Damage> {
    let mut maps: [Vec<u16>; 4] = Default::default();
    if flags.has_wide_maps() {
        head.align();
    }
    for map in &mut maps {
        *map = if flags.has_wide_maps() {
            (0..head.word()?).map(|_| head.word()).collect::<Result<_, _>>()?
        } else {
            let length = head.byte()?;
            head.take(usize::from(length))?.iter().copied().map(u16::from).collect()
        };
    }
    Ok(maps)
}
