-- How often the private address of a player's feeds was made anew: its token is derived from this.
alter table players add column feed_version integer not null default 0;
-- A search for players by the first letters of their handles, whatever the database's collation is.
create index players_handle_prefix on players (handle collate "C") where deleted_at is null and not guest;
-- The newest message at the table that the player has been shown on the game's page.
alter table game_players add column read_message uuid;
