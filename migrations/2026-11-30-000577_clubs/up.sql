-- Clubs of players.
create table clubs (
    id uuid primary key,
    name text not null,
    -- The name in lower case: no other club has it.
    name_key text not null,
    about text not null,
    -- Whether players join without being let in.
    open boolean not null,
    -- Who has written name and text: whom a report is about.
    written_by uuid not null,
    -- How many are in it; who asks to be is not.
    members integer not null,
    created_at timestamptz not null
);
create unique index clubs_name on clubs (name_key);
create index clubs_largest on clubs (members, id);

-- Who is in a club or asks to be.
create table club_members (
    club_id uuid not null references clubs on delete cascade,
    player_id uuid not null,
    role text not null check (role in ('asking', 'member', 'owner')),
    since timestamptz not null,
    primary key (club_id, player_id)
);
create index club_members_player on club_members (player_id);

-- Lists of players tell the ratings of each.
create index player_ratings_newest on player_ratings (player_id) where is_newest;
