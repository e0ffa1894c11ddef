-- Which notices come with the daily digest, and not each in a mail of its own.
alter table player_wishes
    add column digest_games boolean not null default false,
    add column digest_invitations boolean not null default false;

-- Notices that a digest tells. They wait for the next one; a digest that is overtaken by the next gives them on.
create table digest_news (
    notice_id uuid primary key,
    player_id uuid not null references players on delete cascade,
    -- The notice of the digest that tells it; null: it waits.
    digest_id uuid
);
create index digest_news_player on digest_news (player_id, digest_id);

-- Whether web push tells of this game; null: as of all games.
alter table game_wishes add column push boolean;
