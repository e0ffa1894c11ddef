//! Laws of every rule set, tested with random games under random options. A failing case shrinks to the shortest failing game.

use std::collections::BTreeSet;

use pippost::language::Language;
use pippost::record::{Act, Chronicle, Event, Table, canonical, verify};
use pippost::rules::{self, Captions, Chance, Choose, Seat, Step};
use proptest::prelude::*;
use serde_json::{Value, json};

use support::random_play::{Game, Plan, names, plans, viewers};

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_end_and_their_records_verify_at_every_prefix_tried(plan in plans()) {
        let mut game = Game::start(&plan);
        game.play(plan.actions);
        let running = game.record();
        let verified = verify(&running).expect("a running record");
        prop_assert_eq!(verified.events, game.events.len() as u64);
        game.end();
        let verified = verify(&game.record()).expect("a finished record");
        prop_assert!(verified.proved);
        prop_assert_eq!(verified.result.as_ref(), game.chronicle.table().result());
    }

    #[test]
    fn asked_means_able_and_what_is_listed_is_accepted_in_both_ways_of_writing(plan in plans()) {
        let mut game = Game::start(&plan);
        game.play(plan.actions);
        let table = game.chronicle.table();
        let listed = table.position().legal();
        prop_assert_eq!(table.to_act().is_some(), !listed.is_empty());
        let Some(seat) = table.to_act() else { return Ok(()) };
        for _ in 0..12 {
            let action = game.sampler.action(&listed);
            let mut copy = game.chronicle.clone();
            let at = copy.at();
            prop_assert!(copy.act(Act::Play { seat, action: &action }, at).is_ok(), "{}", action);
            let written = table.position().write(&action).expect("an action can be written");
            let read = table.position().read(&written).map_err(|error| TestCaseError::fail(format!("{written}: {error}")))?;
            let mut again = game.chronicle.clone();
            let read = again.act(Act::Play { seat, action: &read }, at).expect("the same action");
            prop_assert_eq!(read.line, copy_line(&game.chronicle, seat, &action));
        }
    }

    #[test]
    fn what_is_not_listed_is_refused_and_changes_nothing(plan in plans(), other in any::<u64>()) {
        let mut game = Game::start(&plan);
        game.play(plan.actions);
        let Some(seat) = game.chronicle.table().to_act() else { return Ok(()) };
        let listed = game.chronicle.table().position().legal();
        let before = game.chronicle.table().snapshot();
        // Actions that are legal in another game of the same rules, and may be legal here.
        let mut elsewhere = Game::start(&Plan { seed: other, ..plan.clone() });
        for _ in 0..24 {
            let foreign = elsewhere.chronicle.table().position().legal();
            if foreign.is_empty() {
                break;
            }
            let action = elsewhere.sampler.action(&foreign);
            let is_listed = listed.iter().any(|entry| stands_for(entry, &action));
            let at = game.chronicle.at();
            let mut copy = game.chronicle.clone();
            let played = copy.act(Act::Play { seat, action: &action }, at);
            prop_assert_eq!(played.is_ok(), is_listed, "{}", action);
            if played.is_err() {
                prop_assert_eq!(copy.table().snapshot(), before.clone());
            }
            elsewhere.play_one();
        }
    }

    #[test]
    fn replay_and_snapshots_give_the_same_views_at_every_moment(plan in plans()) {
        let mut game = Game::start(&plan);
        let mut seen = vec![look(game.chronicle.table())];
        for _ in 0..plan.actions.min(60) {
            if !game.play_one() {
                break;
            }
            seen.push(look(game.chronicle.table()));
        }
        let replayer = game.chronicle.replayer();
        let mut table = replayer.start(game.rules, &game.header, &game.events[0]).expect("the start");
        for (event, seen) in game.events.iter().zip(&seen) {
            if event.seat.is_some() {
                replayer.play(&mut table, event).expect("played before");
            }
            prop_assert_eq!(&look(&table), seen);
            table = Table::restore(game.rules, &table.snapshot()).expect("a snapshot of our own");
        }
    }

    #[test]
    fn a_game_taken_up_again_goes_on_to_the_letter(plan in plans()) {
        let mut game = Game::start(&plan);
        for _ in 0..plan.actions.min(60) {
            let table = game.chronicle.table();
            let Some(seat) = table.to_act() else { break };
            let stored = Table::restore(game.rules, &table.snapshot()).expect("a snapshot of our own");
            let (seq, head, at) = (game.chronicle.seq(), game.chronicle.head(), game.chronicle.at());
            let action = game.sampler.action(&table.position().legal());
            let mut again = Chronicle::resume(stored, &game.header, &game.master, seq, head, at);
            let made = again.act(Act::Play { seat, action: &action }, at).expect("a listed action");
            game.act(Act::Play { seat, action: &action });
            prop_assert_eq!(Some(&made.line), game.lines.last());
            prop_assert_eq!(Some(made.event), game.events.last().cloned());
        }
    }

    #[test]
    fn a_line_is_its_event_in_canonical_form_with_its_hash(plan in plans()) {
        let mut game = Game::start(&plan);
        game.play(plan.actions.min(60));
        for (event, line) in game.events.iter().zip(&game.lines) {
            prop_assert_eq!(line.as_bytes(), canonical::of(event));
            prop_assert_eq!(event.hash, event.computed_hash());
            prop_assert_eq!(&serde_json::from_str::<Event>(line).expect("an event"), event);
        }
    }

    #[test]
    fn notation_of_any_kind_is_read_or_refused_with_a_place_and_never_panics(plan in plans(), text in "\\PC{0,40}") {
        let mut game = Game::start(&plan);
        game.play(plan.actions);
        let position = game.chronicle.table().position();
        for text in [text.clone(), text.to_uppercase(), format!("attack {text}"), format!("pull {text}"), format!("give {text}")] {
            if let Err(error) = position.read(&text) {
                prop_assert!(error.at.is_some_and(|at| at <= text.chars().count().max(64)), "{}: {:?}", text, error);
            }
        }
    }

    #[test]
    fn what_only_begins_an_action_names_those_that_it_can_be(plan in plans()) {
        let mut game = Game::start(&plan);
        game.play(plan.actions);
        let Some(seat) = game.chronicle.table().to_act() else { return Ok(()) };
        let position = game.chronicle.table().position();
        let listed = position.legal();
        let written: Vec<String> = listed.iter().filter_map(|action| position.write(action)).collect();
        for action in written.iter().step_by(written.len().div_ceil(8).max(1)) {
            for (end, _) in action.char_indices().skip(1) {
                let text = action[..end].to_uppercase();
                if position.read(&text).is_ok() {
                    continue;
                }
                let meant = position.meant(&text).map(|incomplete| incomplete.candidates).unwrap_or_default();
                prop_assert!(meant.contains(action), "{}: {} is not among {:?}", text, action, meant);
                for candidate in meant.iter().step_by(meant.len().div_ceil(4)) {
                    let read = position.read(candidate).expect("whole notation");
                    let mut copy = game.chronicle.clone();
                    let at = copy.at();
                    prop_assert!(copy.act(Act::Play { seat, action: &read }, at).is_ok(), "{}: {}", text, candidate);
                }
            }
        }
    }

    #[test]
    fn previews_stop_before_chance_and_never_change_the_game(plan in plans()) {
        let mut game = Game::start(&plan);
        game.play(plan.actions);
        let Some(seat) = game.chronicle.table().to_act() else { return Ok(()) };
        let action = game.sampler.action(&game.chronicle.table().position().legal());
        let before = game.chronicle.table().snapshot();
        let mut preview = game.chronicle.preview(seat);
        preview.act(&action).expect("a listed action");
        for viewer in viewers(preview.table()) {
            prop_assert!(preview.table().position().view(viewer).is_object());
        }
        prop_assert_eq!(game.chronicle.table().snapshot(), before);
        let at = game.chronicle.at();
        let played = game.chronicle.act(Act::Play { seat, action: &action }, at).expect("a listed action");
        let shown = &preview.done()[0].effects;
        prop_assert_eq!(shown.as_slice(), &played.event.effects[..shown.len()], "a preview is the beginning of what happens");
        prop_assert!(preview.has_stopped() || shown.len() == played.event.effects.len());
        prop_assert!(preview.has_stopped() || played.event.seeds.iter().all(|revealed| revealed.seq != played.event.seq));
    }

    #[test]
    fn chance_refuses_nothing_that_is_accepted_without_it_and_allows_nothing_that_is_refused(plan in plans()) {
        let mut game = Game::start(&plan);
        let mut actions = Vec::new();
        for _ in 0..plan.actions {
            if let Some(action) = game.chronicle.table().to_act().map(|_| game.sampler.action(&game.chronicle.table().position().legal())) {
                actions.push(action);
            }
            if !game.play_one() {
                break;
            }
        }
        let table = game.chronicle.table().clone();
        actions.extend([json!({"type": "fold"}), json!({}), json!(1)]);
        // Some that are not legal any more, and some that are.
        actions.drain(..actions.len().saturating_sub(15));
        let legal = table.position().legal();
        let step = legal.len().div_ceil(15).max(1);
        actions.extend(legal.into_iter().step_by(step).filter(|entry| entry.get("choose").is_none()));
        let seats: Vec<Seat> = Seat::all(table.seats()).collect();
        let mut acts = Vec::new();
        for seat in seats {
            acts.extend(actions.iter().map(|action| Act::Play { seat, action }));
            acts.extend([Act::Resign { seat }, Act::Abort { seat }, Act::Timeout { seat }]);
        }
        for act in acts {
            let refusal = table.refusal(act);
            let mut draft = game.chronicle.draft();
            prop_assert_eq!(draft.act(act).err().map(|refused| refused.to_string()), refusal.as_ref().map(ToString::to_string));
            let withheld = table.clone().act(game.chronicle.seq() + 1, act, Chance::Withheld);
            // Three streams of chance represent all: no draw is ever a reason to refuse.
            for stream in 0..3u32 {
                let mut state = stream;
                let mut words = || {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state
                };
                let drawn = table.clone().act(game.chronicle.seq() + 1, act, Chance::Drawn(&mut words));
                prop_assert_eq!(drawn.as_ref().err(), refusal.as_ref(), "{:?}", act);
                if let Ok(withheld) = &withheld {
                    prop_assert_eq!(Some(withheld), drawn.as_ref().ok(), "without chance it is done already");
                }
            }
        }
    }

    #[test]
    fn sentences_and_boards_are_plain_and_fit(plan in plans()) {
        let mut game = Game::start(&plan);
        game.play(plan.actions);
        let table = game.chronicle.table();
        let names = names(table);
        for viewer in viewers(table) {
            let boards = Language::SHIPPED
                .map(|language| table.position().board_text(viewer, &Captions::new(&names, &language)));
            prop_assert!(boards[0].is_ascii(), "{}", boards[0]);
            for board in &boards {
                prop_assert!(board.lines().all(|line| line.chars().count() <= 78), "{}", board);
            }
        }
        for event in &game.events {
            for sentence in table.position().tell(event.seat, &event.action, &event.effects) {
                let said = Language::ENGLISH.tell(&sentence, &names);
                prop_assert!(said.ends_with('.') && !said.contains('{'), "{}", said);
            }
        }
        let to_do = Language::ENGLISH.tell(&table.position().to_do(), &names);
        prop_assert!(table.to_act().is_none() || to_do.ends_with('.'));
    }
}

/// The line of the event for `action`.
fn copy_line(chronicle: &Chronicle, seat: Seat, action: &Value) -> String {
    let mut copy = chronicle.clone();
    let at = copy.at();
    copy.act(Act::Play { seat, action }, at).expect("a listed action").line
}

/// Whether a listed entry includes an action, whose cards may be in another than the canonical order.
fn stands_for(entry: &Value, action: &Value) -> bool {
    if entry.get("choose").is_none() {
        return entry == action;
    }
    let choice: Choose = serde_json::from_value(entry.clone()).expect("the documented form");
    choice.allows(action)
}

/// Everything that any viewer can see of a table.
fn look(table: &Table) -> Vec<Value> {
    let position = table.position();
    let views = viewers(table).into_iter().map(|viewer| position.view(viewer));
    views.chain([json!(position.legal()), json!(table.to_act())]).collect()
}

#[test]
fn every_rule_set_explains_itself() {
    let mut names = BTreeSet::new();
    for rules in rules::all() {
        assert!(names.insert((rules.name(), rules.version())), "{} twice", rules.name());
        let options = rules.complete_options(&json!({})).expect("every option has a default");
        assert_eq!(
            rules.complete_options(&options).as_ref(),
            Ok(&options),
            "complete options stay as they are"
        );
        assert!(rules.complete_options(&json!({"no such option": 1})).is_err());
        assert!(
            rules.text().contains("*Source") || rules.text().contains("Source"),
            "{} names its source",
            rules.name()
        );
        let schema = jsonschema::draft202012::new(&rules.action_schema()).expect("a schema");
        let mut game = Game::start(&Plan { rules: names.len() - 1, seed: 7, actions: 0 });
        for _ in 0..60 {
            if !game.play_one() {
                break;
            }
            let action = &game.events.last().expect("an event").action;
            assert!(schema.is_valid(action), "{action}");
        }
    }
}

#[test]
fn a_snapshot_of_another_rule_set_is_refused() {
    let mut snapshots = Vec::new();
    for (index, rules) in rules::all().enumerate() {
        let game = Game::start(&Plan { rules: index, seed: 1, actions: 0 });
        snapshots.push((rules.name(), game.chronicle.table().snapshot()));
    }
    for rules in rules::all() {
        for (name, snapshot) in &snapshots {
            assert_eq!(
                Table::restore(rules, snapshot).is_ok(),
                *name == rules.name(),
                "{name} as {}",
                rules.name()
            );
        }
    }
    // A step that keeps no effects plays the same.
    let rules = rules::all().next().expect("a rule set");
    let options = rules.complete_options(&json!({})).expect("defaults");
    let mut words = || 5;
    let mut silent = Step::silent(Chance::Drawn(&mut words));
    let quiet = rules.start(&options, 2, &mut silent).expect("chance").snapshot().to_string();
    let mut words = || 5;
    let mut loud = Step::new(Chance::Drawn(&mut words));
    assert_eq!(rules.start(&options, 2, &mut loud).expect("chance").snapshot().get(), quiet);
}
