-- Each finished game is searched once, the newest first: for where it was lost, and for problems.
alter table games add column searched boolean not null default false;
create index games_unsearched on games (finished_at desc) where status = 'finished' and not searched;

-- How strongly the house bot plays a game that began with a click; null: as it usually does.
alter table games add column bot_strength text;

-- How many games were searched on each day (UTC).
create table search_days (
    day date primary key,
    games integer not null
);

-- The action by which a seat lost a game, by chances in thousandths. A seat that made no clear mistake has none.
create table turning_points (
    game_id uuid not null,
    seat smallint not null,
    seq bigint not null,
    -- What would have been better, in notation.
    better text not null,
    chance_before smallint not null,
    chance_after smallint not null,
    primary key (game_id, seat)
);

-- Positions of finished public games with one best action. Ids are drawn at random: by them a day finds its problem.
create table problems (
    id uuid primary key,
    game_id uuid not null,
    -- The event after which the action was to be chosen.
    seq bigint not null,
    seat smallint not null,
    rules text not null,
    day date not null,
    -- What was played, in notation.
    played text not null,
    -- All actions with their chances, the best first, as JSON.
    answers text not null,
    unique (game_id, seq)
);
create index problems_newest on problems (day desc, id desc);
create index problems_of_rules on problems (rules, day desc, id desc);
