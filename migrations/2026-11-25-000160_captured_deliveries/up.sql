-- What a sandbox has sent to webhooks, for their owners to read.
create table captured_deliveries (
    id uuid primary key,
    player_id uuid not null,
    webhook_id uuid not null,
    -- The values of the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    message_id text not null,
    timestamp bigint not null,
    signatures text not null,
    body text not null,
    sent_at timestamptz not null
);
create index captured_deliveries_player on captured_deliveries (player_id, id desc);
