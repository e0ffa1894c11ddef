-- Tournaments: who plays whom follows from these rows, and how games went from the games.
create table tournaments (
    id uuid primary key,
    title text not null,
    organiser_id uuid not null,
    rules text not null,
    options text not null,
    time_control text not null,
    kind text not null check (kind in ('round_robin', 'swiss', 'knock_out')),
    -- Before the start the wish, from then on what is played.
    rounds smallint not null,
    most_players smallint not null,
    starts_when_full boolean not null,
    -- When it starts, or is cancelled if it starts when it is full.
    closes_at timestamptz not null,
    status text not null default 'open' check (status in ('open', 'running', 'finished', 'cancelled')),
    -- The newest round, 0 before the start.
    round smallint not null default 0,
    -- Of the secret, from which the draw's secret and the masters of all games follow.
    commitment bytea not null,
    draw_commitment bytea not null,
    secret_sealed bytea not null,
    created_at timestamptz not null,
    ended_at timestamptz,
    -- When a worker looks at it next.
    due_at timestamptz
);
create index tournaments_due on tournaments (due_at) where due_at is not null;
create index tournaments_status on tournaments (status, id desc);
create index tournaments_organiser on tournaments (organiser_id) where status in ('open', 'running');

create table tournament_players (
    tournament_id uuid not null references tournaments (id),
    player_id uuid not null,
    -- In the order of registration: whoever is beyond the most players waits.
    entered bigint generated always as identity,
    -- What the draw gave, from 0; null before the start, and for whoever still waits then.
    number smallint,
    -- The newest round when the player withdrew, or lost on time: later ones are played without.
    left_round smallint,
    primary key (tournament_id, player_id)
);
create index tournament_players_player on tournament_players (player_id);

create table tournament_pairings (
    tournament_id uuid not null references tournaments (id),
    round smallint not null,
    board smallint not null,
    -- The numbers of both; a bye has no second one, and no game.
    first_number smallint not null,
    second_number smallint,
    game_id uuid unique,
    outcome text check (outcome in ('first', 'second', 'draw', 'void')),
    primary key (tournament_id, round, board)
);
