//! One table file: its header, and the stored value of a position.

use std::path::Path;

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};

use super::Wdl;
use super::encoding::Encoding;
use super::material::{MAX_PIECES, Material};
use super::pairs::{Header, Values};
use super::source::{CacheBudget, Damage, Source};
use super::squares::{folded_file, pawn_order};

/// Number of bytes read for the header; the largest header is much smaller.
const HEADER_BYTES: u64 = 256 * 1024;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Wdl,
    /// Distance to zeroing: plies to the next capture or pawn move with best play.
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

/// The positions of one side to move and, in tables with pawns, of one file of the leading pawn.
#[derive(Debug)]
struct Section {
    encoding: Encoding,
    values: Values,
    flags: Flags,
    /// DTZ value maps by WDL; empty if the values are stored unmapped.
    maps: [Vec<u16>; 4],
}

/// The flag byte before the values.
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

    /// Whether DTZ is stored in plies instead of moves.
    const fn counts_plies(self, wdl: Wdl) -> bool {
        match wdl {
            Wdl::Win => self.0 & 4 != 0,
            Wdl::Loss => self.0 & 8 != 0,
            _ => false,
        }
    }
}

/// A stored DTZ value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Distance {
    /// The number of plies minus one.
    Plies(i32),
    /// The table has only positions with the other side to move.
    OtherSide,
}

#[derive(Debug)]
pub(super) struct Table {
    material: Material,
    source: Source,
    /// By file of the leading pawn (one entry without pawns), then by side to move if both are stored.
    sections: Vec<Vec<Section>>,
}

impl Table {
    pub(super) fn open(path: &Path, kind: Kind, material: Material) -> Result<Self, Damage> {
        let source = Source::open(path)?;
        let length = source.length();
        let header = source.read(0, length.min(HEADER_BYTES) as usize).ok_or(Damage::Short)?;
        if !header.starts_with(&kind.magic()) {
            return Err(Damage::Magic);
        }
        // Blocks of 64 bytes, and a checksum of 16.
        if length % 64 != 16 {
            return Err(Damage::Length(length));
        }
        let (sections, end) = read_header(&header, kind, material)?;
        if end.checked_add(16).is_none_or(|end| end > length) {
            return Err(Damage::Short);
        }
        Ok(Self { material, source, sections })
    }

    /// Caches a small table in memory.
    pub(super) fn cached(self, budget: &CacheBudget) -> Self {
        Self { source: self.source.cached(budget), ..self }
    }

    /// The stored WDL value for the side to move; wrong where a capture or en passant is best.
    pub(super) fn wdl(&self, board: &Board, sides: TableSides) -> Option<Wdl> {
        let (section, index) = self.find(board, sides, sides.side(self.material))?;
        Wdl::from_stored(section.values.get(&self.source, index)? as u8)
    }

    /// The stored DTZ value of a position with this WDL value.
    pub(super) fn dtz(&self, board: &Board, sides: TableSides, wdl: Wdl) -> Option<Distance> {
        let (section, index) = self.find(board, sides, 0)?;
        if section.flags.side() != sides.side(self.material) && !self.material.is_symmetric() {
            return Some(Distance::OtherSide);
        }
        let stored = section.values.get(&self.source, index)?;
        let map = &section.maps[wdl.map()];
        let value = if section.flags.has_maps() { *map.get(usize::from(stored))? } else { stored };
        let plies = i32::from(value) * if section.flags.counts_plies(wdl) { 1 } else { 2 };
        Some(Distance::Plies(plies))
    }

    /// The section and the index of a position.
    fn find(&self, board: &Board, sides: TableSides, side: usize) -> Option<(&Section, u64)> {
        let mut squares = [0; MAX_PIECES];
        let pawns = self.material.has_pawns();
        let flip = if pawns && sides.exchanged { 56 } else { 0 };
        let first = self.sections.first()?;
        let mut file = 0;
        if pawns {
            let encoding = &first.first()?.encoding;
            let leading = &mut squares[..encoding.leading_piece_count()];
            write_squares(board, sides, flip, encoding.pieces(), leading)?;
            file = folded_file(leading.iter().copied().min_by_key(|&square| pawn_order(square))?);
        }
        let section = self.sections.get(file)?.get(side)?;
        let encoding = &section.encoding;
        let squares = &mut squares[..self.material.piece_count()];
        write_squares(board, sides, flip, encoding.pieces(), squares)?;
        if pawns {
            let leading = &mut squares[..encoding.leading_piece_count()];
            let lowest = (0..leading.len()).min_by_key(|&at| pawn_order(leading[at]))?;
            leading.swap(0, lowest);
        }
        let index = encoding.index(squares);
        (index < encoding.positions()).then_some((section, index))
    }
}

/// The mapping of colours to the table's sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableSides {
    /// Whether the table's first side is Black.
    exchanged: bool,
    to_move: Color,
}

impl TableSides {
    /// The mapping for a board whose material is the table's, possibly with the sides exchanged.
    pub(super) fn of(board: &Board, table: Material, material: Material) -> Self {
        let to_move = board.side_to_move();
        // With equal material, the side to move is always the first side.
        let exchanged = if table.is_symmetric() { to_move == Color::Black } else { material != table };
        Self { exchanged, to_move }
    }

    /// The table's side to move: 0 for the first side, 1 for the second.
    fn side(self, table: Material) -> usize {
        usize::from(!table.is_symmetric() && (self.to_move == Color::Black) != self.exchanged)
    }

    fn color(self, piece: u8) -> Color {
        if (piece & 8 != 0) == self.exchanged { Color::White } else { Color::Black }
    }
}

/// Writes the squares of the pieces in the table's order; `flip` is 56 to mirror the ranks, otherwise 0.
fn write_squares(board: &Board, sides: TableSides, flip: usize, pieces: &[u8], squares: &mut [usize]) -> Option<()> {
    let mut at = 0;
    while at < squares.len() {
        let piece = *pieces.get(at)?;
        let kind = PieceKind::ALL[usize::from(piece & 7).checked_sub(1)?];
        let same_kind = board.colored(sides.color(piece), kind);
        if same_kind.is_empty() {
            return None;
        }
        for square in same_kind {
            *squares.get_mut(at)? = square.index() ^ flip;
            at += 1;
        }
    }
    Some(())
}

/// Reads the sections, and the offset of the end of their data.
fn read_header(bytes: &[u8], kind: Kind, material: Material) -> Result<(Vec<Vec<Section>>, u64), Damage> {
    let mut header = Header::new(bytes);
    header.take(4)?;
    let layout = header.byte()?;
    let split = kind == Kind::Wdl && layout & 1 != 0;
    if kind == Kind::Wdl && split == material.is_symmetric() || (layout & 2 != 0) != material.has_pawns() {
        return Err(Damage::Header("pieces that differ from the file name"));
    }
    let (files, sides) = (if material.has_pawns() { 4 } else { 1 }, if split { 2 } else { 1 });
    let mut encodings = Vec::new();
    for file in 0..files {
        let bytes = header.take(Encoding::header_bytes(material))?;
        for side in 0..sides {
            encodings.push(Encoding::read(bytes, 4 * side, material, file)?);
        }
    }
    header.align();
    let mut sections = Vec::new();
    for encoding in encodings {
        let (flags, values) = Values::read(&mut header, encoding.positions(), kind == Kind::Wdl)?;
        sections.push(Section { encoding, values, flags: Flags(flags), maps: Default::default() });
    }
    if kind == Kind::Dtz {
        for section in sections.iter_mut().filter(|section| section.flags.has_maps()) {
            section.maps = read_maps(&mut header, section.flags)?;
        }
        header.align();
    }
    let mut at = header.position();
    for section in &mut sections {
        at = section.values.set_spans_offset(at);
    }
    for section in &mut sections {
        at = section.values.set_sizes_offset(at);
    }
    for section in &mut sections {
        at = section.values.set_blocks_offset(at);
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

/// Reads four lists, each preceded by its length.
fn read_maps(header: &mut Header<'_>, flags: Flags) -> Result<[Vec<u16>; 4], Damage> {
    let mut maps: [Vec<u16>; 4] = Default::default();
    if flags.has_wide_maps() {
        header.align();
    }
    for map in &mut maps {
        *map = if flags.has_wide_maps() {
            (0..header.word()?).map(|_| header.word()).collect::<Result<_, _>>()?
        } else {
            let length = header.byte()?;
            header.take(usize::from(length))?.iter().copied().map(u16::from).collect()
        };
    }
    Ok(maps)
}
