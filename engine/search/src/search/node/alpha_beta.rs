//! The main search: principal variation search, as a list of named steps.
//!
//! A node is one function, read straight down, then the loop over its moves. The steps are methods with their reasons and
//! conditions: whole nodes and single moves in `pruning.rs`, depths in `reductions.rs`, leaves in `quiescence.rs`, history
//! updates in `history_updates.rs`. The numbers of all margins are in `tunables.rs`.

use std::ops::ControlFlow;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::draws::TbProbe;
use super::history_updates::SearchedMoves;
use super::pruning::prune_move;
use super::reductions::Singularity;
use super::{Candidate, MoveHistory, Node, NodeType};
use crate::eval::Evaluator;
use crate::search::ordering::{Checks, HistoryContext, MovePicker, Scope, gain_of};
use crate::search::score::{Depth, Score, Window};
use crate::search::table::{Bound, Entry};
use crate::search::thread::{Searched, Worker, has_non_pawn_material};
use crate::search::tunables;

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a position `ply` plies from the root, searched to `depth` plies, exact within the window.
    pub(crate) fn alpha_beta(
        &mut self,
        board: &Board,
        mut window: Window,
        depth: Depth,
        ply: usize,
        kind: NodeType,
    ) -> Searched {
        // Leaf: quiescence search.
        if depth.is_leaf() {
            return self.quiescence(board, window, ply, kind);
        }
        self.poll()?;
        self.selective_depth = self.selective_depth.max(ply);
        self.data.variations.clear(ply);

        let mut repetition_bound = Score::MIN;
        if ply > 0 {
            match self.check_draws(board, window, ply) {
                ControlFlow::Break(score) => return Ok(score),
                ControlFlow::Continue(narrowed) => (window, repetition_bound) = narrowed,
            }
            // Mate distance pruning: a mate already found is shorter than any that can be found from here.
            window = window.within_mates(ply);
            if window.is_empty() {
                return Ok(window.alpha);
            }
        }

        let mut node = self.look_up(board, window, depth, ply, kind);
        self.evaluate_node(&mut node);
        self.begin_frame(&node);
        let is_child = !node.is_root() && node.excluded.is_none();
        let mut proven = Window::FULL;
        if is_child {
            // Hindsight: corrects the reduction of the move before by its effect on the evaluation.
            node.depth += self.hindsight(&node);
            self.update_by_eval_gain(&node);

            if let Some(score) = self.table_cutoff(&node) {
                return Ok(score);
            }

            // Endgame tables, which may bound the score of a PV node.
            match self.probe_tables(&node) {
                TbProbe::None => {}
                TbProbe::Score(score) => return Ok(score),
                TbProbe::LowerBound(score) => proven.alpha = score,
                TbProbe::UpperBound(score) => proven.beta = score,
            }
            if let (None, Some(raw)) = (node.entry, node.raw_eval) {
                self.input.table.store(board.key(), Entry::evaluation(raw, node.tt_pv));
            }

            // Pruning outside the principal variation.
            if !kind.is_pv()
                && let Some(eval) = node.static_eval
            {
                if let Some(score) = self.razoring(&node)? {
                    return Ok(score);
                }
                if let Some(score) = self.reverse_futility(&node, eval) {
                    return Ok(score);
                }
                if let Some(score) = self.null_move(&node, eval)? {
                    return Ok(score);
                }
            }
            node.window.alpha = node.window.alpha.max(proven.alpha);
        }

        // Internal iterative reduction: without a hash move the order is poor, and a shallower search finds one.
        let full_depth = node.depth;
        if node.depth >= tunables::internal_reduction_depth()
            && node.hash_move.is_none()
            && kind != NodeType::All
            && !node.follows_variation
        {
            node.depth -= 1;
        }

        // ProbCut, also on the principal variation.
        if is_child
            && let Some(eval) = node.static_eval
            && let Some(score) = self.probcut(&node, eval)?
        {
            return Ok(score);
        }

        let score = self.search_moves(&mut node, full_depth, proven)?;
        Ok(score.max(repetition_bound))
    }

    /// The score of a node by its moves, within the scores that endgame tables leave; `full` is its depth before an internal
    /// reduction.
    #[allow(clippy::too_many_lines, reason = "the list of steps reads best straight down")]
    fn search_moves(&mut self, node: &mut Node<'_>, full: Depth, proven: Window) -> Searched {
        let Node { board, ply, kind, excluded, .. } = *node;
        let root = node.is_root();
        let context = self.data.frames.context(ply);
        let checks = Checks::of(board);
        let mut picker = MovePicker::new(Scope::All, node.hash_move, context);
        let prunes_moves = !root && has_non_pawn_material(board);
        let mut best_score = proven.alpha;
        let mut best_move = None;
        let mut move_count = 0;
        let mut overlooked = false;
        let mut extension = 0;
        let mut quiets = SearchedMoves::new();
        let mut noisies = SearchedMoves::new();

        while let Some(mv) = picker.next(board, &checks, &self.data.history) {
            if Some(mv) == excluded || root && !self.root.allows(mv) {
                continue;
            }
            // Oversight: limited strength does not see every move. Root moves were chosen before.
            if !root && self.overlooks(board, mv, ply) {
                overlooked = true;
                continue;
            }
            // Prefetched before the move is judged, though it may be pruned: memory is slower than the judgement.
            self.input.table.prefetch(board.key_after(mv));
            move_count += 1;
            if root {
                self.report_current_move(mv, move_count);
            }
            let candidate = Candidate {
                mv,
                number: move_count,
                gives_check: checks.gives(board, mv),
                history: self.history_of(board, mv, context),
                base_reduction: self.base_reduction(node, move_count),
            };

            // Move pruning: late moves, futility, history, losing captures.
            if prunes_moves
                && move_count > 1
                && !best_score.is_loss()
                && let Some(pruned) = prune_move(node, &candidate, &mut picker)
            {
                if let Some(reachable) = pruned.reachable.filter(|_| !best_score.is_decisive()) {
                    best_score = best_score.max(reachable);
                }
                continue;
            }

            // Singular extension and multi-cut.
            extension = 0;
            if !root && Some(mv) == node.hash_move && excluded.is_none() {
                match self.singularity(node, mv)? {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::MultiCut(score) => return Ok(score),
                }
                // The test may have found that the node belongs to the principal variation.
                node.tt_pv = self.data.frames.at(ply).tt_pv;
            }

            let nodes_before = self.nodes;
            let child = self.play(board, mv, ply);
            let score = self.search_move(node, &candidate, &child, extension, best_score)?;
            self.undo();
            if root {
                self.record_root_move(mv, move_count, score, node.window, nodes_before);
            }
            // An extended node matters: its other moves are searched more deeply, too.
            node.depth += i32::from(extension > 0);

            if score > best_score {
                best_score = score;
                if score > node.window.alpha {
                    best_move = Some(mv);
                    if kind.is_pv() {
                        self.data.variations.extend(ply, mv);
                    }
                    if node.window.fails_high(score) {
                        break;
                    }
                    node.window.alpha = score;
                    // The remaining moves are searched less deeply once alpha is raised at middle depths.
                    if node.depth > 3 && node.depth < tunables::raised_alpha_depth() && !score.is_decisive() && !root {
                        node.depth -= tunables::raised_alpha_reduction();
                    }
                }
            }
            // The best move is rewarded, the others are punished.
            if best_move != Some(mv) {
                let searched = if mv.is_noisy() { &mut noisies } else { &mut quiets };
                let _ = searched.try_push(mv);
            }
        }

        // No legal move: mate or stalemate.
        if move_count == 0 {
            return Ok(match excluded {
                Some(_) => node.window.alpha,
                None if overlooked => node.estimate,
                None if board.in_check() => Score::mated_at(ply),
                None => self.draw(ply),
            });
        }

        best_score = best_score.min(proven.beta);
        if let Some(mv) = best_move {
            self.update_histories(node, mv, (&quiets, &noisies));
        } else if !root {
            self.reward_move_before(node, best_score);
        }
        if node.window.fails_high(best_score) {
            self.data.frames.at_mut(ply).cutoffs += u32::from(extension < 2 || kind.is_pv());
            // Fail-high softening: such a score is less reliable than an exact one.
            best_score = best_score.towards(node.window.beta, [full.get(), 1]);
        }

        // Where no move reaches alpha, the move before was good: the node belongs to the principal variation if its parent does.
        node.tt_pv |= !root && best_move.is_none() && self.data.frames.before(ply, 1).tt_pv;
        self.data.frames.at_mut(ply).tt_pv = node.tt_pv;
        if excluded.is_none() && !(root && self.root.first > 0) {
            let bound = match best_move {
                _ if node.window.fails_high(best_score) || best_score == proven.alpha => Bound::Lower,
                Some(_) if kind.is_pv() => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry::new(node.depth, bound, best_score, ply, best_move, node.raw_eval).with_tt_pv(node.tt_pv);
            self.input.table.store(board.key(), entry);
        }
        self.update_correction(node, best_move, best_score);
        Ok(best_score)
    }

    /// The score of a move that led to `child`: with a null window and less deeply at first if it is late in the order, again if
    /// it is better than expected.
    fn search_move(
        &mut self,
        node: &Node<'_>,
        candidate: &Candidate,
        child: &Board,
        extension: i32,
        best_score: Score,
    ) -> Searched {
        let (ply, alpha, first) = (node.ply, node.window.alpha, candidate.number == 1);
        let mut full = node.depth - 1 + extension;
        let frame = self.data.frames.at_mut(ply);
        frame.number = candidate.number;
        frame.history = candidate.history.sum();
        let null_window = -Window::just_above(alpha);
        let mut score = Score::MIN;
        let mut unsettled = !node.kind.is_pv() || !first;

        // Late move reduction: a late move is first searched less deeply.
        if node.depth >= tunables::reduction_depth() && !first {
            let reduction = self.reduction(node, candidate) / 1024;
            let reduced = (full - reduction).min(full + 2).max(Depth::plies(1)) + i32::from(node.kind.is_pv());
            self.data.frames.at_mut(ply).reduction = full.get() - reduced.get();
            score = -self.alpha_beta(child, null_window, reduced, ply + 1, NodeType::Cut)?;
            self.data.frames.at_mut(ply).reduction = 0;
            unsettled = score > alpha;
            if unsettled {
                // The move is better than expected: search it again, as deeply as its score suggests.
                let deeper = reduced < full && score > best_score + tunables::deeper_margin();
                let shallower = score < best_score + tunables::shallower_margin();
                full = full + i32::from(deeper) - i32::from(shallower);
                unsettled = reduced < full;
                self.reward_fail_high(node, candidate);
            }
        } else if unsettled {
            full -= self.first_reduction(node, candidate, full);
        }
        // ANCHOR: windows
        // Null window search.
        if unsettled {
            score = -self.alpha_beta(child, null_window, full, ply + 1, node.kind.child())?;
        }
        // Full window search: the first move of a principal variation, and every better one.
        if node.kind.is_pv() && (first || score > alpha) {
            // A hash move with a deep entry is not left to quiescence.
            if node.hash_move == Some(candidate.mv) && node.entry.is_some_and(|entry| entry.depth() > 1) {
                full = full.max(Depth::plies(1));
            }
            score = -self.alpha_beta(child, -node.window, full, ply + 1, NodeType::Pv)?;
        }
        // ANCHOR_END: windows
        Ok(score)
    }

    /// How the move has done before.
    fn history_of(&self, board: &Board, mv: Move, context: HistoryContext) -> MoveHistory {
        if mv.is_noisy() {
            MoveHistory::Noisy { history: self.data.history.capture(board, mv), gain: gain_of(board, mv) }
        } else {
            MoveHistory::Quiet(self.data.history.at(board, context).of(board, mv))
        }
    }
}
