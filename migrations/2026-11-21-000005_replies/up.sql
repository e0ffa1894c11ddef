-- Which kinds of notices there are is the program's to say; the table holds them to a form.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind ~ '^[a-z][a-z_]{1,31}$');

-- When the mail came back, and with which code (RFC 3463); never an address.
alter table notices add column bounced_at timestamptz;
alter table notices add column bounce_code text check (char_length(bounce_code) <= 16);

-- Since when nothing is sent to the address, because mails to it kept coming back; null once it is confirmed (again).
alter table players add column email_bounced_at timestamptz;

-- Mails that came in with a good token: what was read, what became of it, and that it is answered once.
create table replies (
    -- UUIDv7; also the id of the notice that carries the answer.
    id uuid primary key,
    -- The notice whose mail was answered: its row says who may act where.
    notice_id uuid not null,
    -- SHA-256 over what tells one mail from another.
    mail_key bytea not null,
    player_id uuid not null,
    game_id uuid not null,
    -- The event that the answered mail showed.
    seq bigint not null,
    -- What was read as commands.
    asked text not null check (char_length(asked) <= 4096),
    -- What the answer says, as JSON; until it is settled, what it will say if all goes well.
    answer text not null,
    received_at timestamptz not null,
    settled_at timestamptz,
    -- It did something, so the token has done its work.
    used boolean not null default false,
    unique (notice_id, mail_key)
);
create index replies_player on replies (player_id, received_at);

-- What players say to each other at the table. No part of the game: events know nothing of it.
create table table_messages (
    id uuid primary key,
    game_id uuid not null references games on delete cascade,
    player_id uuid not null,
    -- The game's last event when it was said.
    seq bigint not null,
    text text not null check (char_length(text) between 1 and 1000),
    created_at timestamptz not null
);
create index table_messages_game on table_messages (game_id, id);
