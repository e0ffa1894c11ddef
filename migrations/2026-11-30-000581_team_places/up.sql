-- How many players of each club are counted for the places of clubs; null: clubs do not play for any.
alter table tournaments add column team_size smallint;
alter table tournaments add constraint tournaments_team_size_check check (team_size between 2 and 20);
-- The club that a player plays for. Before the start it counts only while the player is in it.
alter table tournament_players add column club_id uuid;
create index tournament_players_club on tournament_players (club_id) where club_id is not null;

-- The names of clubs that are closed, as far as tournaments name them.
create table closed_clubs (
    id uuid primary key,
    name text not null,
    -- Who has written the name; null once that account is deleted.
    written_by uuid
);
