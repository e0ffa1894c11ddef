//! The codes and tokens of apps, which are stored as hashes.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::app_grants::{self as grants, GrantLimits, GrantRow};
use super::database::Database;
use super::error::StoreError;
use super::schema::{app_codes, app_grants, app_tokens, players};
use super::text_enum::text_enum;
use super::webhook_managers;

text_enum! {
    "kind of an app's token",
    /// What a token of an app is for.
    pub enum AppTokenKind {
        Access = "access",
        Refresh = "refresh",
    }
}

/// The constraint that a form which is approved twice violates.
pub const UNIQUE_REQUEST: &str = "app_codes_pkey";

/// An authorization code.
#[derive(Clone, Debug, Insertable, Queryable, Selectable)]
#[diesel(table_name = app_codes)]
pub struct CodeRow {
    pub request_id: Uuid,
    pub code_hash: Vec<u8>,
    pub app_id: Uuid,
    pub player_id: Uuid,
    pub redirect_uri: String,
    pub challenge: String,
    pub scopes: Vec<String>,
    pub game_id: Option<Uuid>,
    pub expires_at: OffsetDateTime,
}

/// Writes a code. A form that was approved before violates [`UNIQUE_REQUEST`].
pub async fn insert_code(database: &Database, new: &CodeRow) -> Result<(), StoreError> {
    let mut connection = database.get().await?;
    diesel::insert_into(app_codes::table).values(new).execute(&mut connection).await?;
    Ok(())
}

/// The tokens to write in exchange for a code or a refresh token.
pub struct NewAppTokens<'a> {
    pub access_hash: &'a [u8],
    pub access_expires_at: OffsetDateTime,
    pub refresh_hash: &'a [u8],
    pub refresh_expires_at: OffsetDateTime,
    pub now: OffsetDateTime,
}

/// A code to exchange, and what the app must show with it.
pub struct CodeExchange<'a> {
    pub code_hash: &'a [u8],
    pub app_id: Uuid,
    pub redirect_uri: &'a str,
    /// The challenge of the verifier.
    pub challenge: &'a str,
    pub grant_id: Uuid,
    pub limits: GrantLimits,
}

/// The outcome of an exchange.
#[derive(Debug)]
pub enum AppExchange {
    /// The tokens are written. `ended` are older grants that had to make room.
    Done { grant: GrantRow, ended: Vec<Uuid> },
    /// It was used before: what it gave is revoked.
    Reused { grant_id: Option<Uuid> },
    /// More scopes were asked for than the grant has. Nothing has changed.
    MoreScopes,
    /// There is no such code or token for this app, it has expired, or it was sent with something wrong.
    Refused,
}

/// Exchanges a code for a grant with tokens. The first use spends it, also if something sent with it is wrong.
pub async fn exchange_code(
    database: &Database,
    exchange: &CodeExchange<'_>,
    tokens: &NewAppTokens<'_>,
) -> Result<AppExchange, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let exchanged = connection.transaction::<AppExchange, StoreError, _>(async |connection| {
        let unused = app_codes::table
            .filter(app_codes::code_hash.eq(exchange.code_hash))
            .filter(app_codes::used_at.is_null());
        let spent = diesel::update(unused)
            .set(app_codes::used_at.eq(tokens.now))
            .returning(CodeRow::as_returning())
            .get_result(connection)
            .await
            .optional()?;
        let Some(code) = spent else {
            return Ok(revoke_if_replayed(connection, exchange.code_hash, tokens.now).await?);
        };
        let is_right = code.app_id == exchange.app_id
            && code.redirect_uri == exchange.redirect_uri
            && code.challenge == exchange.challenge
            && tokens.now < code.expires_at;
        if !is_right {
            return Ok(AppExchange::Refused);
        }
        Ok(write_grant(connection, exchange, &code, tokens).await?)
    });
    exchanged.await
}

async fn write_grant(
    connection: &mut AsyncPgConnection,
    exchange: &CodeExchange<'_>,
    code: &CodeRow,
    tokens: &NewAppTokens<'_>,
) -> QueryResult<AppExchange> {
    let new = NewGrant {
        id: exchange.grant_id,
        app_id: code.app_id,
        player_id: code.player_id,
        scopes: &code.scopes,
        game_id: code.game_id,
        limits: exchange.limits,
    };
    let (grant, ended) = insert_grant(connection, &new, tokens).await?;
    let given = diesel::update(app_codes::table.find(code.request_id));
    given.set(app_codes::grant_id.eq(grant.id)).execute(connection).await?;
    Ok(AppExchange::Done { grant, ended })
}

/// A grant to write.
pub(super) struct NewGrant<'a> {
    pub id: Uuid,
    pub app_id: Uuid,
    pub player_id: Uuid,
    pub scopes: &'a [String],
    pub game_id: Option<Uuid>,
    pub limits: GrantLimits,
}

/// Writes a grant with its tokens, inside a transaction; it, and the older grants that had to make room.
pub(super) async fn insert_grant(
    connection: &mut AsyncPgConnection,
    new: &NewGrant<'_>,
    tokens: &NewAppTokens<'_>,
) -> QueryResult<(GrantRow, Vec<Uuid>)> {
    // Whoever holds the player's row counts alone.
    let player = players::table.find(new.player_id).select(players::id).for_update();
    player.first::<Uuid>(connection).await?;
    let ended = grants::make_room(connection, new.player_id, new.app_id, new.limits, tokens.now).await?;
    let values = (
        app_grants::id.eq(new.id),
        app_grants::app_id.eq(new.app_id),
        app_grants::player_id.eq(new.player_id),
        app_grants::scopes.eq(new.scopes),
        app_grants::game_id.eq(new.game_id),
        app_grants::created_at.eq(tokens.now),
    );
    let grant = diesel::insert_into(app_grants::table)
        .values(values)
        .returning(GrantRow::as_returning())
        .get_result(connection)
        .await?;
    insert_tokens(connection, &grant, &grant.scopes, tokens).await?;
    Ok((grant, ended))
}

async fn revoke_if_replayed(
    connection: &mut AsyncPgConnection,
    code_hash: &[u8],
    now: OffsetDateTime,
) -> QueryResult<AppExchange> {
    let used = app_codes::table.filter(app_codes::code_hash.eq(code_hash)).select(app_codes::grant_id);
    let Some(grant_id) = used.first::<Option<Uuid>>(connection).await.optional()? else {
        return Ok(AppExchange::Refused);
    };
    if let Some(grant_id) = grant_id {
        grants::revoke_one(connection, grant_id, now).await?;
    }
    Ok(AppExchange::Reused { grant_id })
}

async fn insert_tokens(
    connection: &mut AsyncPgConnection,
    grant: &GrantRow,
    access_scopes: &[String],
    tokens: &NewAppTokens<'_>,
) -> QueryResult<()> {
    let row = |hash, kind: AppTokenKind, scopes, expires_at: OffsetDateTime| {
        (
            app_tokens::token_hash.eq(hash),
            app_tokens::grant_id.eq(grant.id),
            app_tokens::kind.eq(kind),
            app_tokens::scopes.eq(scopes),
            app_tokens::created_at.eq(tokens.now),
            app_tokens::expires_at.eq(expires_at),
        )
    };
    let rows = vec![
        row(tokens.access_hash, AppTokenKind::Access, access_scopes, tokens.access_expires_at),
        row(tokens.refresh_hash, AppTokenKind::Refresh, grant.scopes.as_slice(), tokens.refresh_expires_at),
    ];
    diesel::insert_into(app_tokens::table).values(rows).execute(connection).await?;
    Ok(())
}

/// What an app wants its next access token to allow; more than its grant is refused.
pub struct NarrowedScopes {
    pub scopes: Vec<String>,
    /// The game of the grant, if the app names it.
    pub game_id: Option<Uuid>,
}

impl NarrowedScopes {
    fn is_within(&self, grant: &GrantRow) -> bool {
        let is_same_game = self.game_id.is_none() || self.game_id == grant.game_id;
        is_same_game && self.scopes.iter().all(|scope| grant.scopes.contains(scope))
    }
}

/// Exchanges a refresh token of an app for new tokens; without `narrowed` the access token has all scopes of the grant. A second
/// use revokes the grant.
pub async fn refresh(
    database: &Database,
    app_id: Uuid,
    old_hash: &[u8],
    narrowed: Option<&NarrowedScopes>,
    tokens: &NewAppTokens<'_>,
) -> Result<AppExchange, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let exchanged = connection.transaction::<AppExchange, StoreError, _>(async |connection| {
        let ours = app_tokens::table
            .find(old_hash)
            .filter(app_tokens::kind.eq(AppTokenKind::Refresh))
            .select((app_tokens::grant_id, app_tokens::used_at, app_tokens::expires_at))
            .for_update();
        let found = ours.first::<(Uuid, Option<OffsetDateTime>, OffsetDateTime)>(connection).await;
        let Some((grant_id, used_at, expires_at)) = found.optional()? else {
            return Ok(AppExchange::Refused);
        };
        let grant = app_grants::table
            .find(grant_id)
            .filter(app_grants::app_id.eq(app_id))
            .select(GrantRow::as_select())
            .first(connection)
            .await
            .optional()?;
        let Some(grant) = grant else { return Ok(AppExchange::Refused) };
        if used_at.is_some() {
            grants::revoke_one(connection, grant_id, tokens.now).await?;
            return Ok(AppExchange::Reused { grant_id: Some(grant_id) });
        }
        if expires_at <= tokens.now || grant.revoked_at.is_some() {
            return Ok(AppExchange::Refused);
        }
        if narrowed.is_some_and(|narrowed| !narrowed.is_within(&grant)) {
            return Ok(AppExchange::MoreScopes);
        }
        let used = diesel::update(app_tokens::table.find(old_hash));
        used.set(app_tokens::used_at.eq(tokens.now)).execute(connection).await?;
        let scopes = narrowed.map_or(&grant.scopes, |narrowed| &narrowed.scopes);
        insert_tokens(connection, &grant, scopes, tokens).await?;
        Ok(AppExchange::Done { grant, ended: Vec::new() })
    });
    exchanged.await
}

/// Revokes the grant of an app's token, whatever its kind; the grant, if the app has such a token.
pub async fn revoke(
    database: &Database,
    app_id: Uuid,
    token_hash: &[u8],
    now: OffsetDateTime,
) -> Result<Option<Uuid>, StoreError> {
    let mut connection = database.get_for_writing().await?;
    let revoked = connection.transaction::<Option<Uuid>, StoreError, _>(async |connection| {
        let of_token = app_tokens::table.find(token_hash).select(app_tokens::grant_id).single_value();
        let live = app_grants::table
            .filter(app_grants::id.nullable().eq(of_token))
            .filter(app_grants::app_id.eq(app_id))
            .filter(app_grants::revoked_at.is_null());
        let revoked = diesel::update(live)
            .set(app_grants::revoked_at.eq(now))
            .returning(app_grants::id)
            .get_result(connection)
            .await
            .optional()?;
        webhook_managers::remove_of(connection, revoked.as_slice()).await?;
        Ok(revoked)
    });
    revoked.await
}

/// An access token of an app, and whom the app acts for.
#[derive(Clone, Debug, Queryable)]
pub struct AppAccess {
    pub grant_id: Uuid,
    pub scopes: Vec<String>,
    pub expires_at: OffsetDateTime,
    pub game_id: Option<Uuid>,
    pub player_id: Uuid,
    pub handle: String,
    last_used_on: Option<Date>,
}

/// The access token with this hash, unless its grant is revoked. Expiry is for the caller, who has the clock. Notes the day.
pub async fn find_access(
    database: &Database,
    token_hash: &[u8],
    today: Date,
) -> Result<Option<AppAccess>, StoreError> {
    let mut connection = database.get().await?;
    let found = app_tokens::table
        .inner_join(app_grants::table.on(app_grants::id.eq(app_tokens::grant_id)))
        .inner_join(players::table.on(players::id.eq(app_grants::player_id)))
        .filter(app_tokens::token_hash.eq(token_hash))
        .filter(app_tokens::kind.eq(AppTokenKind::Access))
        .filter(app_grants::revoked_at.is_null())
        .select((
            app_tokens::grant_id,
            app_tokens::scopes,
            app_tokens::expires_at,
            app_grants::game_id,
            app_grants::player_id,
            players::handle,
            app_grants::last_used_on,
        ))
        .first::<AppAccess>(&mut connection)
        .await
        .optional()?;
    if let Some(access) = found.as_ref().filter(|access| access.last_used_on < Some(today)) {
        let grant = diesel::update(app_grants::table.find(access.grant_id));
        grant.set(app_grants::last_used_on.eq(today)).execute(&mut connection).await?;
    }
    Ok(found)
}

/// Deletes at most `limit` expired tokens with the grants that have no others and no webhooks, and as many codes that expired before
/// `codes_before`. Returns how many rows.
pub async fn remove_expired(
    database: &Database,
    now: OffsetDateTime,
    codes_before: OffsetDateTime,
    limit: i64,
) -> Result<usize, StoreError> {
    let old_tokens = diesel::alias!(app_tokens as old_tokens);
    let old_codes = diesel::alias!(app_codes as old_codes);
    let mut connection = database.get_for_writing().await?;
    let removed = connection.transaction::<usize, StoreError, _>(async |connection| {
        let expired = old_tokens
            .filter(old_tokens.field(app_tokens::expires_at).le(now))
            .order(old_tokens.field(app_tokens::expires_at))
            .limit(limit)
            .select(old_tokens.field(app_tokens::token_hash));
        let mut touched: Vec<Uuid> =
            diesel::delete(app_tokens::table.filter(app_tokens::token_hash.eq_any(expired)))
                .returning(app_tokens::grant_id)
                .get_results(connection)
                .await?;
        let tokens = touched.len();
        touched.sort_unstable();
        touched.dedup();
        let left = app_tokens::table.filter(app_tokens::grant_id.eq(app_grants::id));
        let over = app_grants::table
            .filter(app_grants::id.eq_any(touched))
            .filter(diesel::dsl::not(diesel::dsl::exists(left)))
            .filter(diesel::dsl::not(diesel::dsl::exists(grants::webhooks_of_it!())));
        diesel::delete(over).execute(connection).await?;
        let expired = old_codes
            .filter(old_codes.field(app_codes::expires_at).le(codes_before))
            .order(old_codes.field(app_codes::expires_at))
            .limit(limit)
            .select(old_codes.field(app_codes::request_id));
        let codes = diesel::delete(app_codes::table.filter(app_codes::request_id.eq_any(expired)));
        Ok(tokens + codes.execute(connection).await?)
    });
    removed.await
}
