//! Statements that Citus refuses on distributed tables, and such as it takes: `tests/laws/migrations.rs` tells them apart, and
//! `tests/citus` tries each.

/// Each is refused. With triggers allowed, as migrations have them.
pub const REFUSED: [&str; 19] = [
    // A table of the coordinator that refers to one that is on every node is one of Citus, too.
    "alter table sessions add column tried integer check (tried > 0)",
    "alter table games add column tried integer check (tried > 0)",
    "alter table players add tried integer CHECK (tried > 0)",
    "alter table only game_states\n    add column tried integer default 1\n    check (tried > 0)",
    "alter table games add column tried integer unique",
    "alter table games add column if not exists tried bigserial",
    "alter table players add column tried integer generated always as identity",
    "alter table games add column tried integer, add constraint tried check (tried > 0)",
    "alter table games add check (seats > 0), add check (seats < 1000)",
    "alter table game_states drop constraint game_states_pkey, add primary key (game_id)",
    "alter table game_states add constraint tried unique (seq)",
    "alter table game_states add foreign key (to_act_player) references sessions",
    "create unique index tried on games (created_at)",
    "create unique index on games ((seats + 1))",
    "alter table games alter column id set default gen_random_uuid()",
    "alter table events drop column game_id",
    "alter table games rename constraint games_pkey to tried",
    "alter table players alter column handle set statistics 100",
    "alter table players alter handle set storage plain",
];

/// Each is taken.
pub const TAKEN: [&str; 15] = [
    "alter table games add column tried text not null default 'a, check (b) -- or; unique'",
    "alter table games add column tried integer, add column tried_again timestamptz",
    "alter table games add constraint tried check (seats > 0)",
    "alter table players add check (handle <> '')",
    "alter table game_states add constraint tried foreign key (to_act_player) references players",
    "alter table game_states add constraint tried foreign key (game_id) references games",
    "alter table game_states add constraint tried unique (game_id, seq)",
    "alter table players add constraint tried unique (created_at, id)",
    "create unique index tried on events (game_id, seq)",
    "create index tried on games (created_at)",
    "create index tried on game_states (deadline_at) where deadline_at is not null",
    "alter table games alter column seats set default 2",
    "alter table games alter column created_at drop not null",
    "alter table games set (fillfactor = 80)",
    "create table tried (id uuid primary key, bytes bigint check (bytes > 0))",
];
