-- A browser's session is known by the hash of its cookie, which stays the same, and has no refresh tokens.
alter table sessions
    -- SHA-256 of the cookie; null for a session with refresh tokens.
    add column token_hash bytea constraint sessions_token_hash unique,
    add column expires_at timestamptz,
    add column last_used_on date,
    -- What the player sees in the list of sessions, as in "Firefox, Linux".
    add column device text check (char_length(device) <= 64),
    add constraint sessions_of_browsers_end check ((token_hash is null) = (expires_at is null));
create index sessions_expiry on sessions (expires_at) where expires_at is not null;
