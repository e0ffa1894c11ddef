-- A game that was aborted counts for who has aborted it.
alter table player_outcomes drop constraint player_outcomes_outcome_check;
alter table player_outcomes add constraint player_outcomes_outcome_check
    check (outcome in ('finished', 'left', 'timed_out', 'aborted'));
alter table player_reliability add column games_aborted integer not null default 0;
