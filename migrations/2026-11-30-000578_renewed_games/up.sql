-- From when on another game of the same kind is opened for the creator of a game, once it is finished; null: none is.
alter table games add column renews_at timestamptz;
create index games_renewing on games (renews_at) where status = 'finished' and renews_at is not null;
