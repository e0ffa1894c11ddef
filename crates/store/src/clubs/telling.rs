//! Notices about clubs: who asks to be let in, for its owners, and the answer, for who has asked.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::Role;
use crate::blocked_inviters;
use crate::database::Database;
use crate::error::StoreError;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::schema::{club_members, club_notices};
use crate::studies::readable;
use crate::text_enum::text_enum;

/// For so long owners are told once of a player, however often the player asks.
pub const TOLD_FOR: Duration = Duration::days(7);

text_enum! {
    "what is told about a club",
    /// What a notice tells about a club.
    pub enum Told {
        /// An owner, that somebody asks to be let in.
        Asked = "asked",
        /// Who has asked, that they are in it.
        Admitted = "admitted",
        /// Who has asked, that they are not.
        Refused = "refused",
    }
}

/// A row of `club_notices`.
#[derive(Insertable)]
#[diesel(table_name = club_notices)]
struct NewClubNotice {
    notice_id: Uuid,
    club_id: Uuid,
    player_id: Uuid,
    told: Told,
    at: OffsetDateTime,
}

async fn write(
    connection: &mut AsyncPgConnection,
    notice: NewNotice,
    (club_id, player_id): (Uuid, Uuid),
    told: Told,
) -> QueryResult<()> {
    let row = NewClubNotice { notice_id: notice.id, club_id, player_id, told, at: notice.created_at };
    diesel::insert_into(club_notices::table).values(row).execute(connection).await?;
    notices::insert(connection, &[notice]).await
}

/// Tells the owners of a club that a player asks, but for those who have blocked the player, and unless they were told lately.
pub(super) async fn tell_owners(
    connection: &mut AsyncPgConnection,
    club_id: Uuid,
    player_id: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let of_club = club_notices::table.filter(club_notices::club_id.eq(club_id));
    let old = of_club.filter(club_notices::at.le(now - TOLD_FOR));
    diesel::delete(old).execute(connection).await?;
    let lately = club_notices::table
        .filter(club_notices::club_id.eq(club_id))
        .filter(club_notices::player_id.eq(player_id))
        .filter(club_notices::told.eq(Told::Asked));
    if diesel::select(diesel::dsl::exists(lately)).get_result(connection).await? {
        return Ok(());
    }
    let owners = club_members::table
        .filter(club_members::club_id.eq(club_id))
        .filter(club_members::role.eq(Role::Owner));
    let owners: Vec<Uuid> = owners.select(club_members::player_id).load(connection).await?;
    for owner_id in owners {
        if !blocked_inviters::is_blocked(connection, Some(owner_id), None, player_id).await? {
            let notice = NewNotice::of_wish(NoticeKind::Club, owner_id, player_id, now);
            write(connection, notice, (club_id, player_id), Told::Asked).await?;
        }
    }
    Ok(())
}

/// Tells a player the answer of a club's owner.
pub(super) async fn answer(
    connection: &mut AsyncPgConnection,
    club_id: Uuid,
    player_id: Uuid,
    told: Told,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let notice = NewNotice::to_player(NoticeKind::Club, player_id, now);
    write(connection, notice, (club_id, player_id), told).await
}

/// What a notice tells about a club, as things are now.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ClubNotice {
    #[diesel(sql_type = SqlUuid)]
    pub club_id: Uuid,
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Text)]
    pub told: Told,
    /// Who asks, or has asked.
    #[diesel(sql_type = Text)]
    pub handle: String,
    #[diesel(sql_type = Bool)]
    pub bot: bool,
    /// What that player is in the club by now.
    #[diesel(sql_type = Nullable<Text>)]
    pub role: Option<Role>,
    /// Whether the recipient owns the club.
    #[diesel(sql_type = Bool)]
    pub to_owner: bool,
    /// False if an operator keeps out or has muted who has written the name.
    #[diesel(sql_type = Bool)]
    pub readable: bool,
}

/// [`ClubNotice`] of the notice `$2` to the player `$3` at `$1`.
const FIND: &str = concat!(
    "select c.id as club_id, c.name, n.told, o.handle, o.bot, m.role, \
     exists (select from club_members w where w.club_id = c.id and w.player_id = $3 and w.role = 'owner') as to_owner, ",
    readable!(),
    " as readable from club_notices n join clubs c on c.id = n.club_id join players p on p.id = c.written_by \
     join players o on o.id = n.player_id \
     left join club_members m on m.club_id = c.id and m.player_id = n.player_id \
     where n.notice_id = $2"
);

/// What a notice to a player tells; `None` if it tells of no club that there is.
///
/// # Errors
/// The database failed.
pub async fn told_by(
    database: &Database,
    notice_id: Uuid,
    player_id: Uuid,
    now: OffsetDateTime,
) -> Result<Option<ClubNotice>, StoreError> {
    let asked = diesel::sql_query(FIND)
        .bind::<Timestamptz, _>(now)
        .bind::<SqlUuid, _>(notice_id)
        .bind::<SqlUuid, _>(player_id);
    Ok(asked.get_result(&mut database.get().await?).await.optional()?)
}
