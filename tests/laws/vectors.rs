//! Runs the verifier on records from an independent implementation: it accepts each, and refuses every change.

use pippost::record::{Failure, verify};
use serde_json::{Value, json};

use support::tampering::{mend, only_receipts_prove};
use support::vectors::{FILES, all_changes, lines_of, record_of, sample};

#[test]
fn every_record_of_the_independent_implementation_is_accepted() {
    for (name, record) in FILES {
        let verified = verify(record.as_bytes()).unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let events =
            record.lines().filter(|line| line.contains("\"seq\"") && line.contains("\"prev\"")).count();
        assert_eq!(verified.events, events as u64, "{name}");
        assert_eq!(verified.proved, record.contains("\"master\""), "{name}");
        assert_eq!(verified.result.is_some(), verified.proved, "{name}");
        assert_eq!(record_of(&lines_of(record)), record.as_bytes(), "{name}: canonical again");
    }
}

#[test]
fn every_change_of_one_field_is_refused() {
    for (name, record) in FILES {
        let lines = lines_of(record);
        let changes = all_changes(&lines);
        assert!(changes.len() > 300, "{name}: only {} changes", changes.len());
        for (index, changed) in changes.iter().step_by(sample(changes.len())) {
            let mut copy = lines.clone();
            copy[*index] = changed.clone();
            assert!(verify(&record_of(&copy)).is_err(), "{name}, line {index}: {changed}");
        }
    }
}

#[test]
fn every_change_of_one_field_of_a_finished_game_is_refused_with_the_chain_mended() {
    for (name, record) in FILES {
        let lines = lines_of(record);
        if !record.contains("\"master\"") {
            continue;
        }
        let changes = all_changes(&lines);
        let mut tried = 0;
        for (index, changed) in changes.iter().step_by(sample(changes.len())) {
            let mut copy = lines.clone();
            copy[*index] = changed.clone();
            if !mend(&mut copy) || copy == lines || only_receipts_prove(&lines[*index], &copy[*index]) {
                continue;
            }
            assert!(verify(&record_of(&copy)).is_err(), "{name}, line {index}: {changed}");
            tried += 1;
        }
        assert!(tried > 50, "{name}: only {tried} changes tried");
    }
}

/// Verifies the record after `change` of its lines, which must fail.
fn failure_after(change: impl FnOnce(&mut Vec<Value>)) -> Failure {
    let mut lines = lines_of(FILES[0].1);
    change(&mut lines);
    verify(&record_of(&lines)).expect_err("a changed record")
}

#[test]
fn the_first_failing_check_names_the_first_event_that_fails_it() {
    use pippost::record::Location;
    let first = failure_after(|lines| {
        lines[9]["prev"] = lines[8]["prev"].clone();
        lines[12]["more"] = json!(true);
    });
    assert_eq!(first.place, Location::Event(11), "form comes before the chain: {first}");
    let first = failure_after(|lines| {
        lines[9]["effects"] = json!([]);
        lines[5]["seq"] = json!(77);
    });
    assert_eq!(first.place, Location::Event(4), "{first}");
    let first = failure_after(|lines| lines[0]["players"][0]["entropy"] = json!("changed"));
    assert_eq!(first.place, Location::Event(0), "a wrong header hash is named as event 0: {first}");
    let first = failure_after(|lines| lines[0]["rules"] = json!("chess"));
    assert_eq!(first.place, Location::Header, "{first}");
    let first = failure_after(|lines| {
        let last = lines.len() - 1;
        lines[last]["result"]["places"] = json!([2, 1]);
    });
    assert_eq!(first.place, Location::Footer, "{first}");
    let first = failure_after(|lines| lines[3]["seeds"] = json!("none"));
    assert_eq!(first.place, Location::Event(2), "{first}");
}

#[test]
fn a_record_cut_short_is_a_running_game_and_other_damage_is_named() {
    let record = FILES[0].1;
    let cut: Vec<&str> = record.lines().take(9).collect();
    let verified = verify(format!("{}\n", cut.join("\n")).as_bytes()).expect("the beginning of a record");
    assert_eq!((verified.events, verified.proved, verified.result), (8, false, None));
    for (damage, place) in [
        (String::new(), "header"),
        ("\n".to_owned(), "header"),
        (cut[0].to_owned() + "\n", "event 0"),
        (cut.join("\n"), "event 7"),
        (cut.join("\r\n") + "\n", "header"),
        (cut.join("\n\n") + "\n", "event 0"),
        (format!("\u{feff}{record}"), "header"),
        (format!("{record}\n"), "event 21"),
    ] {
        let failure = verify(damage.as_bytes()).expect_err(place);
        assert_eq!(failure.place.to_string(), place, "{failure}");
    }
}

#[test]
fn lists_in_place_of_objects_and_other_forms_of_an_id_are_refused() {
    let players = failure_after(|lines| lines[0]["players"][0] = json!(["ann", ""]));
    assert_eq!(players.place.to_string(), "header", "{players}");
    let seeds = failure_after(|lines| {
        let seed = lines[1]["seeds"][0].clone();
        lines[1]["seeds"][0] = json!([seed["seed"], seed["seq"]]);
    });
    assert_eq!(seeds.place.to_string(), "event 0", "{seeds}");
    let id = failure_after(|lines| {
        let id = lines[0]["id"].as_str().expect("an id").to_uppercase();
        lines[0]["id"] = json!(id);
    });
    assert_eq!(id.place.to_string(), "header", "{id}");
}
