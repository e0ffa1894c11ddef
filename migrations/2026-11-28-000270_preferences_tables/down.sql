alter index game_preferences_pkey rename to game_wishes_pkey;
alter table game_preferences rename to game_wishes;
alter index player_preferences_digests rename to player_wishes_digests;
alter index player_preferences_pkey rename to player_wishes_pkey;
alter table player_preferences rename to player_wishes;
