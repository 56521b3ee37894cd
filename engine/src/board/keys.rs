//! The keys of earlier positions, played and searched: what repetition is found by.

use super::Board;

/// The positions before the current one, oldest first; those of the game end at the root of the search.
#[derive(Clone, Default, Debug)]
pub struct KeyHistory {
    keys: Vec<u64>,
    root: usize,
}

impl KeyHistory {
    /// Before the first move.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets every position.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.root = 0;
    }

    /// Remembers the position that a move or a null move is about to leave.
    pub fn push(&mut self, board: &Board) {
        self.keys.push(board.key());
    }

    /// Forgets the position that was left last: its move is taken back.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// All positions so far were played; those pushed from here on are searched.
    pub fn mark_root(&mut self) {
        self.root = self.keys.len();
    }

    /// Whether search may call this position a draw: it stood once before on the search path, or twice in all.
    ///
    /// A second occurrence on the path is enough, because whoever could not avoid it will not avoid a third; one in the
    /// game proper is not, because the game goes on.
    pub fn is_repetition(&self, board: &Board) -> bool {
        let mut played = 0;
        for index in self.occurrences(board) {
            if index >= self.root {
                return true;
            }
            played += 1;
            if played == 2 {
                return true;
            }
        }
        false
    }

    /// How many times the position stood before; two and the present one make a threefold repetition.
    pub fn count(&self, board: &Board) -> usize {
        self.occurrences(board).count()
    }

    /// Where the position stood before, latest first.
    fn occurrences(&self, board: &Board) -> impl Iterator<Item = usize> {
        let end = self.keys.len();
        let reach = usize::from(board.reversible_plies()).min(end);
        let key = board.key();
        (4..=reach).step_by(2).map(move |back| end - back).filter(move |&index| self.keys[index] == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::parse_uci_move;

    fn play(board: &mut Board, keys: &mut KeyHistory, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = parse_uci_move(board, text).unwrap();
            keys.push(board);
            board.play(mv);
        }
    }

    #[test]
    fn played_and_searched_positions_count_differently() {
        let (mut board, mut keys) = (Board::startpos(), KeyHistory::new());
        play(&mut board, &mut keys, "g1f3 g8f6 f3g1 f6g8");
        keys.mark_root();
        assert!(!keys.is_repetition(&board), "second occurrence, both of the game");
        assert_eq!(keys.count(&board), 1);
        play(&mut board, &mut keys, "g1f3 g8f6 f3g1 f6g8");
        assert!(keys.is_repetition(&board), "an occurrence on the path");
        assert_eq!(keys.count(&board), 2);
        keys.mark_root();
        assert!(keys.is_repetition(&board), "third occurrence in the game");
    }

    #[test]
    fn nothing_repeats_across_a_null_move_or_a_lost_right() {
        let (mut board, mut keys) = (Board::startpos(), KeyHistory::new());
        keys.push(&board);
        board.play_null();
        play(&mut board, &mut keys, "g8f6 g1f3 f6g8 f3g1");
        keys.push(&board);
        board.play_null();
        assert!(!keys.is_repetition(&board));

        let mut board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let mut keys = KeyHistory::new();
        play(&mut board, &mut keys, "h1h2 e8d8 h2h1 d8e8");
        assert_eq!(keys.count(&board), 0);
    }
}
