drop table idempotency_keys;
drop table events;
drop function refuse_change_of_history;
drop table game_states;
drop table game_players;
drop table games;
