-- The arithmetic of SCALING.md's plan. Replace a figure below and run it on any PostgreSQL: psql -f docs/scaling/plan.sql
-- A test holds the page's table against what this prints.
with given as (
    select
        -- Assumed.
        10e6    as games_a_day,
        60      as moves_a_game,            -- short games have 12 to 21, long ones 58 to 141
        3       as peak,                    -- the busiest second, as a multiple of the day's average
        4       as views_a_move,            -- every player looks, and looks again
        0.05    as mails_a_move,            -- turns that are told of by mail: most people at the board need none
        0.5     as busy,                    -- how much of a processor is used at the peak
        -- Measured, in runs of 21 and 22 November 2026.
        80e-6   as server_seconds_a_move,
        96e-6   as postgres_seconds_a_move, -- five moves a statement
        22.1e-6 as server_seconds_a_view,   -- each view asks the database for the version of its game
        7.0e-6  as postgres_seconds_a_view,
        2620    as wal_bytes_a_move,
        -- Measured on 26 November 2026: a cluster of two workers, which commits each move apart.
        156e-6  as coordinator_seconds_a_move,
        705e-6  as worker_seconds_a_move,
        -- Measured: tables and their indexes, by their rows, after 11,000 moves in 20,000 games of a small rule set.
        680     as bytes_an_event,
        272     as bytes_a_notice,
        815     as bytes_a_state,
        374     as bytes_a_stored_response,
        7       as days_responses_are_stored
),
flow as (
    select *,
        games_a_day * moves_a_game as moves_a_day,
        games_a_day * moves_a_game / 86400 as moves,
        games_a_day * moves_a_game / 86400 * peak as peak_moves
    from given
),
lines (place, what, amount) as (
    select line.* from flow, lateral (values
        (1, 'moves a day', round(moves_a_day / 1e6) || ' million'),
        (2, 'moves a second, average and peak', round(moves) || ' and ' || round(peak_moves)),
        (3, 'views a second at the peak', round(peak_moves * views_a_move)::text),
        (4, 'processors of servers at the peak', round(peak_moves * (server_seconds_a_move + views_a_move * server_seconds_a_view) / busy, 1)::text),
        (5, 'processors of PostgreSQL at the peak, mails aside', round(peak_moves * (postgres_seconds_a_move + views_a_move * postgres_seconds_a_view) / busy, 1)::text),
        (6, 'WAL a second, average and peak', round(moves * wal_bytes_a_move / 1e6) || ' and ' || round(peak_moves * wal_bytes_a_move / 1e6) || ' MB'),
        (7, 'WAL a day, to be kept as long as backups go back', round(moves_a_day * wal_bytes_a_move / 1e12, 1) || ' TB'),
        (8, 'events of a game', round(moves_a_game * bytes_an_event / 1e3) || ' KB'),
        (9, 'events a day', round(moves_a_day * bytes_an_event / 1e9) || ' GB'),
        (10, 'events a year', round(moves_a_day * bytes_an_event * 365 / 1e12) || ' TB'),
        (11, 'states a year', round(games_a_day * bytes_a_state * 365 / 1e12, 1) || ' TB'),
        (12, 'notices a year', round(moves_a_day * bytes_a_notice * 365 / 1e12) || ' TB'),
        (13, 'stored responses, always', round(moves_a_day * bytes_a_stored_response * days_responses_are_stored / 1e12, 1) || ' TB'),
        (14, 'stored responses deleted a second', round(moves)::text),
        (15, 'mails a day', round(moves_a_day * mails_a_move / 1e6) || ' million'),
        (16, 'mails a second, average and peak', round(moves * mails_a_move) || ' and ' || round(peak_moves * mails_a_move)),
        (17, 'days until a database has written 2 billion transactions, five moves each', round(2e9 / (moves_a_day / 5), 1)::text),
        (18, 'with Citus instead: processors of the coordinator at the peak', round(peak_moves * coordinator_seconds_a_move / busy, 1)::text),
        (19, 'with Citus instead: processors of the workers at the peak', round(peak_moves * worker_seconds_a_move / busy, 1)::text)
    ) as line (place, what, amount)
)
select '| ' || what || ' | ' || amount || ' |' as line from lines order by place;
