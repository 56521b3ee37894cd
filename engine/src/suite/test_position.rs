//! The positions of a test suite, and the check of answers.

use std::path::Path;

use alfiere_chess::board::Board;
use alfiere_chess::epd::{EpdError, EpdProblem, EpdRecord, read_lines};
use alfiere_chess::movegen::{format_san, has_legal_move, parse_san};
use alfiere_chess::types::Move;
use serde::Serialize;

/// The kind of a position; scores are kept per kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// `bm`: find one of the best moves.
    Best,
    /// `am` alone: avoid a move.
    Avoid,
    /// `bm #n`: find the mate.
    Mate,
}

/// A forced mate in moves, from the point of view of the side to move: negative if it is mated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateIn(pub i32);

#[derive(Clone, Debug)]
pub struct TestPosition {
    /// Its name, or the line number if it has none.
    pub id: String,
    pub board: Board,
    /// Moves that solve it; empty for mates and for moves to avoid only.
    pub best: Vec<Move>,
    pub avoid: Vec<Move>,
    pub mate: Option<MateIn>,
    /// Points per move, as in the Strategic Test Suite (STS); empty if the suite has no points.
    pub points: Vec<(Move, u32)>,
}

impl TestPosition {
    /// Reads the solution from a line's operations.
    ///
    /// # Errors
    /// If there is no legal move, a listed move is illegal, a mate is malformed, or there is no solution.
    pub(super) fn from_record(record: EpdRecord, line: usize) -> Result<Self, EpdProblem> {
        if !has_legal_move(&record.board) {
            return Err(EpdProblem::NoLegalMove);
        }
        let id = record.operand("id").filter(|id| !id.is_empty()).map_or_else(|| format!("line {line}"), str::to_owned);
        let mut position = Self {
            id,
            best: Vec::new(),
            avoid: Vec::new(),
            mate: None,
            points: read_points(&record),
            board: record.board,
        };
        for (opcode, operand) in &record.operations {
            match opcode.as_str() {
                "bm" if operand.starts_with('#') => position.mate = Some(read_mate(opcode, operand)?),
                "bm" => position.best.extend(read_moves(&position.board, opcode, operand)?),
                "am" => position.avoid.extend(read_moves(&position.board, opcode, operand)?),
                _ => {}
            }
        }
        if position.best.is_empty() && position.avoid.is_empty() && position.mate.is_none() {
            return Err(EpdProblem::NoTask);
        }
        Ok(position)
    }

    pub fn kind(&self) -> TaskKind {
        match (self.mate, self.best.is_empty()) {
            (Some(_), _) => TaskKind::Mate,
            (None, false) => TaskKind::Best,
            (None, true) => TaskKind::Avoid,
        }
    }

    /// Whether an answer solves it: a best move and none to avoid, or a mate for the right side.
    ///
    /// `mate` is the answer's mate score, also from the point of view of the side to move.
    pub fn is_solved_by(&self, played: Option<Move>, mate: Option<i32>) -> bool {
        if let Some(MateIn(moves)) = self.mate {
            return mate.is_some_and(|found| (found > 0) == (moves > 0));
        }
        played.is_some_and(|mv| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv))
    }

    /// Whether the mate found is as short as the suite's.
    pub fn is_shortest_mate(&self, mate: Option<i32>) -> bool {
        let shortest = |MateIn(moves): MateIn| mate.is_some_and(|found| found.unsigned_abs() <= moves.unsigned_abs());
        self.is_solved_by(None, mate) && self.mate.is_some_and(shortest)
    }

    /// Points of a move and the maximum; `None` if the suite has no points.
    pub fn points_of(&self, played: Option<Move>) -> Option<(u64, u64)> {
        let max_points = self.points.iter().map(|&(_, points)| points).max()?;
        let earned = self.points.iter().find(|(mv, _)| Some(*mv) == played).map_or(0, |&(_, points)| points);
        Some((earned.into(), max_points.into()))
    }

    /// The solution as text: `bm Rxf4`, `am b3`, `mate #3`.
    pub fn solution(&self) -> String {
        let list = |moves: &[Move]| moves.iter().map(|&mv| format_san(&self.board, mv)).collect::<Vec<_>>().join(" ");
        if let Some(MateIn(moves)) = self.mate {
            return format!("mate #{moves}");
        }
        match (self.best.is_empty(), self.avoid.is_empty()) {
            (false, true) => format!("bm {}", list(&self.best)),
            (true, _) => format!("am {}", list(&self.avoid)),
            (false, false) => format!("bm {} am {}", list(&self.best), list(&self.avoid)),
        }
    }
}

/// The positions of a file, and its invalid lines.
#[derive(Debug)]
pub struct TestSuite {
    /// In the file's order.
    pub positions: Vec<TestPosition>,
    /// Why lines are invalid: an illegal move, or no solution.
    pub refused: Vec<EpdError>,
}

/// Reads every position of a file; invalid lines are skipped.
///
/// # Errors
/// If the file cannot be read or has no valid line.
pub fn read_suite(path: &Path) -> Result<TestSuite, EpdError> {
    let (mut positions, mut refused) = (Vec::new(), Vec::new());
    for line in read_lines(path, TestPosition::from_record)? {
        match line {
            Ok(position) => positions.push(position),
            Err(error) => refused.push(error),
        }
    }
    if positions.is_empty() && !refused.is_empty() {
        return Err(refused.swap_remove(0));
    }
    Ok(TestSuite { positions, refused })
}

/// Parses moves separated by spaces or commas; lone dashes and annotation marks are ignored.
fn read_moves(board: &Board, opcode: &str, operand: &str) -> Result<Vec<Move>, EpdProblem> {
    operand
        .split([',', ' ', '\t'])
        .map(|word| word.trim_matches('"'))
        .filter(|word| !word.is_empty() && *word != "-" && !word.chars().all(|letter| matches!(letter, '!' | '?')))
        .map(|word| parse_san(board, word).map_err(|reason| EpdProblem::Move { opcode: opcode.to_owned(), reason }))
        .collect()
}

fn read_mate(opcode: &str, operand: &str) -> Result<MateIn, EpdProblem> {
    let number = operand.trim_start_matches('#').trim().parse().ok().filter(|&moves: &i32| moves != 0);
    number.map(MateIn).ok_or_else(|| EpdProblem::Mate { opcode: opcode.to_owned(), found: operand.to_owned() })
}

/// Parses `c0 "f5=10, Be5+=2"`, otherwise `c9` moves in long notation with `c8` points. Other comments have no points.
fn read_points(record: &EpdRecord) -> Vec<(Move, u32)> {
    let pair = |mv: &str, points: &str| Some((parse_san(&record.board, mv.trim()).ok()?, points.trim().parse().ok()?));
    let listed: Option<Vec<_>> = record.operand("c0").and_then(|list| {
        list.split(',').map(|entry| entry.rsplit_once('=').and_then(|(mv, points)| pair(mv, points))).collect()
    });
    let in_columns = || {
        let moves = record.operand("c9")?.split_whitespace();
        moves.zip(record.operand("c8")?.split_whitespace()).map(|(mv, points)| pair(mv, points)).collect()
    };
    listed.or_else(in_columns).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfiere_chess::movegen::parse_uci_move;

    fn position(line: &str) -> TestPosition {
        TestPosition::from_record(EpdRecord::parse(line).expect(line), 7).expect(line)
    }

    #[test]
    fn lists_of_moves_and_promotions_are_parsed() {
        let commas = position("1nrq1rk1/p4pp1/bp2pn1p/3p4/2PP1B2/P1PB2N1/4QPPP/1R2R1K1 w - - bm Bc2, Qd2; id \"E\";");
        assert_eq!((commas.best.len(), commas.kind(), commas.id.as_str()), (2, TaskKind::Best, "E"));
        let spaces = position("4r1k1/1r1np3/1pqp1ppB/p7/2b1P1PQ/2P2P2/P3B2R/3R2K1 w - bm Bg5 - Bg7!");
        assert_eq!((spaces.best.len(), spaces.id.as_str()), (2, "line 7"));
        let knight = position("8/2P1P3/b1B2p2/1pPRp3/2k3P1/P4pK1/nP3p1p/N7 w - - bm e8N;");
        assert_eq!(knight.solution(), "bm e8=N");
    }

    #[test]
    fn avoiding_a_move_solves_am() {
        let avoid =
            position("r2q1r1k/3bppbp/pp1p4/2pPn1Bp/P1P1P2P/2N2P2/1P1Q2P1/R3KB1R w KQ - am b3; id \"ERET 024\";");
        assert_eq!(avoid.kind(), TaskKind::Avoid);
        let mv = |text| parse_uci_move(&avoid.board, text).ok();
        assert!(!avoid.is_solved_by(mv("b2b3"), None));
        assert!(avoid.is_solved_by(mv("b2b4"), None));
        assert!(!avoid.is_solved_by(None, None), "no answer solves nothing");
    }

    #[test]
    fn mates_count_for_the_right_side_only() {
        // Black has one legal move and is mated after it.
        let mate = position("6Qk/PP1PP1np/1N1BN2P/7R/4B3/2Q5/P3KP2/6R1 b - - bm #-1;");
        assert_eq!(mate.kind(), TaskKind::Mate);
        assert!(mate.is_solved_by(None, Some(-1)) && mate.is_shortest_mate(Some(-1)));
        assert!(mate.is_solved_by(None, Some(-4)) && !mate.is_shortest_mate(Some(-4)));
        assert!(!mate.is_solved_by(None, Some(1)) && !mate.is_solved_by(None, None));
        assert!(!mate.is_shortest_mate(Some(i32::MIN)));
    }

    #[test]
    fn points_are_parsed_in_both_forms() {
        let fen = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - -";
        for line in [
            format!("{fen} bm f5; c0 \"f5=10, Be5+=2, Bf2=3, Bg4=2\";"),
            format!("{fen} bm f5; c8 \"10 2 3 2\"; c9 \"f4f5 d4e5 d4f2 f3g4\";"),
        ] {
            let strategic = position(&line);
            let mv = |text| parse_uci_move(&strategic.board, text).ok();
            assert_eq!(strategic.points_of(mv("d4f2")), Some((3, 10)));
            assert_eq!(strategic.points_of(mv("f4f5")), Some((10, 10)));
            assert_eq!(strategic.points_of(mv("h2h3")), Some((0, 10)));
        }
        assert_eq!(position(&format!("{fen} bm f5; c0 \"f5 wins, they say\";")).points_of(None), None);
    }

    #[test]
    fn invalid_problems_are_rejected() {
        for (operations, part) in [
            ("bm Qh9;", "operation bm"),
            ("bm #soon;", "expected a mate"),
            ("am Ra1;", "operation am"),
            ("id \"nothing\";", "no best move"),
        ] {
            let record = EpdRecord::parse(&format!("4k3/8/8/8/8/8/8/4K3 w - - {operations}")).expect("a position");
            let error = TestPosition::from_record(record, 1).expect_err(operations).to_string();
            assert!(error.contains(part), "{operations}: {error}");
        }
    }
}
