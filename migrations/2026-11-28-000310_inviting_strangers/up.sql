-- Invitations by address, by the mailbox that it leads to: one for a game, and few in a week.
create table address_invitations (
    mailbox_key text not null,
    game_id uuid not null,
    invited_at timestamptz not null,
    primary key (mailbox_key, game_id)
);
create index address_invitations_old on address_invitations (invited_at);

-- Who must not invite whom. The recipient is a player's id, or a mailbox without a player.
create table blocked_inviters (
    recipient text not null,
    inviter_id uuid not null,
    blocked_at timestamptz not null,
    primary key (recipient, inviter_id)
);
create index blocked_inviters_inviter on blocked_inviters (inviter_id);
