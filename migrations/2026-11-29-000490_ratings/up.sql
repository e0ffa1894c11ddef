-- What a finished public game says for ratings, from its record; ratings follow from these rows alone.
create table rated_games (
    game_id uuid primary key,
    ended_at timestamptz not null,
    pool text not null check (pool in ('people', 'bots')),
    rules text not null,
    pace text not null check (pace in ('fast', 'slow', 'unlimited')),
    -- By seat, who began the game.
    player_ids uuid[] not null,
    places smallint[] not null
);
create index rated_games_order on rated_games (ended_at, game_id);

-- Ratings after each day (UTC) on which the player had rated games: in thousandths, volatility in billionths.
create table player_ratings (
    player_id uuid not null,
    pool text not null,
    rules text not null,
    pace text not null,
    day date not null,
    rating integer not null,
    deviation integer not null,
    volatility integer not null,
    games integer not null,
    -- Whether it is the rating of today.
    is_newest boolean not null,
    primary key (player_id, pool, rules, pace, day)
);
create index player_ratings_day on player_ratings (day);
create index player_ratings_best on player_ratings (pool, rules, pace, rating desc, player_id)
    where is_newest and deviation <= 110000 and games >= 5;

-- One row: the days before this one have been rated.
create table rating_progress (
    only_one boolean primary key default true check (only_one),
    next_day date not null
);
insert into rating_progress (next_day) values ('0001-01-01');

-- Whether others see the player's ratings.
alter table player_preferences add column ratings boolean not null default true;

-- Games from before are counted again, for ratings, too.
update games set reliability_counted = false where reliability_counted;
