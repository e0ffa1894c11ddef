//! Lists of games, and a player's dashboard: the next game, invitations.

use actix_web::{HttpRequest, HttpResponse, delete, get, web};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::refusals::{DeclineProblems, ListProblems};
use crate::access::{MaybeLister, Participant, Reader};
use pippost_accounts::{AccountError, Accounts, Handle};
use pippost_clock::control::MAX_LIMIT_HOURS;
use pippost_games::lobby::inviting::{self, ReceivedInvitation};
use pippost_games::lobby::listing::{self, GamePage, ListedGame, MAX_PAGE};
use pippost_games::{Games, lobby};
use pippost_http::conditional::EntityTag;
use pippost_http::text::RulesName;
use pippost_http::{Code, Problem};
use pippost_record::record::Timestamp;
use pippost_store::GameStatus;
use pippost_store::lists::{Filter, GamesOf, Order, Outcome, Whose};

/// The available lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListName {
    Mine,
    MyTurn,
    #[default]
    Open,
    Running,
    Finished,
    SeatsOffered,
}

/// How a finished game went for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Outcome)]
pub enum OutcomeName {
    Won,
    Drawn,
    Lost,
}

impl From<OutcomeName> for Outcome {
    fn from(name: OutcomeName) -> Self {
        match name {
            OutcomeName::Won => Self::Won,
            OutcomeName::Drawn => Self::Drawn,
            OutcomeName::Lost => Self::Lost,
        }
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListOrder {
    #[default]
    Newest,
    Oldest,
}

/// Declares the queries of lists. What all have is described once.
macro_rules! list_queries {
    ($($(#[$doc:meta])* $name:ident { $($(#[$own_doc:meta])* $own:ident: $own_type:ty,)* })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Deserialize, IntoParams)]
        #[serde(deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub struct $name {
            $($(#[$own_doc])* pub $own: $own_type,)*
            /// Only games of this rule set.
            pub rules: Option<RulesName>,
            /// Only games with this status.
            pub status: Option<GameStatus>,
            /// Only games with this player, too: a handle.
            #[param(max_length = 32)]
            pub opponent: Option<String>,
            /// Only games that went so for the player whose games these are.
            #[param(value_type = Option<OutcomeName>)]
            pub outcome: Option<OutcomeName>,
            /// Only games whose turns have so many hours or more, or no limit.
            #[param(minimum = 1, maximum = 1440)]
            pub min_limit_hours: Option<i32>,
            /// Only games whose turns have at most so many hours.
            #[param(minimum = 1, maximum = 1440)]
            pub max_limit_hours: Option<i32>,
            /// Only games that were created then or later.
            #[param(value_type = Option<String>, format = DateTime)]
            pub since: Option<String>,
            /// Only games that were created before.
            #[param(value_type = Option<String>, format = DateTime)]
            pub until: Option<String>,
            /// By creation.
            #[serde(default)]
            #[param(value_type = Option<ListOrder>, default = "newest")]
            pub order: ListOrder,
            /// `next_cursor` of the page before.
            pub cursor: Option<Uuid>,
            /// Games on a page.
            #[serde(default = "default_page")]
            #[param(minimum = 1, maximum = 100, default = 20)]
            pub limit: u16,
        }

        impl $name {
            /// What narrows the list, apart from whose it is.
            fn narrowing(&self) -> Narrowing<'_> {
                Narrowing {
                    rules: self.rules.as_deref(),
                    status: self.status,
                    opponent: self.opponent.as_deref(),
                    outcome: self.outcome,
                    hours: (self.min_limit_hours, self.max_limit_hours),
                    since: self.since.as_deref(),
                    until: self.until.as_deref(),
                    order: self.order,
                    cursor: self.cursor,
                    limit: self.limit,
                }
            }
        }
    )+};
}

list_queries! {
    /// Which games to list.
    ListQuery {
        /// `my_turn`: games that wait for you. `mine`: all games that you are in. `open`, `running`, `finished`: public games.
        /// `seats_offered`: public running games with a seat that a substitute can take. `rules`, `order` and `cursor` are for each of
        /// them, what else narrows a list for `mine` alone.
        #[serde(default)]
        list: ListName,
    }
    /// Which games of a player to list.
    PlayersGamesQuery {}
}

/// What narrows a list.
struct Narrowing<'a> {
    rules: Option<&'a str>,
    status: Option<GameStatus>,
    opponent: Option<&'a str>,
    outcome: Option<OutcomeName>,
    hours: (Option<i32>, Option<i32>),
    since: Option<&'a str>,
    until: Option<&'a str>,
    order: ListOrder,
    cursor: Option<Uuid>,
    limit: u16,
}

impl Narrowing<'_> {
    /// Refuses what narrows the games of one player alone.
    fn expect_general(&self) -> Result<(), Problem> {
        let given = [
            ("status", self.status.is_some()),
            ("opponent", self.opponent.is_some()),
            ("outcome", self.outcome.is_some()),
            ("min_limit_hours", self.hours.0.is_some()),
            ("max_limit_hours", self.hours.1.is_some()),
            ("since", self.since.is_some()),
            ("until", self.until.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((field, _)) => Err(invalid(field, "with `list=mine` only, or for the games of a player")),
            None => Ok(()),
        }
    }

    /// The games of a player that it names.
    async fn of(&self, accounts: &Accounts, player_id: Uuid, public_only: bool) -> Result<Whose, Problem> {
        let opponent = match self.opponent {
            Some(handle) => Some(player(accounts, handle).await?),
            None => None,
        };
        let (fewest_hours, most_hours) = self.hours;
        for (field, hours) in [("min_limit_hours", fewest_hours), ("max_limit_hours", most_hours)] {
            if hours.is_some_and(|hours| !(1..=MAX_LIMIT_HOURS).contains(&hours)) {
                return Err(invalid(field, &format!("1 to {MAX_LIMIT_HOURS}")));
            }
        }
        Ok(Whose::Of(GamesOf {
            player_id,
            public_only,
            status: self.status,
            opponent,
            outcome: self.outcome.map(Into::into),
            most_hours,
            fewest_hours,
            since: time("since", self.since)?,
            until: time("until", self.until)?,
        }))
    }

    fn filter(&self, whose: Whose, only: Option<Uuid>) -> Result<Filter, Problem> {
        if !(1..=MAX_PAGE).contains(&self.limit) {
            return Err(invalid("limit", &format!("1 to {MAX_PAGE}")));
        }
        Ok(Filter {
            whose,
            rules: self.rules.map(str::to_owned),
            cursor: self.cursor,
            only,
            order: match self.order {
                ListOrder::Newest => Order::Newest,
                ListOrder::Oldest => Order::Oldest,
            },
        })
    }
}

fn default_page() -> u16 {
    20
}

fn invalid(field: &str, why: &str) -> Problem {
    Problem::new(Code::InvalidValue).detail(format!("{field}: {why}")).with("field", field)
}

fn time(field: &str, given: Option<&str>) -> Result<Option<OffsetDateTime>, Problem> {
    let read = |text| Timestamp::read(text).map(Timestamp::get).ok_or("a time as in 2026-12-27T18:00:00Z");
    given.map(read).transpose().map_err(|why| invalid(field, why))
}

async fn player(accounts: &Accounts, handle: &str) -> Result<Uuid, AccountError> {
    let handle = Handle::parse(handle).map_err(|_| AccountError::NotFound)?;
    Ok(accounts.player(&handle).await?.id)
}

/// Lists games.
///
/// A token for one game lists that game alone.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeLister::SCOPE])), params(ListQuery), responses(
    (status = 200, description = "A page of games.", body = GamePage),
    (status = 304, description = "You have it already; only the seconds left may be others."),
    ListProblems,
))]
#[get("/games")]
pub async fn list_games(
    request: HttpRequest,
    account: MaybeLister,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    query: web::Query<ListQuery>,
) -> Result<HttpResponse, Problem> {
    let player_id = account.player_id();
    let mine = || player_id.ok_or_else(|| Problem::new(Code::Unauthenticated));
    let narrowing = query.narrowing();
    let whose = if query.list == ListName::Mine {
        narrowing.of(&accounts, mine()?, false).await?
    } else {
        narrowing.expect_general()?;
        match query.list {
            ListName::Mine | ListName::MyTurn => Whose::MyTurn { player_id: mine()? },
            ListName::Open => Whose::Public { status: GameStatus::Open },
            ListName::Running => Whose::Public { status: GameStatus::Running },
            ListName::SeatsOffered => Whose::SeatsOffered,
            ListName::Finished => Whose::Public { status: GameStatus::Finished },
        }
    };
    let filter = narrowing.filter(whose, account.only_game())?;
    answer(&request, &games, &filter, player_id, query.limit).await
}

/// Lists the public games of a player.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeLister::SCOPE])),
    params(("handle" = String, Path, max_length = 32, example = "ann"), PlayersGamesQuery), responses(
    (status = 200, description = "A page of games.", body = GamePage),
    (status = 304, description = "You have it already; only the seconds left may be others."),
    ListProblems,
))]
#[get("/players/{handle}/games")]
pub async fn list_games_of_player(
    request: HttpRequest,
    account: MaybeLister,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    handle: web::Path<String>,
    query: web::Query<PlayersGamesQuery>,
) -> Result<HttpResponse, Problem> {
    let narrowing = query.narrowing();
    let whose = narrowing.of(&accounts, player(&accounts, &handle).await?, true).await?;
    let filter = narrowing.filter(whose, account.only_game())?;
    answer(&request, &games, &filter, account.player_id(), query.limit).await
}

async fn answer(
    request: &HttpRequest,
    games: &Games,
    filter: &Filter,
    viewer: Option<Uuid>,
    limit: u16,
) -> Result<HttpResponse, Problem> {
    let mut page = lobby::list(games, filter, viewer, limit).await?;
    let tag = EntityTag::of(&[&page.without_seconds()]);
    Ok(tag.respond(request, |mut answer| answer.json(page)))
}

/// The game to look at next.
#[derive(Debug, Serialize, ToSchema)]
pub struct NextGame {
    /// Null if no game waits for you.
    pub game: Option<ListedGame>,
}

/// Shows the game that waits for you most urgently.
///
/// The one with the first deadline; of those without one that which has waited longest.
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "The game.", body = NextGame),
))]
#[get("/me/next")]
pub async fn next_game(reader: Reader, games: web::Data<Games>) -> Result<web::Json<NextGame>, Problem> {
    Ok(web::Json(NextGame { game: listing::next(&games, reader.player_id).await? }))
}

/// The invitations of a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invitations {
    pub invitations: Vec<ReceivedInvitation>,
}

/// Lists the invitations that wait for your answer, newest first.
///
/// At most a hundred; those to games that you have joined, or that have started or ended, are gone.
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "The invitations.", body = Invitations),
))]
#[get("/me/invitations")]
pub async fn list_invitations(
    reader: Reader,
    games: web::Data<Games>,
) -> Result<web::Json<Invitations>, Problem> {
    Ok(web::Json(Invitations { invitations: inviting::received(&games, reader.player_id).await? }))
}

/// Declines an invitation. The inviter is not told.
#[utoipa::path(tag = "games", security(("token" = [Participant::SCOPE])), params(("id" = Uuid, Path, description = "The game.")), responses(
    (status = 204, description = "It is declined."),
    DeclineProblems,
))]
#[delete("/me/invitations/{id}")]
pub async fn decline_invitation(
    player: Participant,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    inviting::decline(&games, *id, player.player_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
