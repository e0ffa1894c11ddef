//! Ladders: list, look at, join, leave, challenge, accept.

use actix_web::{HttpResponse, get, post, web};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::access::{MaybeReader, Participant};
use super::declared::problems;
use super::routes::Routes;
use pippost_accounts::{Accounts, PlayerRequest};
use pippost_games::Games;
use pippost_games::ladders::{self, ListedLadder, ShownLadder};
use pippost_http::Problem;
use pippost_http::peer::Peer;

problems! {
    JoinProblems: EmailNotConfirmed, LadderRefused;
    LadderProblems: LadderRefused;
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(list_ladders)
        .service(show_ladder)
        .service(join_ladder)
        .service(leave_ladder)
        .service(challenge_on_ladder)
        .service(accept_challenge);
}

/// All ladders.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ladders {
    ladders: Vec<ListedLadder>,
}

/// Lists the ladders.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeReader::SCOPE])), responses(
    (status = 200, description = "All.", body = Ladders),
))]
#[get("/ladders")]
pub async fn list_ladders(
    reader: MaybeReader,
    games: web::Data<Games>,
) -> Result<web::Json<Ladders>, Problem> {
    let ladders = ladders::list(&games, reader.player_id()).await?;
    Ok(web::Json(Ladders { ladders }))
}

/// Shows a ladder.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeReader::SCOPE])), params(("rules" = String, Path)), responses(
    (status = 200, description = "The ladder.", body = ShownLadder),
))]
#[get("/ladders/{rules}")]
pub async fn show_ladder(
    reader: MaybeReader,
    games: web::Data<Games>,
    rules: web::Path<String>,
) -> Result<web::Json<ShownLadder>, Problem> {
    Ok(web::Json(ladders::show(&games, &rules, reader.player_id()).await?))
}

/// Joins a ladder, at its bottom.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("rules" = String, Path)), responses(
    (status = 204, description = "You are on it."),
    JoinProblems,
))]
#[post("/ladders/{rules}/join")]
pub async fn join_ladder(
    player: Participant,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    rules: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    accounts.count_request(PlayerRequest::Join, player.player_id, peer.0)?;
    ladders::join(&games, &rules, player.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Leaves a ladder. A game that runs goes on.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("rules" = String, Path)), responses(
    (status = 204, description = "You are off it."),
    LadderProblems,
))]
#[post("/ladders/{rules}/leave")]
pub async fn leave_ladder(
    player: Participant,
    games: web::Data<Games>,
    rules: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    ladders::leave(&games, &rules, player.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Challenges a player at most three places above you.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])),
    params(("rules" = String, Path), ("handle" = String, Path, max_length = 32, example = "ann")), responses(
    (status = 204, description = "The player has seven days to accept; then you have won."),
    LadderProblems,
))]
#[post("/ladders/{rules}/challenges/{handle}")]
pub async fn challenge_on_ladder(
    player: Participant,
    accounts: web::Data<Accounts>,
    peer: Peer,
    games: web::Data<Games>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (rules, handle) = path.into_inner();
    accounts.count_request(PlayerRequest::Join, player.player_id, peer.0)?;
    let challenged = accounts.player_named(&handle).await?;
    ladders::challenge(&games, &rules, player.player_id, challenged.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The game of an accepted challenge.
#[derive(Debug, Serialize, ToSchema)]
pub struct AcceptedChallenge {
    id: Uuid,
}

/// Accepts the challenge of a player.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])),
    params(("rules" = String, Path), ("handle" = String, Path, max_length = 32, example = "ann")), responses(
    (status = 200, description = "The game.", body = AcceptedChallenge),
    LadderProblems,
))]
#[post("/ladders/{rules}/challenges/{handle}/accept")]
pub async fn accept_challenge(
    player: Participant,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    path: web::Path<(String, String)>,
) -> Result<web::Json<AcceptedChallenge>, Problem> {
    let (rules, handle) = path.into_inner();
    let challenger = accounts.player_named(&handle).await?;
    let id = ladders::accept_of(&games, &rules, challenger.id, player.player_id).await?;
    Ok(web::Json(AcceptedChallenge { id }))
}
