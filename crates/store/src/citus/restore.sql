-- What prepare.sql took off and distributed tables can have.
alter table game_players add constraint game_players_game_id_fkey foreign key (game_id) references games on delete cascade;
alter table turn_reminders add constraint turn_reminders_game_id_fkey foreign key (game_id) references games on delete cascade;
alter table pause_proposals add constraint pause_proposals_game_id_fkey foreign key (game_id) references games on delete cascade;
alter table standing_orders add constraint standing_orders_game_id_fkey foreign key (game_id) references games on delete cascade;
alter table table_messages add constraint table_messages_game_id_fkey foreign key (game_id) references games on delete cascade;
alter table private_notes add constraint private_notes_game_id_fkey foreign key (game_id) references games on delete cascade;

-- Citus calls triggers of distributed tables unsafe, because they may run on any node. These only refuse, so that does not matter.
set local citus.enable_unsafe_triggers = on;
create trigger events_are_final before update or delete on events
    for each row execute function refuse_change_of_history();
create trigger events_are_kept before truncate on events
    for each statement execute function refuse_change_of_history();
create trigger clock_lines_are_final before update or delete on clock_lines
    for each row execute function refuse_change_of_history();
create trigger clock_lines_are_kept before truncate on clock_lines
    for each statement execute function refuse_change_of_history();
alter table events enable always trigger events_are_final;
alter table events enable always trigger events_are_kept;
alter table clock_lines enable always trigger clock_lines_are_final;
alter table clock_lines enable always trigger clock_lines_are_kept;
create trigger archived_games_are_true before insert or update or delete on archived_games
    for each row execute function guard_archived_games();
create trigger archived_games_are_kept before truncate on archived_games
    for each statement execute function guard_archived_games();
alter table archived_games enable always trigger archived_games_are_true;
alter table archived_games enable always trigger archived_games_are_kept;
