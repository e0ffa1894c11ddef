-- Whether nothing in this database counts. Decided when a server first uses it, and never changed.
alter table server add column sandbox boolean not null default false;
-- By how many microseconds the clock of a sandbox is ahead of the machine's.
alter table server add column clock_ahead bigint not null default 0 check (clock_ahead >= 0 and (sandbox or clock_ahead = 0));

-- Whether a player chose the master: possible in a sandbox only, and said in the record.
alter table games add column chosen_seed boolean not null default false;

-- The mails that a sandbox has sent to nobody.
create table captured_mails (
    -- The notice that the mail delivers.
    id uuid primary key,
    -- To whom; null for an address without a player.
    player_id uuid,
    address_key text not null,
    kind text not null,
    raw bytea not null,
    sent_at timestamptz not null
);
create index captured_mails_player on captured_mails (player_id, id desc);
create index captured_mails_address on captured_mails (address_key, id desc) where player_id is null;
