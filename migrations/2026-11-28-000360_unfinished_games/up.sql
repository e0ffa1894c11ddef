-- Which of a player's many games are not over is answered without reading their rows.
create index games_unfinished on games (id) where status in ('open', 'starting', 'running');
