drop index games_finished_rules;
