-- Who is told at once of what others write at the table, in all games and in one.
alter table player_preferences
    add column messages boolean not null default false,
    add column push_messages boolean not null default false;
alter table game_preferences add column messages boolean;
-- What a player was told last of a game, and what still waits, are looked for with every message.
create index notices_messages on notices (player_id, game_id, created_at) where kind = 'message';
-- Messages that webhooks have to be told, written with them. They are no events, so no feed has them.
create table webhook_messages (
    webhook_id uuid not null references webhooks (id) on delete cascade,
    message_id uuid not null,
    game_id uuid not null,
    primary key (webhook_id, message_id)
);
alter table webhooks drop constraint webhooks_kinds_check;
alter table webhooks add constraint webhooks_kinds_check check (cardinality(kinds) between 1 and 5);
