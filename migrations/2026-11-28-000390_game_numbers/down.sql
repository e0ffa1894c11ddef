delete from replies where game_id is null;
alter table replies alter column game_id set not null;
drop index game_players_number;
alter table game_players drop column number;
alter table address_invitations drop column answered_at;
delete from notices where kind = 'invitation_answered';
