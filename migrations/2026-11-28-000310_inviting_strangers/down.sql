drop table blocked_inviters;
drop table address_invitations;
