//! Quiescence search: captures, promotions and check evasions, until the position is quiet.

use std::ops::ControlFlow;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::is_legal;
use alfiere_chess::types::Move;

use super::{NodeType, Pruned, eval_of_material, material_of_eval, refine, usable_score};
use crate::eval::Evaluator;
use crate::search::ordering::{Checks, MovePicker, Scope, gain_of};
use crate::search::score::{Depth, Score, Window};
use crate::search::table::{Bound, Entry};
use crate::search::thread::{Searched, Worker};
use crate::search::tunables;

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a position over captures, promotions and evasions.
    pub(crate) fn quiescence(
        &mut self,
        board: &Board,
        mut window: Window,
        ply: usize,
        node_type: NodeType,
    ) -> Searched {
        self.poll()?;
        self.selective_depth = self.selective_depth.max(ply);
        self.data.variations.clear(ply);
        let in_check = board.in_check();
        let frame = self.data.frames.at_mut(ply);
        frame.number = 0;
        frame.history = 0;
        let repetition_bound = match self.check_draws(board, window, ply) {
            ControlFlow::Break(score) => return Ok(score),
            ControlFlow::Continue((narrowed, bound)) => {
                window = narrowed;
                bound
            }
        };

        // Table cutoff: any depth is enough here.
        let entry = self.probe(board);
        if !node_type.is_pv()
            && board.halfmove_clock() < 90
            && let Some(score) = entry.and_then(|entry| usable_score(entry, window, ply))
        {
            return Ok(score);
        }
        // Quiescence does not mark its positions as those of a principal variation: too many would count as such.
        let tt_pv = entry.is_some_and(Entry::tt_pv);

        // Stand pat: captures are not forced.
        let mut raw_eval = None;
        let mut best_score = Score::mated_at(ply);
        let mut futility = None;
        if !in_check {
            let raw = entry.and_then(Entry::static_eval).unwrap_or_else(|| self.evaluate(board));
            raw_eval = Some(raw);
            let static_eval = self.corrected(board, raw, ply, self.correction(ply));
            best_score = refine(static_eval, entry, ply);
            futility = Some(static_eval + tunables::quiescence_futility());
            if window.fails_high(best_score) {
                if entry.is_none() {
                    self.input.table.store(board.key(), Entry::evaluation(raw, tt_pv));
                }
                return Ok(best_score.midpoint(window.beta));
            }
            window.alpha = window.alpha.max(best_score);
        }

        let hash_move = entry.and_then(Entry::mv).filter(|&mv| is_legal(board, mv));
        let scope = if in_check { Scope::All } else { Scope::Noisy { gain: None } };
        let mut picker = MovePicker::new(scope, hash_move, self.data.frames.context(ply));
        let checks = Checks::of(board);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(board, &checks, &self.data.history) {
            if self.overlooks(board, mv, ply) {
                continue;
            }
            move_count += 1;
            if !best_score.is_loss() {
                // In check: once something does not lose, quiet answers hardly matter.
                if in_check && !mv.is_noisy() {
                    picker.skip_quiets();
                    if move_count > 1 {
                        continue;
                    }
                }
                if let Some(pruned) = self.prune_capture(board, &checks, mv, (move_count, ply), futility, window.alpha)
                {
                    best_score = pruned.reachable.map_or(best_score, |reachable| best_score.max(reachable));
                    continue;
                }
            }
            self.input.table.prefetch(board.key_after(mv));
            let child = self.play(board, mv, ply);
            let score = -self.quiescence(&child, -window, ply + 1, node_type)?;
            self.undo();
            if score > best_score {
                best_score = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if node_type.is_pv() {
                        self.data.variations.extend(ply, mv);
                    }
                    if window.fails_high(score) {
                        break;
                    }
                    window.alpha = score;
                }
            }
        }

        let bound = if window.fails_high(best_score) {
            best_score = best_score.midpoint(window.beta);
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = Entry::new(Depth::ZERO, bound, best_score, ply, best_move, raw_eval).with_tt_pv(tt_pv);
        self.input.table.store(board.key(), entry);
        Ok(best_score.max(repetition_bound))
    }

    /// Prunes a move of quiescence, or nothing. `futility` is what a quiet move may reach at most, where no check is answered.
    fn prune_capture(
        &self,
        board: &Board,
        checks: &Checks,
        mv: Move,
        (number, ply): (usize, usize),
        futility: Option<Score>,
        alpha: Score,
    ) -> Option<Pruned> {
        let recaptures =
            || self.data.frames.before(ply, 1).current.is_some_and(|before| before.target() == mv.target());
        if let Some(futility) = futility
            && !mv.is_promotion()
            && !recaptures()
            && !checks.gives(board, mv)
        {
            // Late captures.
            if number > tunables::quiescence_moves() as usize {
                return Some(Pruned { reachable: None });
            }
            // Futility: what it gains does not reach alpha.
            let reachable = futility + eval_of_material(gain_of(board, mv));
            if reachable <= alpha {
                return Some(Pruned { reachable: Some(reachable) });
            }
            if !board.see_at_least(mv, material_of_eval(alpha - futility)) {
                return Some(Pruned { reachable: Some(futility.min(alpha)) });
            }
        }
        Pruned::when(!board.see_at_least(mv, -tunables::quiescence_loss()))
    }
}
