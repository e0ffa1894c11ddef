-- Whether a seat that is given up may be taken by a substitute, and whether one is offered now.
alter table games add column substitutes boolean not null default false;
alter table games add column seats_offered boolean not null default false;
create index games_seats_offered on games (id desc) where seats_offered and not private;

-- The player who was in the seat before this one took it.
alter table game_players add column substitute_for uuid references players;
create index game_players_substitute_for on game_players (substitute_for) where substitute_for is not null;
