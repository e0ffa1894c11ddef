alter table game_players drop column read_message;
drop index players_handle_prefix;
alter table players drop column feed_version;
