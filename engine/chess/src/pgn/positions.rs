//! Samples positions at random plies of finished games, for validation sets; counts the games of files.
//!
//! The choice depends only on the seed and the order of the games. Prints nothing.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::board::Board;
use crate::files::SourceError;
use crate::pgn::{PgnFault, PgnGame, read_file};
use crate::random::Random;
use crate::types::Color;

/// Which positions of a game are sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionChoice {
    pub per_game: usize,
    /// First ply of the game, by its move numbers, at which positions are sampled.
    pub first_ply: u32,
    pub seed: u64,
}

#[derive(Clone, Debug)]
pub struct PositionSampler {
    choice: PositionChoice,
    /// Keys of the positions sampled so far.
    seen: HashSet<u64>,
    pub count: GameCount,
}

impl PositionSampler {
    pub fn new(choice: PositionChoice) -> Self {
        Self { choice, seen: HashSet::new(), count: GameCount::default() }
    }

    pub fn positions(&self) -> usize {
        self.seen.len()
    }

    /// Appends positions of a PGN file's games, in the games' order.
    ///
    /// # Errors
    /// If the file cannot be opened or read to its end.
    pub fn add_file(&mut self, path: &Path, taken: &mut Vec<Board>) -> Result<(), SourceError> {
        read_file(path, &Arc::default(), |game| {
            let number = self.count.games;
            if let Some(game) = self.count.take(game, path) {
                self.add_game(number, &game, taken);
            }
            ControlFlow::Continue(())
        })
    }

    /// Samples positions in which a move was played and the side to move was not in check, at least two plies apart.
    fn add_game(&mut self, number: u64, game: &PgnGame, taken: &mut Vec<Board>) {
        let mut random = Random::for_part(self.choice.seed, number);
        let mut boards = Vec::with_capacity(game.moves.len());
        let mut board = game.start.clone();
        for played in &game.moves {
            boards.push(board.clone());
            board.play(played.mv);
        }
        let is_candidate = |board: &Board| ply(board) >= self.choice.first_ply && !board.in_check();
        let mut candidates: Vec<usize> = (0..boards.len()).filter(|&index| is_candidate(&boards[index])).collect();
        let mut is_taken = vec![false; boards.len() + 2];
        let mut count = 0;
        while count < self.choice.per_game && !candidates.is_empty() {
            let index = candidates.swap_remove(random.below(candidates.len() as u64) as usize);
            // Shifted by one, so that the first position has a neighbour before it.
            let has_neighbour = is_taken[index] || is_taken[index + 2];
            if !has_neighbour && self.seen.insert(boards[index].key()) {
                is_taken[index + 1] = true;
                count += 1;
            }
        }
        let chosen = boards.into_iter().enumerate().filter(|(index, _)| is_taken[index + 1]);
        taken.extend(chosen.map(|(_, board)| board));
    }
}

/// The number of plies before this position, by its move number.
fn ply(board: &Board) -> u32 {
    2 * (u32::from(board.fullmove_number()).max(1) - 1) + u32::from(board.side_to_move() == Color::Black)
}

#[derive(Clone, Default, Debug)]
pub struct GameCount {
    /// Games, including those cut off.
    pub games: u64,
    /// Games left out because they cannot be read.
    pub left_out: u64,
    /// Games that end before a move that cannot be read.
    pub cut_off: u64,
    /// The first that is left out or cut off: file, line and reason.
    pub first_fault: Option<String>,
}

impl GameCount {
    /// Counts a game of a file and returns it unless it is left out.
    pub fn take(&mut self, game: Result<PgnGame, PgnFault>, path: &Path) -> Option<PgnGame> {
        let (counter, fault) = match &game {
            Ok(game) => (&mut self.cut_off, game.cut_off.as_ref()),
            Err(fault) => (&mut self.left_out, Some(fault)),
        };
        if let Some(fault) = fault {
            *counter += 1;
            self.first_fault.get_or_insert_with(|| fault.sentence(path));
        }
        self.games += u64::from(game.is_ok());
        game.ok()
    }

    /// A sentence about the games that cannot be read, if there are any.
    pub fn remark(&self) -> Option<String> {
        let first = self.first_fault.as_ref()?;
        let counts = [(self.left_out, "left out"), (self.cut_off, "cut off")];
        let counts = counts.into_iter().filter(|&(count, _)| count > 0);
        let counts: Vec<String> = counts.map(|(count, how)| format!("{count} games {how}")).collect();
        Some(format!("{}, the first: {first}", counts.join(" and ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::read_all;

    const GAME: &str =
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Nxe5 Qd4 6. Nf3 Qxe4+ 7. Qe2 Qxe2+ 8. Kxe2 Bg4 *\n";

    fn sample(text: &str, choice: PositionChoice) -> Vec<Board> {
        let (mut sampler, mut taken) = (PositionSampler::new(choice), Vec::new());
        (0..).zip(read_all(text)).for_each(|(number, game)| sampler.add_game(number, &game, &mut taken));
        assert_eq!(taken.len(), sampler.positions());
        taken
    }

    #[test]
    fn positions_are_two_plies_apart_late_enough_and_not_in_check() {
        let mut samples = HashSet::new();
        for seed in 0..50 {
            let taken = sample(GAME, PositionChoice { per_game: 4, first_ply: 4, seed });
            let plies: Vec<u32> = taken.iter().map(ply).collect();
            assert!((3..=4).contains(&plies.len()), "{plies:?}");
            assert!(plies.windows(2).all(|pair| pair[1] >= pair[0] + 2), "{plies:?}");
            assert!(plies.iter().all(|ply| (4..16).contains(ply) && ![12, 14].contains(ply)), "{plies:?}");
            assert_eq!(taken, sample(GAME, PositionChoice { per_game: 4, first_ply: 4, seed }));
            samples.insert(plies);
        }
        assert!(samples.len() > 20, "{}", samples.len());
    }

    #[test]
    fn each_position_is_sampled_once() {
        let choice = PositionChoice { per_game: 100, first_ply: 0, seed: 1 };
        let taken = sample(&GAME.repeat(40), choice);
        let keys: HashSet<u64> = taken.iter().map(Board::key).collect();
        // Sixteen positions, two of them in check.
        assert_eq!((taken.len(), keys.len()), (14, 14));
        assert!(sample(GAME, PositionChoice { first_ply: 16, ..choice }).is_empty());
    }
}
