-- Public games that ended, as the daily archives for everybody take them; and who does not want to be in these.
create index games_dumped on games (finished_at, id) where status = 'finished' and not private;
alter table player_preferences add column in_dumps boolean not null default true;
