//! Runs PostgreSQL's own load generator with the statement of a move, and with the select of the same row.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use uuid::Uuid;

use super::load::{Taken, histogram};
use pippost::commit::SINGLE;

/// The number of games of each pgbench client, played in turn.
pub const GAMES_OF_A_CLIENT: i64 = 64;

/// The values of a typical move.
#[derive(Clone, Debug)]
pub struct Typical {
    pub player: Uuid,
    pub snapshot: String,
    pub line: String,
    /// The stored response.
    pub answer: String,
    /// An existing game, for the select.
    pub game_id: Uuid,
}

/// The length of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    Seconds(f64),
    /// For each client.
    Transactions(u32),
}

impl Length {
    /// pgbench accepts whole seconds only.
    fn argument(self) -> String {
        match self {
            Self::Seconds(seconds) => format!("--time={}", seconds.ceil().max(1.0)),
            Self::Transactions(count) => format!("--transactions={count}"),
        }
    }
}

/// pgbench and its connection to the database.
#[derive(Clone, Debug)]
pub struct Pgbench {
    program: PathBuf,
    folder: PathBuf,
    connection: String,
}

impl Pgbench {
    /// The program beside PostgreSQL's others; scripts and logs go into `folder`.
    ///
    /// # Errors
    /// The program does not exist.
    pub fn new(programs: &Path, folder: &Path, connection: String) -> anyhow::Result<Self> {
        let program = programs.join("pgbench");
        if !program.is_file() {
            bail!("there is no pgbench in {}", programs.display());
        }
        Ok(Self { program, folder: folder.to_owned(), connection })
    }

    /// Moves, one statement and one transaction each, in games whose ids are the numbers from `first` on.
    ///
    /// # Errors
    /// pgbench failed.
    pub async fn moves(
        &self,
        clients: usize,
        length: Length,
        first: i64,
        typical: &Typical,
    ) -> anyhow::Result<Taken> {
        let script = format!(
            "\\set count :count + 1\n\\set game :first + :client_id * {GAMES_OF_A_CLIENT} + :count % {GAMES_OF_A_CLIENT}\n\
             \\set before :count / {GAMES_OF_A_CLIENT}\n\\set after :before + 1\n{};\n",
            statement()
        );
        let values = [
            // A run of one move measures the cost of opening the connections.
            ("count", if length == Length::Transactions(1) { "-1" } else { "0" }.to_owned()),
            ("first", first.to_string()),
            ("player", typical.player.to_string()),
            ("snapshot", typical.snapshot.clone()),
            ("line", typical.line.clone()),
            ("answer", typical.answer.clone()),
            ("hash", format!("\\x{}", "ab".repeat(32))),
        ];
        self.run("moves", &script, clients, length, &values).await
    }

    /// Selects of one game's state by its id.
    ///
    /// # Errors
    /// pgbench failed.
    pub async fn selects(&self, clients: usize, length: Length, typical: &Typical) -> anyhow::Result<Taken> {
        let script = "select seq, head, at, snapshot, to_act_seat, to_act_player, turn_since, deadline_at, remind_at \
                      from game_states where game_id = :game::uuid;\n";
        self.run("selects", script, clients, length, &[("game", typical.game_id.to_string())]).await
    }

    async fn run(
        &self,
        name: &str,
        script: &str,
        clients: usize,
        length: Length,
        values: &[(&str, String)],
    ) -> anyhow::Result<Taken> {
        let (file, log) = (self.folder.join(format!("{name}.sql")), self.folder.join("log"));
        std::fs::write(&file, script)?;
        let mut command = tokio::process::Command::new(&self.program);
        command.args(["--no-vacuum", "--protocol=prepared", "--jobs=1", "--log"]);
        command.arg(format!("--client={clients}")).arg(format!("--log-prefix={}", log.display()));
        command.arg(length.argument()).arg(format!("--file={}", file.display()));
        for (name, value) in values {
            command.arg(format!("--define={name}={value}"));
        }
        command.arg(&self.connection).kill_on_drop(true).env_remove("PGOPTIONS");
        let started = Instant::now();
        let output = command.output().await.context("cannot run pgbench")?;
        let wall = started.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !text.contains("number of failed transactions: 0 ") {
            bail!("pgbench failed: {text}{}", String::from_utf8_lossy(&output.stderr));
        }
        self.read_logs(&text, wall)
    }

    /// Reads the log, which has a line for each transaction, with its microseconds in the third column.
    fn read_logs(&self, summary: &str, wall: f64) -> anyhow::Result<Taken> {
        let mut latencies = histogram();
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("log.")) {
                for line in BufReader::new(std::fs::File::open(&path)?).lines() {
                    let microseconds = line?.split(' ').nth(2).and_then(|field| field.parse().ok());
                    latencies.saturating_record(microseconds.context("a log that is none")?);
                }
                std::fs::remove_file(&path)?;
            }
        }
        let rate = summary
            .lines()
            .find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse::<f64>().ok());
        // For a single transaction pgbench reports no rate.
        let rate = rate.unwrap_or_default();
        #[allow(clippy::cast_precision_loss)]
        let seconds = if rate > 0.0 { latencies.len() as f64 / rate } else { wall };
        Ok(Taken { requests: latencies.len(), seconds, latencies, bytes: 0, body_bytes: 0 })
    }
}

/// The server's statement with pgbench's variables as its values.
fn statement() -> String {
    let id = "(lpad(to_hex(:game::bigint), 16, '0') || lpad(to_hex(:after::bigint), 16, '0'))";
    let values = [
        ("game_id", "lpad(to_hex(:game::bigint), 32, '0')".to_owned()),
        ("expected_seq", ":before".to_owned()),
        ("expected_edition", "0".to_owned()),
        ("seq", ":after".to_owned()),
        ("head", ":hash".to_owned()),
        ("at", "now()".to_owned()),
        ("snapshot", ":snapshot".to_owned()),
        ("to_act_seat", "(:after::bigint % 2)".to_owned()),
        ("to_act_player", ":player".to_owned()),
        ("turn_since", "now()".to_owned()),
        ("deadline_at", "(now() + interval '7 days')".to_owned()),
        ("remind_at", "(now() + interval '5 days')".to_owned()),
        ("clock", "null".to_owned()),
        ("line", ":line".to_owned()),
        ("now", "now()".to_owned()),
        ("notice_id", id.to_owned()),
        ("notice_kind", "'turn'".to_owned()),
        ("notice_player", ":player".to_owned()),
        ("key_player", ":player".to_owned()),
        ("key", id.to_owned()),
        ("fingerprint", ":hash".to_owned()),
        ("answer", ":answer".to_owned()),
    ];
    let with = |text: String, (name, value): (&str, String)| text.replace(&format!("{{{name}}}"), &value);
    values.into_iter().fold(SINGLE.clone(), with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_the_servers_statement_is_given() {
        assert!(!statement().contains(['{', '}']), "{}", statement());
    }
}
