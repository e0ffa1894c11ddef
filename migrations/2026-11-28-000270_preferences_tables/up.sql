-- One word for one thing: what a player wants are preferences everywhere. Constraints keep their names.
alter table player_wishes rename to player_preferences;
alter index player_wishes_pkey rename to player_preferences_pkey;
alter index player_wishes_digests rename to player_preferences_digests;
alter table game_wishes rename to game_preferences;
alter index game_wishes_pkey rename to game_preferences_pkey;
