//! Migrations on a cluster run statement by statement.

use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use pippost::store::citus::{MigrationText as Text, statements};
use pippost::store::database::MIGRATIONS;

#[test]
fn a_semicolon_ends_a_statement_unless_it_is_quoted() {
    let text = "-- one; two\ncreate table a (b text default ';''');\ncreate function f() as $$\nbegin; return; end\n$$;\n-- end;\n";
    let found = statements(text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].ends_with("';''');") && found[1].ends_with("end\n$$;"), "{found:?}");
}

#[test]
fn no_text_of_a_migration_is_lost_and_none_quotes_in_another_way() {
    let migrations: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().expect("migrations");
    for migration in migrations {
        let (mut there, mut back) = (Text::default(), Text::default());
        migration.run(&mut there).expect("a way there");
        migration.revert(&mut back).expect("a way back");
        for Text(text) in [there, back] {
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            let comments = |line: &&str| !line.trim_start().starts_with("--");
            let kept: String = statements(&text).join("\n").lines().filter(comments).map(bare).collect();
            let all: String = text.lines().filter(comments).map(bare).collect();
            assert_eq!(kept, all, "{}", migration.name());
            assert!(statements(&text).iter().all(|one| one.matches("$$").count() % 2 == 0));
        }
    }
}
