//! Runs the statements of a migration one by one: Citus passes the whole text that it was given to its nodes, which take one statement.

use std::any::Any;

use diesel::QueryResult;
use diesel::connection::{BoxableConnection, SimpleConnection};
use diesel::migration::{Migration, MigrationMetadata, MigrationName, MigrationSource, Result};
use diesel::pg::Pg;

/// Migrations whose statements are run one by one.
pub struct OneByOne<S>(pub S);

struct Divided(Box<dyn Migration<Pg>>);

impl<S: MigrationSource<Pg>> MigrationSource<Pg> for OneByOne<S> {
    fn migrations(&self) -> Result<Vec<Box<dyn Migration<Pg>>>> {
        let divided = |migration| Box::new(Divided(migration)) as Box<dyn Migration<Pg>>;
        Ok(self.0.migrations()?.into_iter().map(divided).collect())
    }
}

impl Migration<Pg> for Divided {
    fn run(&self, connection: &mut dyn BoxableConnection<Pg>) -> Result<()> {
        let mut text = Text::default();
        self.0.run(&mut text)?;
        text.run_on(connection)
    }

    fn revert(&self, connection: &mut dyn BoxableConnection<Pg>) -> Result<()> {
        let mut text = Text::default();
        self.0.revert(&mut text)?;
        text.run_on(connection)
    }

    fn metadata(&self) -> &dyn MigrationMetadata {
        self.0.metadata()
    }

    fn name(&self) -> &dyn MigrationName {
        self.0.name()
    }
}

/// In the place of a connection: keeps what a migration would run.
#[derive(Default)]
pub struct Text(pub String);

impl SimpleConnection for Text {
    fn batch_execute(&mut self, query: &str) -> QueryResult<()> {
        self.0.push_str(query);
        Ok(())
    }
}

impl BoxableConnection<Pg> for Text {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Citus calls triggers unsafe, because they may run on any node. Those of this program only refuse.
const ALLOW_TRIGGERS: &str = "set local citus.enable_unsafe_triggers = on";

impl Text {
    fn run_on(&self, connection: &mut dyn BoxableConnection<Pg>) -> Result<()> {
        connection.batch_execute(ALLOW_TRIGGERS)?;
        for statement in statements(&self.0) {
            connection.batch_execute(statement)?;
        }
        Ok(())
    }
}

/// What a semicolon does not end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Statement,
    Comment,
    Quotes,
    Dollars,
}

/// The statements of a migration. Of PostgreSQL's ways to quote it knows `'`, `$$` and `--`, which are all that migrations use.
#[must_use]
pub fn statements(text: &str) -> Vec<&str> {
    let (mut within, mut start, mut skip, mut found) = (Within::Statement, 0, 0, Vec::new());
    for (at, character) in text.char_indices() {
        if at < skip {
            continue;
        }
        let rest = &text[at..];
        within = match (within, character) {
            (Within::Statement, ';') => {
                found.push(text[start..=at].trim());
                start = at + 1;
                Within::Statement
            }
            (Within::Statement, '\'') => Within::Quotes,
            (Within::Statement, '-') if rest.starts_with("--") => Within::Comment,
            (Within::Statement | Within::Dollars, '$') if rest.starts_with("$$") => {
                skip = at + 2;
                if within == Within::Dollars { Within::Statement } else { Within::Dollars }
            }
            (Within::Quotes, '\'') | (Within::Comment, '\n') => Within::Statement,
            (within, _) => within,
        };
    }
    found.push(text[start..].trim());
    let is_comment = |line: &str| line.trim().is_empty() || line.trim_start().starts_with("--");
    found.retain(|statement| !statement.lines().all(is_comment));
    found
}
