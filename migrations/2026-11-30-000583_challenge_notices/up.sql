-- The notice that tells of a challenge: its mail finds the challenge by it.
alter table ladder_happenings add column notice_id uuid;
create unique index ladder_happenings_notice on ladder_happenings (notice_id) where notice_id is not null;
