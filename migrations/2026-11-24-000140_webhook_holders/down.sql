alter table webhooks drop column token_id;
