//! The main search: principal variation search, as a list of named steps.
//!
//! A node is one function, read straight down. Its steps are methods with their reasons and conditions: whole nodes and
//! single moves in `pruning.rs`, depths in `reductions.rs`, leaves in `quiescence.rs`, history updates in `history_updates.rs`. The numbers of all margins are in `tunables.rs`.

use std::ops::ControlFlow;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::facts::{Candidate, MoveHistory, Node, NodeType};
use super::history_updates::SearchedMoves;
use super::reductions::Singularity;
use crate::eval::Evaluator;
use crate::search::ordering::{Checks, HistoryContext, MovePicker, Scope, gain_of};
use crate::search::score::{Depth, Score, Window};
use crate::search::table::{Bound, Entry};
use crate::search::thread::{Searched, Worker, has_non_pawn_material};

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a position `ply` plies from the root, searched to `depth` plies, exact within the window.
    pub(crate) fn alpha_beta(
        &mut self,
        board: &Board,
        mut window: Window,
        mut depth: Depth,
        ply: usize,
        node_type: NodeType,
    ) -> Searched {
        // Leaf: quiescence search.
        if depth.is_leaf() {
            return self.quiescence(board, window, ply, node_type);
        }
        self.poll()?;
        let root = ply == 0;
        self.selective_depth = self.selective_depth.max(ply);
        self.variations.clear(ply);

        let mut repetition_bound = Score::MIN;
        if !root {
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

        // Transposition table, static evaluation, hindsight.
        let node = self.facts(board, window, depth, ply, node_type);
        depth = node.depth;

        // Table cutoff, endgame tables (which may bound the score of a PV node) and pruning of whole nodes.
        let excluded = self.frames.at(ply).excluded;
        let mut proven = Window::FULL;
        if !root && excluded.is_none() {
            proven = match self.cutoff_before_moves(&node)? {
                ControlFlow::Break(score) => return Ok(score),
                ControlFlow::Continue(proven) => proven,
            };
            window.alpha = window.alpha.max(proven.alpha);
        }

        // Internal iterative reduction: without a hash move the order is poor, and a shallower search finds one.
        if depth >= self.input.tunables.internal_reduction_depth()
            && node.hash_move.is_none()
            && node_type != NodeType::All
            && !self.frames.at(ply).follows_variation
        {
            depth -= 1;
        }

        // ProbCut, also on the principal variation.
        if !root
            && excluded.is_none()
            && let Some(static_eval) = node.static_eval
            && let Some(score) = self.probcut(&Node { depth, ..node }, static_eval)?
        {
            return Ok(score);
        }

        let score = self.search_moves(node, depth, window, proven)?;
        Ok(score.max(repetition_bound))
    }

    /// The score of a node by its moves, searched to `depth` plies and within the scores that endgame tables leave.
    #[allow(clippy::too_many_lines, reason = "the list of steps reads best straight down")]
    fn search_moves(&mut self, mut node: Node<'_>, mut depth: Depth, mut window: Window, proven: Window) -> Searched {
        let Node { board, ply, kind: node_type, .. } = node;
        let root = ply == 0;
        let excluded = self.frames.at(ply).excluded;
        let context = self.frames.context(ply);
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

        while let Some(mv) = picker.next(board, &checks, self.history, self.input.tunables) {
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
                depth,
                alpha: window.alpha,
                base_reduction: self.base_reduction(&node, depth, window, move_count),
            };

            // Move pruning: late moves, futility, history, losing captures.
            if prunes_moves
                && move_count > 1
                && !best_score.is_loss()
                && let Some(pruned) = self.prune_move(&node, &candidate, &mut picker)
            {
                if let Some(reachable) = pruned.reachable.filter(|_| !best_score.is_decisive()) {
                    best_score = best_score.max(reachable);
                }
                continue;
            }

            // Singular extension and multi-cut.
            extension = 0;
            if !root && Some(mv) == node.hash_move && excluded.is_none() {
                match self.singularity(&node, depth, mv)? {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::MultiCut(score) => return Ok(score),
                }
                // The test may have found that the node belongs to the principal variation.
                node.tt_pv = self.frames.at(ply).tt_pv;
            }

            let new_depth = depth - 1 + extension;
            if extension > 0 {
                // The node matters: its other moves are searched more deeply, too.
                depth += 1;
            }

            let nodes_before = self.nodes;
            let child = self.play(board, mv, ply);
            let score = self.search_move(&node, &candidate, &child, new_depth, best_score)?;
            self.undo();
            if root {
                self.record_root_move(mv, move_count, score, window, nodes_before);
            }

            if score > best_score {
                best_score = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if node_type.is_pv() {
                        self.variations.extend(ply, mv);
                    }
                    if window.fails_high(score) {
                        break;
                    }
                    window.alpha = score;
                    // The remaining moves are searched less deeply once alpha is raised at middle depths.
                    let tunables = self.input.tunables;
                    if depth > 3 && depth < tunables.raised_alpha_depth() && !score.is_decisive() && !root {
                        depth -= tunables.raised_alpha_reduction();
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
                Some(_) => window.alpha,
                None if overlooked => node.estimate,
                None if board.in_check() => Score::mated_at(ply),
                None => self.draw(ply),
            });
        }

        best_score = best_score.min(proven.beta);
        if let Some(mv) = best_move {
            self.update_histories(&node, depth, mv, (&quiets, &noisies));
        } else if !root {
            self.reward_move_before(&node, depth, best_score);
        }
        if node.window.fails_high(best_score) {
            self.frames.at_mut(ply).cutoffs += u32::from(extension < 2 || node_type.is_pv());
            // Fail-high softening: such a score is less reliable than an exact one.
            best_score = best_score.towards(node.window.beta, [node.depth.get(), 1]);
        }

        // Where no move reaches alpha, the move before was good: the node belongs to the principal variation if its parent does.
        node.tt_pv |= !root && best_score <= node.window.alpha && self.frames.before(ply, 1).tt_pv;
        self.frames.at_mut(ply).tt_pv = node.tt_pv;
        if excluded.is_none() && !(root && self.root.first > 0) {
            let bound = match best_move {
                _ if node.window.fails_high(best_score) || best_score == proven.alpha => Bound::Lower,
                Some(_) if node_type.is_pv() => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry::new(depth, bound, best_score, ply, best_move, node.raw_eval).with_tt_pv(node.tt_pv);
            self.input.table.store(board.key(), entry);
        }
        self.update_correction(&node, depth, best_move, best_score);
        Ok(best_score)
    }

    /// The score of a move that led to `child`, searched to `full` plies at most: with a null window and less deeply at first
    /// if it is late in the order, again if it is better than expected.
    fn search_move(
        &mut self,
        node: &Node<'_>,
        candidate: &Candidate,
        child: &Board,
        mut full: Depth,
        best_score: Score,
    ) -> Searched {
        let (tunables, ply, first) = (self.input.tunables, node.ply, candidate.number == 1);
        let frame = self.frames.at_mut(ply);
        frame.number = candidate.number;
        frame.history = candidate.history.sum(tunables);
        let null_window = -Window::just_above(candidate.alpha);
        let mut score = Score::MIN;
        let mut unsettled = !node.kind.is_pv() || !first;

        // Late move reduction: a late move is first searched less deeply.
        if candidate.depth >= tunables.reduction_depth() && !first {
            let reduction = self.reduction(node, candidate) / 1024;
            let reduced = (full - reduction).min(full + 2).max(Depth::plies(1)) + i32::from(node.kind.is_pv());
            self.frames.at_mut(ply).reduction = full.get() - reduced.get();
            score = -self.alpha_beta(child, null_window, reduced, ply + 1, NodeType::Cut)?;
            self.frames.at_mut(ply).reduction = 0;
            unsettled = score > candidate.alpha;
            if unsettled {
                // The move is better than expected: search it again, as deeply as its score suggests.
                let deeper = reduced < full && score > best_score + tunables.deeper_margin();
                let shallower = score < best_score + tunables.shallower_margin();
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
        if node.kind.is_pv() && (first || score > candidate.alpha) {
            // A hash move with a deep entry is not left to quiescence.
            if node.hash_move == Some(candidate.mv) && node.entry.is_some_and(|entry| entry.depth() > 1) {
                full = full.max(Depth::plies(1));
            }
            let window = Window { alpha: candidate.alpha, beta: node.window.beta };
            score = -self.alpha_beta(child, -window, full, ply + 1, NodeType::Pv)?;
        }
        // ANCHOR_END: windows
        Ok(score)
    }

    /// How the move has done before.
    fn history_of(&self, board: &Board, mv: Move, context: HistoryContext) -> MoveHistory {
        if mv.is_noisy() {
            MoveHistory::Noisy { history: self.history.capture(board, mv), gain: gain_of(board, mv) }
        } else {
            MoveHistory::Quiet(self.history.at(board, context).of(board, mv))
        }
    }
}
