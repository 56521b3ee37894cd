//! The engine as a program uses it.

use super::*;
use crate::search::Silent;

#[test]
fn a_new_game_searches_as_the_first() {
    let mut engine = Engine::new();
    let mut nodes = || {
        engine.new_game();
        engine.search(&Limits::depth(6), &mut Silent).expect("a thread").nodes
    };
    assert_eq!([nodes(), nodes()], [nodes(), nodes()]);
}

#[test]
fn the_score_that_time_management_remembers_is_whites() {
    let mut engine = Engine::new();
    for side in ["w", "b"] {
        let queen_up = format!("4k3/pppp4/8/8/8/8/PPPP4/3QK3 {side} - - 0 1");
        engine.set_position(Position::new(queen_up.parse().expect("a legal position")));
        engine.search(&Limits::depth(4), &mut Silent).expect("a thread");
        assert!(engine.thread_data[0].last_score.is_some_and(|score| score.value() > 0), "{side}");
    }
}

#[test]
fn a_weaker_player_keeps_its_table_and_forgets_what_was_in_it() {
    let mut engine = Engine::new();
    let strength = Strength { limited: true, elo: Rating::HIGHEST, ..Strength::default() };
    engine.configure(Settings { strength, seed: 1, ..Settings::default() });
    let limits = Limits::nodes(50_000);
    let (level, table) = engine.level_and_table(&limits);
    assert_eq!(level, Some(Rating::HIGHEST));
    engine.search(&limits, &mut Silent).expect("a thread");
    assert!(table.permille_full() > 0 && engine.table.permille_full() == 0);
    let (_, again) = engine.level_and_table(&limits);
    assert!(Arc::ptr_eq(&table, &again) && again.permille_full() == 0);
    let (level, full) = engine.level_and_table(&Limits { mate: Some(2), ..Limits::default() });
    assert!(level.is_none() && Arc::ptr_eq(&full, &engine.table));
}
