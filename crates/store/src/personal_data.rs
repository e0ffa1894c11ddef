//! What is stored of a player, as lines of JSON, for the player. Hashes and sealed texts are left out: they are of no use to anybody.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use diesel_async::RunQueryDsl;
use uuid::Uuid;

use super::database::Database;
use super::error::StoreError;

/// A kind of data. Its query takes the player, the key after which it goes on, and how many rows it may have, which it orders by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataTable {
    pub name: &'static str,
    query: &'static str,
}

macro_rules! part {
    ($name:literal, $key:literal, $columns:literal, $from:literal) => {
        DataTable {
            name: $name,
            query: concat!(
                "select d.key, (to_jsonb(d) - 'key')::text as line from (select ",
                $key,
                " as key, ",
                $columns,
                " from ",
                $from,
                " and ($2 is null or ",
                $key,
                " > $2) order by ",
                $key,
                " limit $3) d order by d.key"
            ),
        }
    };
}

/// All kinds, in the order of the export.
pub const PARTS: &[DataTable] = &[
    part!(
        "account",
        "p.id",
        "p.id, p.handle, p.email, p.email_confirmed_at, p.email_bounced_at, p.mail_enabled, p.bot, p.created_at",
        "players p where p.id = $1"
    ),
    part!("preferences", "w.player_id", "w.*", "player_preferences w where w.player_id = $1"),
    part!("preferences-of-games", "w.game_id", "w.*", "game_preferences w where w.player_id = $1"),
    part!(
        "blocked-inviters",
        "b.inviter_id",
        "b.inviter_id, b.blocked_at",
        "blocked_inviters b where b.recipient = $1::uuid::text"
    ),
    part!("muted-players", "b.muted_id", "b.muted_id, b.muted_at", "muted_players b where b.player_id = $1"),
    part!(
        "followed-players",
        "f.followed_id",
        "f.followed_id, f.followed_at",
        "followed_players f where f.player_id = $1"
    ),
    part!(
        "favourite-games",
        "f.game_id",
        "f.game_id, f.marked_at",
        "favourite_games f where f.player_id = $1"
    ),
    part!(
        "studies",
        "s.id",
        "s.id, s.game_id, s.seq, s.title, s.line::jsonb as line, s.comments::jsonb as comments, s.listed, s.created_at",
        "studies s where s.player_id = $1"
    ),
    part!(
        "clubs",
        "c.id",
        "c.id, c.name, m.role, m.since",
        "club_members m join clubs c on c.id = m.club_id where m.player_id = $1"
    ),
    part!(
        "clubs-written",
        "c.id",
        "c.id, c.name, c.about, c.open, c.created_at",
        "clubs c where c.written_by = $1"
    ),
    part!("clubs-closed", "c.id", "c.id, c.name", "closed_clubs c where c.written_by = $1"),
    part!(
        "server-invitations",
        "i.id",
        "i.id, i.created_at, i.expires_at",
        "server_invitations i where i.player_id = $1"
    ),
    part!(
        "reports",
        "r.id",
        "r.id, r.subject_id, r.game_id, r.seq, r.reason, r.text, r.created_at, r.decided_at",
        "reports r where r.reporter_id = $1"
    ),
    part!(
        "moderation",
        "a.id",
        "a.id, a.kind, a.reason, a.words, a.game_id, a.seq, a.evidence, a.acted_at, a.ends_at, a.appeal, a.verdict, a.decided_at",
        "moderation_acts a where a.subject_id = $1"
    ),
    part!(
        "calendar",
        "c.player_id",
        "c.calendar::jsonb as calendar, c.changed_at",
        "player_calendars c where c.player_id = $1"
    ),
    part!(
        "holidays",
        "h.id",
        "h.first_day, h.last_day, h.from_at, h.until_at",
        "player_holidays h where h.player_id = $1"
    ),
    part!("automatic-holiday", "h.player_id", "h.days", "automatic_holidays h where h.player_id = $1"),
    part!(
        "sessions",
        "s.id",
        "s.id, s.device, s.created_at, s.last_used_on, s.expires_at, s.revoked_at",
        "sessions s where s.player_id = $1"
    ),
    part!(
        "tokens",
        "t.id",
        "t.id, t.name, t.scopes, t.game_id, t.created_at, t.expires_at, t.revoked_at",
        "personal_tokens t where t.player_id = $1"
    ),
    part!(
        "push-subscriptions",
        "s.id",
        "s.id, s.host, s.label, s.created_at, s.last_sent_at, s.failing_since",
        "push_subscriptions s where s.player_id = $1"
    ),
    part!(
        "apps-registered",
        "a.id",
        "a.id, a.name, a.homepage, a.redirect_uris, a.created_at",
        "apps a where a.player_id = $1"
    ),
    part!(
        "apps-allowed",
        "g.id",
        "a.name as app, a.homepage, g.scopes, g.game_id, g.created_at, g.last_used_on, g.revoked_at",
        "app_grants g join apps a on a.id = g.app_id where g.player_id = $1"
    ),
    part!(
        "webhooks",
        "w.id",
        "w.id, w.format, w.kinds, w.game_id, w.state, w.created_at",
        "webhooks w where w.player_id = $1"
    ),
    part!(
        "links-in-mails",
        "l.id",
        "l.purpose, l.email, l.created_at, l.expires_at, l.used_at",
        "mail_links l where l.player_id = $1"
    ),
    part!(
        "games",
        "gp.game_id",
        "g.id, g.rules, g.status, g.private, g.created_at, g.started_at, g.finished_at, gp.seat, gp.entropy, g.creator_id = $1 and g.renews_at is not null as renews",
        "game_players gp join games g on g.id = gp.game_id where gp.player_id = $1"
    ),
    part!(
        "messages",
        "m.id",
        "m.game_id, m.seq, m.text, m.created_at",
        "table_messages m where m.game_id in (select game_id from game_players where player_id = $1 or substitute_for = $1) and m.player_id = $1"
    ),
    part!(
        "notes",
        "n.game_id",
        "n.game_id, n.text, n.updated_at",
        "private_notes n where n.game_id in (select game_id from game_players where player_id = $1 or substitute_for = $1) and n.player_id = $1"
    ),
    part!(
        "moves-in-advance",
        "o.game_id",
        "o.game_id, o.orders, o.seq, o.is_active",
        "standing_orders o where o.player_id = $1"
    ),
    part!(
        "mails",
        "n.id",
        "n.id, n.kind, n.game_id, n.seq, n.state, n.created_at, n.finished_at, n.reason, n.bounced_at",
        "notices n where n.player_id = $1"
    ),
    part!(
        "answers-by-mail",
        "r.id",
        "r.game_id, r.seq, r.asked, r.received_at",
        "replies r where r.player_id = $1"
    ),
    part!(
        "reliability",
        "o.game_id",
        "o.game_id, o.outcome, o.ended_at, o.answers_seconds",
        "player_outcomes o where o.player_id = $1"
    ),
    part!(
        "ratings",
        "md5(r.pool || r.rules || r.pace || r.day)::uuid",
        "r.pool, r.rules, r.pace, r.day, r.rating, r.deviation, r.volatility, r.games",
        "player_ratings r where r.player_id = $1"
    ),
    part!(
        "tournaments",
        "t.id",
        "t.id, t.title, t.status, p.number, p.ladder, p.left_round, p.club_id, coalesce(c.name, o.name) as club",
        "tournament_players p join tournaments t on t.id = p.tournament_id left join clubs c on c.id = p.club_id \
         left join closed_clubs o on o.id = p.club_id where p.player_id = $1"
    ),
    part!(
        "tournaments-organised",
        "t.id",
        "t.id, t.title, t.rules, t.kind, t.status, t.created_at",
        "tournaments t where t.organiser_id = $1"
    ),
    part!(
        "ladders",
        "md5(h.rules || ' ' || h.number)::uuid",
        "h.rules, h.number, h.at, h.kind, h.player_id, h.other_id, h.challenge, h.game_id, h.how",
        "ladder_happenings h where (h.player_id = $1 or h.other_id = $1)"
    ),
];

/// A line, and the key after which the next lines are asked for.
#[derive(Debug, QueryableByName)]
pub struct Line {
    #[diesel(sql_type = SqlUuid)]
    pub key: Uuid,
    #[diesel(sql_type = Text)]
    pub line: String,
}

/// Lines of a part after the key `after`.
pub async fn lines(
    database: &Database,
    part: DataTable,
    player_id: Uuid,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Line>, StoreError> {
    let mut connection = database.get().await?;
    let query = diesel::sql_query(part.query)
        .bind::<SqlUuid, _>(player_id)
        .bind::<Nullable<SqlUuid>, _>(after)
        .bind::<BigInt, _>(limit);
    Ok(query.load(&mut connection).await?)
}
