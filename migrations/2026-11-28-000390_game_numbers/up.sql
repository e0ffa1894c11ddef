-- By the number a player names a game in mails, as in `#12 store`: each player counts their own games.
alter table game_players add column number integer;
create temporary table numbered on commit drop as
    select game_id, player_id, row_number() over (partition by player_id order by game_id) as number from game_players;
update game_players p set number = n.number
    from (select game_id, player_id, number from numbered) n
    where p.game_id = n.game_id and p.player_id = n.player_id;
-- Partial, so that no list of games is read by it.
create index game_players_number on game_players (player_id, number) where number is not null;
-- A mail can be about no game: it asks for a list, or begins a game.
alter table replies alter column game_id drop not null;
-- A person without an account who answers an invitation gets one mail that says how to join.
alter table address_invitations add column answered_at timestamptz;
