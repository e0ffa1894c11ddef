-- Players whose messages another does not want to read.
create table muted_players (
    player_id uuid not null,
    muted_id uuid not null,
    muted_at timestamptz not null,
    primary key (player_id, muted_id)
);
create index muted_players_muted on muted_players (muted_id);

-- What players report of players. The message is kept as it was when it was reported.
create table reports (
    id uuid primary key,
    reporter_id uuid not null,
    subject_id uuid not null,
    game_id uuid,
    seq bigint,
    rules text,
    evidence text,
    reason text not null,
    text text not null,
    created_at timestamptz not null,
    decided_at timestamptz
);
create unique index reports_open on reports (reporter_id, subject_id) where decided_at is null;
create index reports_waiting on reports (created_at) where decided_at is null;
create index reports_reporter on reports (reporter_id, created_at);
create index reports_subject on reports (subject_id);

-- What an operator did. Everybody reads it without names, and whom it is about with the evidence, which outlives the report.
create table moderation_acts (
    id uuid primary key,
    report_id uuid,
    subject_id uuid,
    kind text not null,
    reason text not null,
    words text not null,
    game_id uuid,
    seq bigint,
    rules text,
    evidence text,
    acted_at timestamptz not null,
    ends_at timestamptz,
    read_at timestamptz,
    appeal text,
    verdict text,
    decided_at timestamptz
);
create index moderation_acts_subject on moderation_acts (subject_id, acted_at) where subject_id is not null;
create index moderation_acts_report on moderation_acts (report_id) where report_id is not null;
create index moderation_acts_appealed on moderation_acts (acted_at) where appeal is not null and verdict is null;
