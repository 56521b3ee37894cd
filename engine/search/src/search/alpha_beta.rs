//! The main search: principal variation search, as a list of named steps.
//!
//! A node is one function, read straight down. Its steps are methods with their reasons and conditions: whole nodes in
//! `node_pruning.rs`, single moves in `move_pruning.rs`, `extensions.rs` and `late_move_reduction.rs`, leaves in
//! `quiescence.rs`, history updates in `history_updates.rs`. All margins are in `margins.rs`, their numbers in `tunables.rs`.

use std::ops::ControlFlow;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::is_legal;

use super::candidate::{Candidate, MoveHistory};
use super::checks::Checks;
use super::depth::Depth;
use super::draws::is_draw;
use super::entry::{Bound, Entry};
use super::extensions::Singularity;
use super::history_updates::SearchedMoves;
use super::node::{Node, NodeType, refine};
use super::picker::{MovePicker, Scope, gain_of};
use super::score::{MAX_PLY, Score};
use super::tablebase_probe::TbProbe;
use super::window::Window;
use super::worker::{Searched, Worker, has_non_pawn_material};
use crate::eval::Evaluator;

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a position `ply` plies from the root, searched to `depth` plies, exact within the window.
    #[allow(clippy::too_many_lines, reason = "the list of steps reads best straight down")]
    pub(super) fn alpha_beta(
        &mut self,
        board: &Board,
        mut window: Window,
        mut depth: Depth,
        ply: usize,
        node_type: NodeType,
    ) -> Searched {
        // Leaf: quiescence search.
        if depth.is_leaf() {
            let checks = self.input.tunables.quiet_check_plies(self.pruning_mode());
            return self.quiescence(board, window, ply, node_type, checks);
        }
        self.poll()?;
        let root = ply == 0;
        let in_check = board.in_check();
        self.selective_depth = self.selective_depth.max(ply);
        self.variations.clear(ply);

        let mut repetition_bound = Score::MIN;
        if !root {
            match self.within_rules(board, window, ply) {
                ControlFlow::Break(score) => return Ok(score),
                ControlFlow::Continue(narrowed) => (window, repetition_bound) = narrowed,
            }
        }

        // Transposition table.
        let excluded = self.frames.at(ply).excluded;
        let entry = self.probe(board);
        let hash_move = if root {
            self.root.leader().map(|leader| leader.mv)
        } else {
            entry.and_then(Entry::mv).filter(|&mv| is_legal(board, mv))
        };
        // A singularity test is a search of the same node, and keeps its mark.
        let tt_pv = if excluded.is_some() { self.frames.at(ply).tt_pv } else { node_type.tt_pv(entry) };

        // Static evaluation, from the table if it is stored there.
        let raw_eval = match entry.and_then(Entry::static_eval) {
            _ if in_check => None,
            Some(stored) => Some(stored),
            None => Some(self.evaluate(board)),
        };
        let correction = if in_check { 0 } else { self.correction(ply) };
        let static_eval = raw_eval.map(|raw| self.corrected(board, raw, ply, correction));
        let estimate = static_eval.map_or(Score::DRAW, |eval| refine(eval, entry, ply));
        let rising = self.is_rising(static_eval, ply);
        // In check, the evaluation of the last turn stands in for this one's.
        let earlier_eval = self.frames.before(ply, 2).static_eval;
        let follows_variation = self.follows_variation(ply);
        let frame = self.frames.at_mut(ply);
        frame.static_eval = static_eval.or(earlier_eval);
        frame.table_hit = entry.is_some();
        frame.tt_pv = tt_pv;
        frame.follows_variation = follows_variation;
        frame.number = 0;
        frame.history = 0;
        self.frames.at_mut(ply + 2).cutoffs = 0;
        // Hindsight: corrects the reduction of the move before by its effect on the evaluation.
        if !root && excluded.is_none() {
            depth += self.hindsight(static_eval, depth, ply);
        }
        let mut node = Node {
            board,
            window,
            depth,
            ply,
            kind: node_type,
            entry,
            hash_move,
            static_eval,
            estimate,
            correction: correction.abs(),
            rising,
            improving: rising || static_eval.is_some_and(|eval| eval >= window.beta),
            tt_pv,
        };

        // Table cutoff, endgame tables (which may bound the score of a PV node) and pruning of whole nodes.
        let (mut floor, mut ceiling) = (Score::MIN, Score::MAX);
        if !root && excluded.is_none() {
            self.update_by_eval_gain(&node);
            if let Some(score) = self.table_cutoff(&node) {
                self.counters.count(|counts| counts.table_cutoffs += 1);
                return Ok(score);
            }
            match self.probe_tables(&node, raw_eval) {
                TbProbe::None => {}
                TbProbe::Score(score) => return Ok(score),
                TbProbe::LowerBound(score) => floor = score,
                TbProbe::UpperBound(score) => ceiling = score,
            }
            window.alpha = window.alpha.max(floor);
            if let (None, Some(raw)) = (entry, raw_eval) {
                self.input.table.store(board.key(), Entry::evaluation(raw, tt_pv));
            }
            if !node_type.is_pv()
                && !in_check
                && let Some(score) = self.prune_node(&node)?
            {
                return Ok(score);
            }
        }

        // Internal iterative reduction: without a hash move the order is poor, and a shallower search finds one.
        if depth >= self.input.tunables.internal_reduction_depth()
            && hash_move.is_none()
            && node_type != NodeType::All
            && !follows_variation
        {
            depth -= 1;
        }

        // ProbCut, also on the principal variation.
        if !root
            && excluded.is_none()
            && let Some(static_eval) = static_eval
            && let Some(score) = self.probcut(&Node { depth, ..node }, static_eval)?
        {
            return Ok(score);
        }

        let context = self.frames.context(ply);
        let mut picker = MovePicker::new(Scope::All, hash_move, context);
        let checks = Checks::of(board);
        let mut best_score = floor;
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
            let quiet = !mv.is_noisy();
            let candidate = Candidate {
                mv,
                number: move_count,
                gives_check: checks.gives(board, mv),
                history: if quiet {
                    MoveHistory::Quiet(self.history.at(board, context).of(board, mv))
                } else {
                    MoveHistory::Noisy { history: self.history.capture(board, mv), gain: gain_of(board, mv) }
                },
                depth,
                alpha: window.alpha,
                base_reduction: self.base_reduction(&node, depth, window, move_count),
            };

            // Move pruning: late moves, futility, history, losing captures.
            if !root
                && !best_score.is_loss()
                && move_count > 1
                && !self.is_cautious()
                && has_non_pawn_material(board)
                && let Some(pruned) = self.prune_move(&node, &candidate, &mut picker)
            {
                if let Some(reachable) = pruned.reachable.filter(|_| !best_score.is_decisive()) {
                    best_score = best_score.max(reachable);
                }
                continue;
            }

            // Singular extension and multi-cut.
            extension = 0;
            if !root && Some(mv) == hash_move && excluded.is_none() {
                match self.singularity(&node, depth, mv)? {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::MultiCut(score) => return Ok(score),
                }
                // The test may have found that the node belongs to the principal variation.
                node.tt_pv = self.frames.at(ply).tt_pv;
            }

            let mut new_depth = depth - 1 + extension;
            if extension > 0 {
                // The node matters: its other moves are searched more deeply, too.
                depth += 1;
            } else if extension == 0 && candidate.gives_check && self.extends_check(ply) {
                new_depth += 1;
            }

            let nodes_before = self.nodes;
            let child = self.play(board, mv, ply);
            let frame = self.frames.at_mut(ply);
            frame.number = move_count;
            frame.history = candidate.history.sum(self.input.tunables);

            let score = self.search_move(&node, &candidate, &child, new_depth, best_score);
            self.undo();
            let score = score?;

            if root {
                self.record_root_move(mv, move_count, score, window, nodes_before);
            }

            // ANCHOR: raise_alpha
            if score > best_score {
                best_score = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if node_type.is_pv() {
                        self.variations.extend(ply, mv);
                    }
                    if window.fails_high(score) {
                        self.counters.count(|counts| {
                            counts.cutoffs += 1;
                            counts.first_move_cutoffs += u64::from(move_count == 1);
                        });
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
            // ANCHOR_END: raise_alpha
            // The best move is rewarded, the others are punished.
            if best_move != Some(mv) {
                let searched = if quiet { &mut quiets } else { &mut noisies };
                let _ = searched.try_push(mv);
            }
        }

        // ANCHOR: no_move
        // No legal move: mate or stalemate.
        if move_count == 0 {
            return Ok(match excluded {
                Some(_) => window.alpha,
                None if overlooked => estimate,
                None if in_check => Score::mated_at(ply),
                None => self.draw(ply),
            });
        }
        // ANCHOR_END: no_move

        best_score = best_score.min(ceiling);
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
        let tt_pv = node.tt_pv || !root && best_score <= node.window.alpha && self.frames.before(ply, 1).tt_pv;
        self.frames.at_mut(ply).tt_pv = tt_pv;
        if excluded.is_none() && !(root && self.root.first > 0) {
            let bound = match best_move {
                _ if node.window.fails_high(best_score) || best_score == floor => Bound::Lower,
                Some(_) if node_type.is_pv() => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry::new(depth, bound, best_score, ply, best_move, raw_eval).with_tt_pv(tt_pv);
            self.input.table.store(board.key(), entry);
        }
        self.update_correction(&node, depth, best_move, best_score);
        Ok(best_score.max(repetition_bound))
    }

    /// What the rules and mates leave of the window, and the score that the side to move has at least by repetition; breaks with
    /// the node's score if nothing is left to search.
    fn within_rules(&mut self, board: &Board, mut window: Window, ply: usize) -> ControlFlow<Score, (Window, Score)> {
        // Draw: repetition, fifty moves, material.
        if is_draw(board, &self.keys) {
            return ControlFlow::Break(self.draw(ply));
        }
        // Upcoming repetition: the side to move can go back to an earlier position, so it has at least a draw.
        let repetition_bound = self.repetition_bound(board, window, ply);
        window.alpha = window.alpha.max(repetition_bound);
        if window.is_empty() {
            return ControlFlow::Break(repetition_bound);
        }
        // The longest line that is searched.
        if ply >= MAX_PLY {
            return ControlFlow::Break(if board.in_check() { Score::DRAW } else { self.evaluate(board) });
        }
        // Mate distance pruning: a mate already found is shorter than any that can be found from here.
        window = window.within_mates(ply);
        if window.is_empty() {
            ControlFlow::Break(window.alpha)
        } else {
            ControlFlow::Continue((window, repetition_bound))
        }
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
        let null_window = -Window::just_above(candidate.alpha);
        let mut score = Score::MIN;
        let mut unsettled = !node.kind.is_pv() || !first;

        // Late move reduction: a late move is first searched less deeply.
        if candidate.depth >= tunables.reduction_depth() && !self.is_cautious() && !first {
            let reduction = self.reduction(node, candidate) / 1024;
            let reduced = (full - reduction).min(full + 2).max(Depth::plies(1)) + i32::from(node.kind.is_pv());
            self.frames.at_mut(ply).reduction = full.get() - reduced.get();
            let reduced_score = self.alpha_beta(child, null_window, reduced, ply + 1, NodeType::Cut);
            self.frames.at_mut(ply).reduction = 0;
            score = -reduced_score?;
            unsettled = score > candidate.alpha;
            if unsettled {
                // The move is better than expected: search it again, as deeply as its score suggests.
                let deeper = reduced < full && score > best_score + tunables.deeper_margin();
                let shallower = score < best_score + tunables.shallower_margin();
                full = full + i32::from(deeper) - i32::from(shallower);
                unsettled = reduced < full;
                self.reward_fail_high(node, candidate);
            }
        } else if unsettled && !self.is_cautious() {
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

    /// Whether the line to `ply` is the beginning of the last iteration's principal variation.
    fn follows_variation(&self, ply: usize) -> bool {
        let before = self.frames.before(ply, 1);
        ply == 0
            || before.follows_variation
                && before.current.is_some()
                && before.current == self.expected.get(ply - 1).copied()
    }
}
