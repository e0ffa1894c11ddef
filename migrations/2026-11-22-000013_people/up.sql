-- An address belongs to one account only once it is confirmed: until then anybody may claim it, so registering tells nobody
-- whether it has an account.
alter table players drop constraint players_email_key_key;
create unique index players_confirmed_email on players (email_key) where email_confirmed_at is not null;
create index players_email on players (email_key);

-- The form in which a link's address is compared with those of accounts.
alter table mail_links add column email_key text;
update mail_links set email_key = lower(email);
alter table mail_links alter column email_key set not null;

-- 'address_changed' carries no link: it says where to tell of a change, which is the address before it.
alter table mail_links drop constraint mail_links_purpose_check;
alter table mail_links add constraint mail_links_purpose_check
    check (purpose in ('confirm_email', 'reset_password', 'address_changed'));

-- Where a session was opened from: what only this server can make of the network, never the network itself.
alter table sessions add column peer_key bytea;

-- How many games of a player wait for others, and whom a player has invited lately.
create index games_open_creator on games (creator_id) where status = 'open';
create index notices_invitations_from on notices (from_player_id, created_at) where kind = 'invitation';

-- In which order notices are sent: by class, and in turns among those on whose account they are. `ready` says that one may be sent
-- at once; one that was claimed or put off becomes ready again when its next attempt is due.
alter table notices
    add column ready boolean not null default true,
    add column class smallint generated always as (
        case kind
            when 'confirm_email' then 0
            when 'reset_password' then 0
            when 'address_changed' then 0
            when 'answer' then 1
            when 'turn' then 2
            when 'reminder' then 2
            when 'invitation' then 4
            else 3
        end
    ) stored,
    add column account uuid generated always as (coalesce(from_player_id, player_id, id)) stored;
update notices set ready = false where state = 'waiting' and next_attempt_at > created_at;
drop index notices_waiting;
create index notices_ready on notices (class, account, id) where state = 'waiting' and ready;
create index notices_put_off on notices (next_attempt_at) where state = 'waiting' and not ready;
