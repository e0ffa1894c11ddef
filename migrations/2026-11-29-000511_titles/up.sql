-- The title that a game's creator has given it, as plain text.
alter table games add column title text;
alter table games add constraint games_title_check check (char_length(title) between 1 and 60);
-- A search for public games by the first letters of their titles.
create index games_titled on games (lower(title collate "C")) where title is not null and not private;
