drop index notices_put_off;
drop index notices_ready;
alter table notices drop column account, drop column class, drop column ready;
create index notices_waiting on notices (next_attempt_at) where state = 'waiting';
drop index notices_invitations_from;
drop index games_open_creator;
alter table sessions drop column peer_key;
delete from notices where kind = 'address_changed';
delete from mail_links where purpose = 'address_changed';
alter table mail_links drop constraint mail_links_purpose_check;
alter table mail_links add constraint mail_links_purpose_check check (purpose in ('confirm_email', 'reset_password'));
alter table mail_links drop column email_key;
-- Of several claims to an address one can keep it: the confirmed one, or else the oldest. The others get one of their own that
-- nothing is sent to.
with ranked as (
    select id, row_number() over (partition by email_key order by email_confirmed_at is null, id) as place from players
)
update players p set email = p.id || '@unconfirmed.invalid', email_key = p.id || '@unconfirmed.invalid'
from ranked r where r.id = p.id and r.place > 1;
drop index players_email;
drop index players_confirmed_email;
alter table players add constraint players_email_key_key unique (email_key);
