alter table address_invitations drop column registered_at;
drop table server_invitations;
