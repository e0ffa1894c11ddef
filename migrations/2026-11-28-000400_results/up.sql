-- How a game ended, as JSON: lists show it, and are filtered by it.
alter table games add column result text;
update games g set result = s.snapshot::json ->> 'result'
    from game_states s where s.game_id = g.id and g.status = 'finished';
-- Invitations that a player has received, newest first; those declined are not listed any more.
alter table notices add column declined_at timestamptz;
create index notices_invited on notices (player_id, id desc) where kind = 'invitation' and declined_at is null;
