-- What notices tell about a club.
create table club_notices (
    notice_id uuid primary key,
    club_id uuid not null references clubs on delete cascade,
    -- Who asks, or asked, to be let in.
    player_id uuid not null,
    told text not null check (told in ('asked', 'admitted', 'refused')),
    at timestamptz not null
);
create index club_notices_club on club_notices (club_id, player_id);
create index club_notices_player on club_notices (player_id);
