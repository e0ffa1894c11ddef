-- The personal token that registered it; when that is revoked, so does this end. What a session registered has neither token nor grant.
alter table webhooks add column token_id uuid references personal_tokens on delete cascade;
create index webhooks_token on webhooks (token_id) where token_id is not null;
-- They end with the grant from now on, in the same transaction.
delete from webhooks w using app_grants g where g.id = w.grant_id and g.revoked_at is not null;
