//! Writes rows for measuring: many games at once, as the server would have written them one by one.

use std::time::Duration;

use time::OffsetDateTime;
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use pippost::commit::{NewState, STATE_COLUMNS};
use pippost::store::games::GameRow;
use pippost::store::{Address, Seq, StoreError};

/// A player with a personal token, by its hash.
#[derive(Clone, Debug)]
pub struct SeedPlayer {
    pub id: Uuid,
    pub handle: String,
    pub token_hash: Vec<u8>,
}

/// A started game.
#[derive(Clone, Debug)]
pub struct SeedGame {
    pub row: GameRow,
    /// In joining order, which is the order of the seats.
    pub players: Vec<Uuid>,
    pub state: NewState,
    /// The line of every event up to the state's.
    pub line: String,
}

/// A notice to the player whose turn it is.
#[derive(Clone, Copy, Debug)]
pub struct ToldTurn {
    pub id: Uuid,
    pub player_id: Uuid,
    pub seq: Seq,
}

/// How far the log has come.
#[derive(Clone, Copy, Debug)]
pub struct RecordLog {
    /// Its entries.
    pub size: i64,
    /// The last event's that has been looked at, and the newest event's.
    pub position: i64,
    pub newest: i64,
}

/// A new id for a notice, in the order of time as the server makes them: entries of random ids would lie all over the indexes.
const NEW_ID: &str = "(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') \
                      || substr(replace(gen_random_uuid()::text, '-', ''), 13))::uuid";

/// A connection for writing rows.
pub struct Seeder {
    client: Client,
}

impl Seeder {
    /// Connects without TLS, because the database is on this machine.
    ///
    /// # Errors
    /// The database cannot be reached.
    pub async fn connect(address: &Address) -> Result<Self, StoreError> {
        let connecting = address.config().connect(NoTls).await;
        let (client, connection) = connecting.map_err(|error| StoreError::Unreachable(error.to_string()))?;
        tokio::spawn(connection);
        let seeder = Self { client };
        // Else questions about what waits read the whole table, which costs PostgreSQL as much as sending the mails.
        let by_index = seeder.client.batch_execute("set enable_seqscan = off").await;
        by_index.map_err(|error| StoreError::Unreachable(error.to_string()))?;
        Ok(seeder)
    }

    /// Writes players with confirmed addresses, each with a token that may read, play and manage games.
    ///
    /// # Errors
    /// The database refused.
    pub async fn players(&self, players: &[SeedPlayer], now: OffsetDateTime) -> Result<(), SeedError> {
        let ids: Vec<Uuid> = players.iter().map(|player| player.id).collect();
        let handles: Vec<&str> = players.iter().map(|player| player.handle.as_str()).collect();
        self.client
            .execute(
                "insert into players (id, handle, email, email_key, email_confirmed_at, password_hash, created_at) \
                 select id, handle, handle || '@example.org', handle || '@example.org', $3, '', $3 \
                 from unnest($1::uuid[], $2::text[]) as g(id, handle)",
                &[&ids, &handles, &now],
            )
            .await?;
        self.tokens(players, now).await
    }

    /// Writes tokens of players that are there.
    ///
    /// # Errors
    /// The database refused.
    pub async fn tokens(&self, players: &[SeedPlayer], now: OffsetDateTime) -> Result<(), SeedError> {
        let ids: Vec<Uuid> = players.iter().map(|player| player.id).collect();
        let hashes: Vec<&[u8]> = players.iter().map(|player| player.token_hash.as_slice()).collect();
        self.client
            .execute(
                "insert into personal_tokens (id, player_id, name, token_hash, scopes, created_at) \
                 select id, id, 'bench', hash, '{read,play,manage}', $3 from unnest($1::uuid[], $2::bytea[]) as g(id, hash)",
                &[&ids, &hashes, &now],
            )
            .await?;
        Ok(())
    }

    /// Runs a script, statement by statement: a cluster's nodes take one at a time.
    ///
    /// # Errors
    /// The database refused.
    pub async fn run(&self, script: &str) -> Result<(), SeedError> {
        for statement in script.split_inclusive(";\n") {
            self.client.batch_execute(statement).await?;
        }
        Ok(())
    }

    /// Writes started games with their events.
    ///
    /// # Errors
    /// The database refused.
    pub async fn games(&self, games: &[SeedGame]) -> Result<(), SeedError> {
        self.game_rows(games).await?;
        self.state_rows(games).await
    }

    async fn game_rows(&self, games: &[SeedGame]) -> Result<(), SeedError> {
        let Some(first) = games.first().map(|game| &game.row) else { return Ok(()) };
        let ids: Vec<Uuid> = games.iter().map(|game| game.row.id).collect();
        let commitments: Vec<&[u8]> = games.iter().map(|game| game.row.commitment.as_slice()).collect();
        let masters: Vec<&[u8]> = games.iter().map(|game| game.row.master_sealed.as_slice()).collect();
        let creators: Vec<Uuid> = games.iter().map(|game| game.row.creator_id).collect();
        let headers: Vec<Option<&str>> = games.iter().map(|game| game.row.header.as_deref()).collect();
        self.client
            .execute(
                "insert into games (id, rules, rules_version, options, seating, seats, private, limit_hours, \
                 commitment, master_sealed, creator_id, status, created_at, started_at, header) \
                 select g.id, $6, $7, $8, 'joined', $9, false, $10, g.commitment, g.master, g.creator, 'running', $11, $11, \
                 g.header from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::uuid[], $5::text[]) \
                 as g(id, commitment, master, creator, header)",
                &[
                    &ids,
                    &commitments,
                    &masters,
                    &creators,
                    &headers,
                    &first.rules,
                    &first.rules_version,
                    &first.options,
                    &first.seats,
                    &first.limit_hours,
                    &first.created_at,
                ],
            )
            .await?;
        let seats =
            || games.iter().flat_map(|game| (0i16..).zip(&game.players).map(|seat| (game.row.id, seat)));
        let ids: Vec<Uuid> = seats().map(|(id, _)| id).collect();
        let players: Vec<Uuid> = seats().map(|(_, (_, player))| *player).collect();
        let numbers: Vec<i16> = seats().map(|(_, (number, _))| number).collect();
        self.client
            .execute(
                "insert into game_players (game_id, player_id, joined, entropy, seat) \
                 select g.id, g.player, g.seat, '', g.seat \
                 from unnest($1::uuid[], $2::uuid[], $3::smallint[]) as g(id, player, seat)",
                &[&ids, &players, &numbers],
            )
            .await?;
        Ok(())
    }

    async fn state_rows(&self, games: &[SeedGame]) -> Result<(), SeedError> {
        let ids: Vec<Uuid> = games.iter().map(|game| game.row.id).collect();
        let states = || games.iter().map(|game| &game.state);
        let seqs: Vec<i64> = states().map(|state| state.seq.bound()).collect();
        let heads: Vec<&[u8]> = states().map(|state| state.head.as_slice()).collect();
        let ats: Vec<OffsetDateTime> = states().map(|state| state.at).collect();
        let snapshots: Vec<&str> = states().map(|state| state.snapshot.as_str()).collect();
        let seats: Vec<Option<i16>> = states().map(|state| state.to_act_seat).collect();
        let players: Vec<Option<Uuid>> = states().map(|state| state.to_act_player).collect();
        let deadlines: Vec<Option<OffsetDateTime>> = states().map(|state| state.deadline_at).collect();
        let reminders: Vec<Option<OffsetDateTime>> = states().map(|state| state.remind_at).collect();
        let lines: Vec<&str> = games.iter().map(|game| game.line.as_str()).collect();
        self.client
            .execute(
                "insert into game_states (game_id, seq, head, at, snapshot, to_act_seat, to_act_player, turn_since, \
                 deadline_at, remind_at) select id, seq, head, at, snapshot, seat, player, at, deadline, remind \
                 from unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::timestamptz[], $5::text[], \
                 $6::smallint[], $7::uuid[], $8::timestamptz[], $9::timestamptz[]) \
                 as g(id, seq, head, at, snapshot, seat, player, deadline, remind)",
                &[&ids, &seqs, &heads, &ats, &snapshots, &seats, &players, &deadlines, &reminders],
            )
            .await?;
        self.client
            .execute(
                "insert into events (game_id, seq, line) select g.id, number, g.line \
                 from unnest($1::uuid[], $2::bigint[], $3::text[]) as g(id, seq, line), generate_series(0, g.seq) number",
                &[&ids, &seqs, &lines],
            )
            .await?;
        Ok(())
    }

    /// Writes `count` running games with ids and times like those of `like`, between `players`. They only add to the number of
    /// games and cannot be played, because their masters cannot be opened.
    ///
    /// # Errors
    /// The database refused.
    pub async fn copies(&self, like: Uuid, count: i64, players: &[Uuid]) -> Result<(), SeedError> {
        let columns = STATE_COLUMNS.join(", ");
        let values = STATE_COLUMNS.iter().map(|name| match *name {
            "to_act_player" => "s.one".to_owned(),
            "deadline_at" | "remind_at" => format!("{name} + random() * interval '1 day'"),
            name => name.to_owned(),
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let statement = format!(
            "with made as materialized (select overlay(gen_random_uuid()::text placing '00' from 1)::uuid as id, number, \
             $3::uuid[] as players from generate_series(1, $2::bigint) number), \
             seated as materialized (select id, players[1 + number % cardinality(players)] as one, \
             players[1 + (number + 1) % cardinality(players)] as two from made), \
             g as (insert into games (id, rules, rules_version, options, seating, seats, private, limit_hours, commitment, \
             master_sealed, creator_id, status, created_at, started_at, header) \
             select s.id, rules, rules_version, options, seating, seats, private, limit_hours, commitment, master_sealed, s.one, \
             'running', created_at, started_at, header from games, seated s where games.id = $1), \
             p as (insert into game_players (game_id, player_id, joined, entropy, seat) \
             select id, one, 0, '', 0 from seated union all select id, two, 1, '', 1 from seated), \
             t as (insert into game_states (game_id, {columns}) select s.id, {values} \
             from game_states, seated s where game_id = $1) \
             insert into events (game_id, seq, line) select s.id, seq, line from events, seated s where game_id = $1"
        );
        self.client.execute(&statement, &[&like, &count, &players]).await?;
        Ok(())
    }

    /// The sealed master of a game, and its copies, which have the same until [`Seeder::set_masters`].
    ///
    /// # Errors
    /// The database refused.
    pub async fn copies_of(&self, like: Uuid) -> Result<(Vec<u8>, Vec<Uuid>), SeedError> {
        let sealed = self.client.query_one("select master_sealed from games where id = $1", &[&like]).await?;
        let sealed: Vec<u8> = sealed.get(0);
        let statement = "select id from games where master_sealed = $2 and id <> $1";
        let copies = self.client.query(statement, &[&like, &sealed]).await?;
        Ok((sealed, copies.iter().map(|row| row.get(0)).collect()))
    }

    /// Gives games their sealed masters.
    ///
    /// # Errors
    /// The database refused.
    pub async fn set_masters(&self, games: &[Uuid], sealed: &[Vec<u8>]) -> Result<(), SeedError> {
        let statement = "update games set master_sealed = new.sealed \
                         from unnest($1::uuid[], $2::bytea[]) as new(id, sealed) where games.id = new.id";
        self.client.execute(statement, &[&games, &sealed]).await?;
        Ok(())
    }

    /// Writes states of `count` games for pgbench, whose ids are the numbers from `first` on (`00000000-0000-0000-…`).
    ///
    /// # Errors
    /// The database refused.
    pub async fn numbered_states(&self, like: Uuid, first: i64, count: i64) -> Result<(), SeedError> {
        let columns = STATE_COLUMNS.join(", ");
        let values = STATE_COLUMNS.iter().map(|name| if *name == "seq" { "0" } else { *name });
        let values = values.collect::<Vec<_>>().join(", ");
        let statement = format!(
            "insert into game_states (game_id, {columns}) select lpad(to_hex(number), 32, '0')::uuid, {values} \
             from game_states, generate_series($2::bigint, $2::bigint + $3::bigint - 1) number where game_id = $1"
        );
        self.client.execute(&statement, &[&like, &first, &count]).await?;
        Ok(())
    }

    /// Writes a notice of the turn of each of these games, due now.
    ///
    /// # Errors
    /// The database refused.
    pub async fn turn_notices(&self, games: &[Uuid]) -> Result<u64, SeedError> {
        let statement = format!(
            "insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at) \
             select {NEW_ID}, 'turn', to_act_player, game_id, seq, now(), 'waiting', now() \
             from game_states where game_id = any($1) and to_act_player is not null"
        );
        Ok(self.client.execute(&statement, &[&games]).await?)
    }

    /// Writes notices to those whose turn it is in these games; returns them.
    ///
    /// # Errors
    /// The database refused.
    pub async fn told_turns(&self, games: &[Uuid]) -> Result<Vec<ToldTurn>, SeedError> {
        self.turn_notices(games).await?;
        let statement = "select id, player_id, seq from notices where game_id = any($1) and kind = 'turn'";
        let rows = self.client.query(statement, &[&games]).await?;
        let told = |row: &tokio_postgres::Row| {
            let seq = Seq::from_row(row.get(2))?;
            Some(ToldTurn { id: row.get(0), player_id: row.get(1), seq })
        };
        Ok(rows.iter().filter_map(told).collect())
    }

    /// Writes `count` notices of turns in these games, due now.
    ///
    /// # Errors
    /// The database refused.
    pub async fn repeated_turn_notices(&self, games: &[Uuid], count: i64) -> Result<u64, SeedError> {
        let statement = format!(
            "with states as (select *, row_number() over () - 1 as place from game_states where game_id = any($1)) \
             insert into notices (id, kind, player_id, game_id, seq, created_at, state, next_attempt_at) \
             select {NEW_ID}, 'turn', s.to_act_player, s.game_id, s.seq, now(), 'waiting', now() \
             from generate_series(1, $2::bigint) number join states s on s.place = number % (select count(*) from states)"
        );
        Ok(self.client.execute(&statement, &[&games, &count]).await?)
    }

    /// The same where moves of a cluster write them.
    ///
    /// # Errors
    /// The database refused.
    pub async fn notices_of_moves(&self, games: &[Uuid], count: i64) -> Result<u64, SeedError> {
        let statement = format!(
            "insert into move_notices (id, kind, player_id, game_id, seq, created_at) \
             select {NEW_ID}, 'turn', s.to_act_player, s.game_id, s.seq, now() \
             from generate_series(1, $2::bigint / cardinality($1::uuid[])) number, game_states s where s.game_id = any($1::uuid[])"
        );
        Ok(self.client.execute(&statement, &[&games, &count]).await?)
    }

    /// Writes as many notices, claims them and settles them, as workers do.
    ///
    /// # Errors
    /// The database refused.
    pub async fn sent_notices(&self, games: &[Uuid], count: i64) -> Result<(), SeedError> {
        self.repeated_turn_notices(games, count).await?;
        for change in [
            "ready = false, attempts = 1, next_attempt_at = now() + interval '5 minutes'",
            "state = 'sent', finished_at = now()",
        ] {
            let statement = format!("update notices set {change} where state = 'waiting'");
            self.client.batch_execute(&statement).await?;
        }
        Ok(())
    }

    /// Opens a transaction with a snapshot; it ends with the connection.
    ///
    /// # Errors
    /// The database refused.
    pub async fn hold_snapshot(&self) -> Result<(), SeedError> {
        Ok(self
            .client
            .batch_execute("begin isolation level repeatable read; select from notices limit 1")
            .await?)
    }

    /// Writes an open game like `like`, and invitations to it, due now, to as many addresses.
    ///
    /// # Errors
    /// The database refused.
    pub async fn invitations(&self, like: Uuid, count: i64) -> Result<u64, SeedError> {
        let statement = "with opened as (insert into games (id, rules, rules_version, options, seating, seats, private, limit_hours, \
                         commitment, master_sealed, creator_id, status, created_at) \
                         select gen_random_uuid(), rules, rules_version, options, seating, seats, private, limit_hours, commitment, \
                         master_sealed, creator_id, 'open', now() from games where id = $1 returning id, creator_id), \
                         joined as (insert into game_players (game_id, player_id, joined, entropy) \
                         select id, creator_id, 0, '' from opened) \
                         insert into notices (id, kind, address, game_id, from_player_id, created_at, state, next_attempt_at) \
                         select gen_random_uuid(), 'invitation', 'stranger-' || number || '@example.org', id, creator_id, now(), \
                         'waiting', now() from opened, generate_series(1, $2::bigint) number";
        Ok(self.client.execute(statement, &[&like, &count]).await?)
    }

    /// Writes a notice with a link for a new password, due now, for the creator of that game.
    ///
    /// # Errors
    /// The database refused.
    pub async fn reset_notice(&self, game: Uuid) -> Result<u64, SeedError> {
        let statement = "with asked as (insert into mail_links (id, player_id, purpose, email, email_key, created_at, expires_at) \
                         select gen_random_uuid(), p.id, 'reset_password', p.email, p.email_key, now(), now() + interval '2 hours' \
                         from players p join games g on g.creator_id = p.id where g.id = $1 returning id, player_id) \
                         insert into notices (id, kind, player_id, link_id, created_at, state, next_attempt_at) \
                         select gen_random_uuid(), 'reset_password', player_id, id, now(), 'waiting', now() from asked";
        Ok(self.client.execute(statement, &[&game]).await?)
    }

    /// Lets the clocks of these games run out at `at`, and switches all mails off, which have a measure of their own.
    ///
    /// # Errors
    /// The database refused.
    pub async fn let_run_out(&self, games: &[Uuid], at: OffsetDateTime) -> Result<u64, SeedError> {
        self.client.batch_execute("update players set mail_enabled = false where mail_enabled").await?;
        let statement = "update game_states s set deadline_at = $2, remind_at = null, \
                         turn_since = $2::timestamptz - g.limit_hours * interval '1 hour', edition = edition + 1 \
                         from games g where g.id = s.game_id and s.game_id = any($1)";
        Ok(self.client.execute(statement, &[&games, &at]).await?)
    }

    /// How many clocks that ran out at `at` still show it.
    ///
    /// # Errors
    /// The database refused.
    pub async fn flags_up(&self, at: OffsetDateTime) -> Result<i64, SeedError> {
        let statement = "select count(*) from game_states where deadline_at is not null \
                         and least(remind_at, deadline_at) = $1 and coalesce(deadline_at, 'infinity') = $1";
        Ok(self.client.query_one(statement, &[&at]).await?.get(0))
    }

    /// The lines of all time-outs in these games.
    ///
    /// # Errors
    /// The database refused.
    pub async fn timeouts(&self, games: &[Uuid]) -> Result<Vec<(Uuid, String)>, SeedError> {
        let statement =
            "select game_id, line from events where game_id = any($1) and line like '%\"type\":\"timeout\"%'";
        let rows = self.client.query(statement, &[&games]).await?;
        Ok(rows.into_iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// How many workers' heartbeats there have been since `since`: 0 or 1.
    ///
    /// # Errors
    /// The database refused.
    pub async fn heartbeats(&self, since: OffsetDateTime) -> Result<i64, SeedError> {
        let statement = "select count(*) from heartbeat where at >= $1";
        Ok(self.client.query_one(statement, &[&since]).await?.get(0))
    }

    /// Whether notices wait, and whether some could not be sent. Asked often, so it counts none.
    ///
    /// # Errors
    /// The database refused.
    pub async fn outbox(&self) -> Result<(bool, bool), SeedError> {
        let statement = "select exists (select from notices where state = 'waiting' and ready) \
                             or exists (select from notices where state = 'waiting' and not ready), \
                         exists (select from notices where state = 'waiting' and not ready and reason is not null)";
        let row = self.client.query_one(statement, &[]).await?;
        Ok((row.get(0), row.get(1)))
    }

    /// Leaves nothing for a worker to do: no notice waits, and tonight's audit is marked as done.
    ///
    /// # Errors
    /// The database refused.
    pub async fn clear_outbox(&self) -> Result<(), SeedError> {
        self.client
            .batch_execute(
                "update notices set state = 'skipped', finished_at = now() where state = 'waiting'; \
                 insert into audits (day, finished_at, seconds, games, findings) \
                 values (current_date + 1, now(), 0, 0, 0) on conflict do nothing",
            )
            .await?;
        Ok(())
    }

    /// Updates the planner's statistics and writes dirty pages to disk, as far as the role may.
    ///
    /// # Errors
    /// The database refused.
    pub async fn settle(&self) -> Result<(), SeedError> {
        for table in
            ["games", "game_players", "game_states", "checkpoints", "events", "notices", "idempotency_keys"]
        {
            self.client.batch_execute(&format!("vacuum analyze {table}")).await?;
        }
        Ok(())
    }

    /// How far the log over all records has come.
    ///
    /// # Errors
    /// The database refused.
    pub async fn record_log(&self) -> Result<RecordLog, SeedError> {
        let statement = "select coalesce(size, 0), coalesce(position, 0), newest \
                         from (select coalesce(max(position), 0) as newest from events where position is not null) e \
                         left join transparency_log on true";
        let row = self.client.query_one(statement, &[]).await?;
        Ok(RecordLog { size: row.get(0), position: row.get(1), newest: row.get(2) })
    }

    /// Makes the log stand still until it is released: it has not begun. A locked row would do, too, but the transaction with the lock
    /// would keep all versions of all rows meanwhile.
    ///
    /// # Errors
    /// The database refused.
    pub async fn hold_record_log(&self) -> Result<(), SeedError> {
        Ok(self
            .client
            .batch_execute("begin; lock table transparency_log; create table held_log as table transparency_log; delete from transparency_log; commit")
            .await?)
    }

    /// Lets the log go on.
    ///
    /// # Errors
    /// The database refused.
    pub async fn release_record_log(&self) -> Result<(), SeedError> {
        Ok(self
            .client
            .batch_execute("insert into transparency_log table held_log; drop table held_log")
            .await?)
    }

    /// The number of bytes in the database's write-ahead log so far.
    ///
    /// # Errors
    /// The database refused.
    pub async fn wal_bytes(&self) -> Result<i64, SeedError> {
        let row = self.client.query_one("select (pg_current_wal_lsn() - '0/0')::bigint", &[]).await?;
        Ok(row.get(0))
    }

    /// What the newest move wrote, which was in game `game_id`: the snapshot after it, the player to act, its event's line, and
    /// the stored response.
    ///
    /// # Errors
    /// The database refused, or there is no such move.
    pub async fn newest_move(&self, game_id: Uuid) -> Result<(String, Uuid, String, String), SeedError> {
        let statement = "select snapshot, to_act_player, line from game_states s \
                         join events e on e.game_id = s.game_id and e.seq = s.seq where s.game_id = $1";
        let row = self.client.query_one(statement, &[&game_id]).await?;
        // A cluster keeps those of moves beside their games.
        let tables = ["idempotency_keys", "move_keys"];
        let there = "select to_regclass($1) is not null";
        let kept_apart: bool = self.client.query_one(there, &[&tables[1]]).await?.get(0);
        let answer = format!(
            "select answer from {} order by created_at desc limit 1",
            tables[usize::from(kept_apart)]
        );
        let answer = self.client.query_one(&answer, &[]).await?;
        Ok((row.get(0), row.get(1), row.get(2), answer.get(0)))
    }

    /// The mails of each kind to the person who got most of it. Counted are those to players with these handles, and to addresses that
    /// are not of this site's players; but not those of the games that they play.
    ///
    /// # Errors
    /// The database refused.
    pub async fn mails_to_one(&self, handles: &[String]) -> Result<Vec<(String, i64)>, SeedError> {
        let statement = "with mails as (select n.kind || case when n.kind <> 'invitation' then '' when n.player_id is null \
                         then ' to a stranger' else ' to a player' end as kind, \
                         regexp_replace(lower(coalesce(n.address, p.email)), '\\+[^@]*@', '@') as mailbox \
                         from notices n left join players p on p.id = n.player_id \
                         where (n.player_id is null or p.handle = any($1) or p.email not like '%@example.org') \
                         and n.kind not in ('turn', 'reminder', 'game_started', 'game_over')), \
                         counted as (select kind, mailbox, count(*) as count from mails group by kind, mailbox) \
                         select kind, max(count) from counted group by kind order by kind";
        let rows = self.client.query(statement, &[&handles]).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// The most games of one of these players that are not over.
    ///
    /// # Errors
    /// The database refused.
    pub async fn unfinished_games(&self, players: &[Uuid]) -> Result<i64, SeedError> {
        let statement = "select coalesce(max(count), 0) from (select count(*) from game_players s join games g on g.id = s.game_id \
                         where s.player_id = any($1) and g.status in ('open', 'starting', 'running') group by s.player_id) counted";
        Ok(self.client.query_one(statement, &[&players]).await?.get(0))
    }

    /// How long ago the first player registered.
    ///
    /// # Errors
    /// The database refused.
    pub async fn age(&self) -> Result<Duration, SeedError> {
        let statement = "select extract(epoch from now() - min(created_at))::float8 from players";
        Ok(Duration::from_secs_f64(self.client.query_one(statement, &[]).await?.get(0)))
    }

    /// The settings that matter for understanding the figures.
    ///
    /// # Errors
    /// The database refused.
    pub async fn settings(&self) -> Result<String, SeedError> {
        let row = self
            .client
            .query_one(
                "select string_agg(name || '=' || setting, ' ' order by name) from pg_settings where name in \
                 ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'data_checksums', 'shared_buffers', \
                 'server_version')",
                &[],
            )
            .await?;
        Ok(row.get(0))
    }
}

/// Creates a database `name` for `owner` on the same PostgreSQL as its superuser, for a program to compare with.
///
/// # Errors
/// PostgreSQL cannot be reached, or refused.
pub async fn new_database(
    address: &Address,
    superuser: &str,
    name: &str,
    owner: &str,
) -> Result<(), SeedError> {
    let mut config = address.config().clone();
    let (client, connection) = config.user(superuser).dbname("postgres").connect(NoTls).await?;
    tokio::spawn(connection);
    Ok(client.batch_execute(&format!("create database {name} owner {owner}")).await?)
}

/// The database refused rows.
#[derive(Debug, thiserror::Error)]
#[error("{0}: {cause}", cause = std::error::Error::source(.0).map(ToString::to_string).unwrap_or_default())]
pub struct SeedError(#[from] tokio_postgres::Error);
