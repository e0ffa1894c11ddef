//! The log over all records, as the files of c2sp.org/tlog-tiles. It is for the tools of others, whose specification describes it,
//! and so it is not part of the API.

use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use uuid::Uuid;

use crate::api::access::MaybeReader;
use crate::api::text::TokenText;
use crate::api::{Code, Problem};
use crate::games::Games;
use crate::games::transparency::{self as log, WantedEntry};
use crate::games::viewing::view::Requester;
use crate::log::tiles::Tile;
use crate::store::{Database, transparency};

/// A checkpoint is soon replaced by the next.
const SHORT_LIVED: &str = "public, max-age=1";

/// A tile never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A proof may be of a private game, and the next one has a newer checkpoint.
const NOT_KEPT: &str = "private, no-store";

/// The longest path of a tile, in bytes.
const MAX_PATH_BYTES: usize = 64;

/// Registers the handlers, at the root.
pub fn configure(service: &mut web::ServiceConfig) {
    let at = |path: &str| web::resource(path).default_service(web::to(other_method));
    service.service(at("/log/checkpoint").get(checkpoint));
    service.service(at("/log/key").get(key));
    service.service(at("/log/proof/{id}").get(proof));
    service.service(at("/log/consistency/{old}/{new}").get(consistency));
    service.service(at("/log/tile/{path:.+}").get(tile));
}

#[allow(clippy::unused_async, reason = "handlers are asynchronous")]
async fn other_method(request: HttpRequest) -> Result<HttpResponse, Problem> {
    super::other_method(&request, &["GET", "HEAD", "OPTIONS"])
}

fn missing() -> Problem {
    Problem::new(Code::NotFound).detail("the log has nothing here")
}

async fn checkpoint(database: web::Data<Database>) -> Result<HttpResponse, Problem> {
    let newest = transparency::checkpoint(&database).await?.ok_or_else(missing)?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((CACHE_CONTROL, SHORT_LIVED))
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .body(newest.newest_note().to_owned()))
}

async fn tile(database: web::Data<Database>, path: web::Path<String>) -> Result<HttpResponse, Problem> {
    let tile = Some(path.as_str()).filter(|path| path.len() <= MAX_PATH_BYTES).and_then(Tile::read);
    let bytes = transparency::resource(&database, &tile.ok_or_else(missing)?).await?.ok_or_else(missing)?;
    Ok(HttpResponse::Ok()
        .content_type("application/octet-stream")
        .insert_header((CACHE_CONTROL, FOR_EVER))
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .body(bytes))
}

/// The key by which checkpoints are verified.
async fn key(games: web::Data<Games>) -> Result<HttpResponse, Problem> {
    let key = log::verifier_key(&games).await?.ok_or_else(missing)?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((CACHE_CONTROL, SHORT_LIVED))
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .body(key + "\n"))
}

/// Which entry of a game is to be proved: the newest, or the one with that number. Whoever names its hash needs no right to see the
/// game.
#[derive(Debug, Deserialize)]
struct ProofQuery {
    seq: Option<u64>,
    hash: Option<crate::record::Hash>,
    token: Option<TokenText>,
}

/// A proof that the log has an entry of a game (c2sp.org/tlog-proof).
async fn proof(
    account: MaybeReader,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    query: web::Query<ProofQuery>,
) -> Result<HttpResponse, Problem> {
    let ProofQuery { seq, hash, token } = query.into_inner();
    let requester = Requester { player_id: account.player_id(), token: token.map(Into::into) };
    let entry = WantedEntry { seq: seq.map(Into::into), hash };
    let proof = log::proof(&games, *id, &requester, entry).await?;
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((CACHE_CONTROL, NOT_KEPT))
        .body(proof.text()))
}

/// The proof that the log of `new` entries continues that of `old`: a hash in base64 a line, for those who compare two checkpoints.
async fn consistency(games: web::Data<Games>, sizes: web::Path<(u64, u64)>) -> Result<HttpResponse, Problem> {
    let (old, new) = sizes.into_inner();
    let newest = log::newest(&games).await?.filter(|newest| 0 < old && old < new && new <= newest.size());
    let _has_both = newest.ok_or_else(missing)?;
    let proof = log::consistency(&games, old, new).await?.ok_or_else(missing)?;
    let lines: String = proof.iter().map(|hash| crate::log::base64(hash) + "\n").collect();
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((CACHE_CONTROL, FOR_EVER))
        .insert_header((ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .body(lines))
}
