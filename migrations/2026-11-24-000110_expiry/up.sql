-- When a game that still waits for players is cancelled; null: never.
alter table games add column expires_at timestamptz;
-- Until when a full game waits for its round of the public beacon, in place of `expires_at`.
alter table games add column awaits_until timestamptz;

-- Games that wait already have the usual time from now on, by the clock of a sandbox where it is one.
update games set expires_at = now() + interval '30 days'
    + coalesce((select clock_ahead from server), 0) * interval '1 microsecond'
where status in ('open', 'starting');

create index games_expiring on games (coalesce(awaits_until, expires_at)) where status in ('open', 'starting');
