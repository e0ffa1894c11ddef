//! Migrations can be run on a database that is distributed: they do nothing to a table that Citus refuses. Citus takes charge of tables
//! that are distributed, on every node, or on the coordinator and refer to such, so the law does not ask which table it is.

use std::fs;
use std::path::Path;

use pippost::store::citus::{BY_GAME, ON_EVERY_NODE, statements};

use support::citus_refusals::{REFUSED, TAKEN};

/// The first migration that the law is for. Databases that were distributed before have run the older ones.
const FIRST: u32 = 260;

/// What Citus takes after `alter table`, apart from adding columns and constraints.
const TAKEN_ALONE: [&str; 12] = [
    "drop column",
    "drop constraint",
    "validate constraint",
    "set (",
    "reset (",
    "rename column",
    "rename to",
    "enable row level security",
    "disable row level security",
    "owner to",
    "enable always trigger",
    "replica identity",
];

/// What Citus takes after `alter column …`.
const TAKEN_OF_A_COLUMN: [&str; 6] =
    ["set not null", "drop not null", "set default", "drop default", "type ", "set data type "];

/// The column by which a table is divided; none of one that is on every node or not distributed.
fn divided_by(table: &str) -> Option<&'static str> {
    match table {
        "games" => Some("id"),
        table if BY_GAME.contains(&table) => Some("game_id"),
        _ => None,
    }
}

fn is_on_nodes(table: &str) -> bool {
    divided_by(table).is_some() || ON_EVERY_NODE.contains(&table)
}

/// A statement in lower case without comments, quoted text and needless blanks.
fn plain(statement: &str) -> String {
    let (mut kept, mut rest) = (String::new(), statement);
    loop {
        let (quote, comment) = (rest.find('\''), rest.find("--"));
        let (end, after) = match (quote, comment) {
            (Some(quote), comment) if comment.is_none_or(|comment| quote < comment) => {
                (quote, rest[quote + 1..].split_once('\''))
            }
            (_, Some(comment)) => (comment, rest[comment..].split_once('\n')),
            (_, None) => break,
        };
        kept.push_str(&rest[..end]);
        kept.push(' ');
        rest = after.map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.to_lowercase().replace(';', "").replace('(', " (").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The parts between commas that are in no parentheses.
fn parts(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let comma = move |character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && character == ','
    };
    text.split(comma).map(str::trim).collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|character: char| !character.is_alphanumeric() && character != '_').any(|one| one == word)
}

/// Why Citus refuses a statement, if it does.
fn refusal(statement: &str) -> Option<&'static str> {
    let statement = plain(statement);
    if let Some(rest) = statement.strip_prefix("alter table ") {
        let rest =
            ["if exists ", "only "].iter().fold(rest, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
        let (table, commands) = rest.split_once(' ')?;
        return altering(table, &parts(commands));
    }
    let index = statement.strip_prefix("create unique index ")?;
    let (_, on) = format!(" {index}").split_once(" on ").map(|(a, b)| (a.to_owned(), b.to_owned()))?;
    let (table, columns) = on.split_once(' ')?;
    without_its_game(table, columns)
}

fn altering(table: &str, commands: &[&str]) -> Option<&'static str> {
    if commands.len() > 1 && commands.iter().any(|command| adds_constraint(command)) {
        return Some("a constraint is added by a statement of its own");
    }
    commands.iter().find_map(|command| one_command(table, command))
}

/// Whether a command adds a constraint of the table: what else is added is a column.
fn adds_constraint(command: &str) -> bool {
    let kinds = ["constraint", "check", "unique", "primary", "foreign", "exclude"];
    let added = command.strip_prefix("add ").and_then(|added| added.split(' ').next());
    added.is_some_and(|added| kinds.contains(&added))
}

fn one_command(table: &str, command: &str) -> Option<&'static str> {
    if adds_constraint(command) {
        return constraint(table, command);
    }
    if let Some(column) = command.strip_prefix("add ") {
        return adding(column);
    }
    let of_column = command.strip_prefix("alter ").map(|rest| rest.strip_prefix("column ").unwrap_or(rest));
    if let Some((column, change)) = of_column.and_then(|rest| rest.split_once(' ')) {
        let is_taken = TAKEN_OF_A_COLUMN.iter().any(|taken| change.starts_with(taken));
        return if !is_taken {
            Some("Citus does not change this of a column")
        } else if divided_by(table) == Some(column) {
            Some("the column by which a table is divided stays as it is")
        } else {
            None
        };
    }
    if let Some(column) = command.strip_prefix("drop column ")
        && divided_by(table).is_some_and(|own| has_word(column, own))
    {
        return Some("the column by which a table is divided stays");
    }
    let is_taken = TAKEN_ALONE.iter().any(|taken| command.starts_with(taken));
    (!is_taken).then_some("Citus does not take this command")
}

/// Some constraints of a column Citus takes if they have a name; apart from the column it takes all.
fn adding(column: &str) -> Option<&'static str> {
    if ["check", "references", "unique", "primary"].iter().any(|word| has_word(column, word)) {
        return Some("a column's constraint is added by a statement of its own");
    }
    let counted = ["serial", "bigserial", "smallserial", "identity"];
    counted.iter().any(|word| has_word(column, word)).then_some("Citus adds no column that counts")
}

fn constraint(table: &str, command: &str) -> Option<&'static str> {
    if let Some((_, referred)) = command.split_once("references ") {
        let referred = referred.split(' ').next().unwrap_or_default();
        return (divided_by(table).is_some() && !is_on_nodes(referred))
            .then_some("rows of a node cannot refer to rows of the coordinator");
    }
    if has_word(command, "unique") || has_word(command, "primary") {
        return without_its_game(table, command);
    }
    None
}

/// Refuses what is unique in a divided table but does not name the column by which it is divided.
fn without_its_game(table: &str, columns: &str) -> Option<&'static str> {
    let own = divided_by(table)?;
    (!has_word(columns, own)).then_some("what is unique on every shard names the game")
}

#[test]
fn migrations_do_nothing_to_distributed_tables_that_citus_refuses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder).expect("migrations") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let Some(number) = name.split(['-', '_']).nth(3).and_then(|number| number.parse::<u32>().ok()) else {
            continue;
        };
        numbers.push(number);
        for file in ["up.sql", "down.sql"] {
            let text = fs::read_to_string(path.join(file)).expect("a migration");
            for statement in statements(&text) {
                let refused = refusal(statement).filter(|_| number >= FIRST);
                assert_eq!(refused, None, "{name}/{file}: {statement}");
            }
        }
    }
    assert!(numbers.contains(&220), "folders are named by date and number: {numbers:?}");
}

#[test]
fn what_citus_refuses_is_told_from_what_it_takes() {
    for statement in REFUSED {
        assert!(refusal(statement).is_some(), "{statement}");
    }
    for statement in TAKEN {
        assert_eq!(refusal(statement), None, "{statement}");
    }
}

#[test]
fn a_comment_between_lines_hides_nothing() {
    let statement = "-- The number of tries.\nalter table games -- of a game\n    add column tried integer check (tried > 0);";
    assert!(refusal(statement).is_some());
}

#[test]
fn no_two_migrations_have_one_version() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let names =
        fs::read_dir(folder).expect("the migrations").map(|entry| entry.expect("an entry").file_name());
    // Diesel takes all digits before the name; of two that are equal it would run one.
    let version = |name: &str| name.split('_').next().unwrap_or_default().replace('-', "");
    let mut versions: Vec<String> = names.map(|name| version(&name.to_string_lossy())).collect();
    versions.sort();
    let all = versions.len();
    versions.dedup();
    assert!(all > 30, "{all} migrations");
    assert_eq!(versions.len(), all, "two of them have the same version");
}
