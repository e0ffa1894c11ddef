alter table player_reliability drop column games_aborted;
delete from player_outcomes where outcome = 'aborted';
alter table player_outcomes drop constraint player_outcomes_outcome_check;
alter table player_outcomes add constraint player_outcomes_outcome_check
    check (outcome in ('finished', 'left', 'timed_out'));
