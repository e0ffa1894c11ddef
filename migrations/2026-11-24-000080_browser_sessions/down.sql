-- Without its cookie's hash a browser's session is of no use.
delete from sessions where token_hash is not null;
drop index sessions_expiry;
alter table sessions
    drop constraint sessions_of_browsers_end,
    drop column token_hash,
    drop column expires_at,
    drop column last_used_on,
    drop column device;
