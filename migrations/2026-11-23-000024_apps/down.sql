drop table app_tokens;
drop table app_codes;
drop table app_grants;
drop table apps;
-- No token may do more than before: one for a single game would be for all, and `play` allows again what `manage` allowed.
delete from personal_tokens where game_id is not null;
delete from personal_tokens where 'play' = any (scopes) and not 'manage' = any (scopes);
update personal_tokens set scopes = array_remove(array_remove(scopes, 'manage'), 'mail');
delete from personal_tokens where scopes = '{}';
alter table personal_tokens drop column game_id;
