//! Lists of games, and a player's dashboard: the next game, invitations.

use actix_web::{HttpRequest, HttpResponse, delete, get, web};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::refusals::{DeclineProblems, ListProblems};
use crate::access::{MaybeLister, Participant, Reader};
use pippost_accounts::Accounts;
use pippost_clock::control::MAX_LIMIT_HOURS;
use pippost_games::lobby::inviting::{self, ReceivedInvitation};
use pippost_games::lobby::listing::{self, GamePage, ListedGame, MAX_PAGE};
use pippost_games::week::KnownWeek;
use pippost_games::{Games, following, lobby};
use pippost_http::conditional::EntityTag;
use pippost_http::text::RulesName;
use pippost_http::{Code, Problem};
use pippost_record::record::Timestamp;
use pippost_store::GameStatus;
use pippost_store::lists::{Filter, GamesOf, Hours, Order, Outcome, Whose};

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
    Following,
    Favourites,
    Week,
}

/// Declares the queries of both lists from the members that they share.
macro_rules! list_queries {
    (
        $(#[$doc:meta])* $all:ident { $(#[$list_doc:meta])* $list:ident: $list_type:ty }
        $(#[$of_doc:meta])* $of_player:ident;
        $($(#[$meta:meta])* $member:ident: $type:ty,)+
    ) => {
        $(#[$doc])*
        #[derive(Debug, Deserialize, IntoParams)]
        #[serde(deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub struct $all {
            $(#[$list_doc])* pub $list: $list_type,
            $($(#[$meta])* pub $member: $type,)+
        }

        $(#[$of_doc])*
        #[derive(Debug, Deserialize, IntoParams)]
        #[serde(deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub struct $of_player {
            $($(#[$meta])* pub $member: $type,)+
        }

        impl From<$of_player> for $all {
            fn from(query: $of_player) -> Self {
                Self { $list: ListName::Mine, $($member: query.$member,)+ }
            }
        }
    };
}

list_queries! {
    /// Which games to list.
    ListQuery {
        /// `my_turn`: games that wait for you. `mine`: all games that you are in. `open`, `running`, `finished`: public games.
        /// `seats_offered`: public running games with a seat that a substitute can take. `following`: public games of those whom you
        /// follow, running or over for a week at most. `favourites`: those that you have marked. `week`: the games of the week.
        /// `rules`, `order` and `cursor` are for each of them, what else narrows a list for `mine` alone.
        #[serde(default)]
        list: ListName
    }
    /// Which games of a player to list.
    PlayersGamesQuery;

    /// Only games of this rule set.
    rules: Option<RulesName>,
    /// Only games with this status.
    status: Option<GameStatus>,
    /// Only games with this player, too: a handle.
    #[param(max_length = 32)]
    opponent: Option<String>,
    /// Only games that went so for the player whose games these are.
    outcome: Option<Outcome>,
    /// Only games whose turns have so many hours or more, or no limit.
    #[param(minimum = 1, maximum = 1440)]
    min_limit_hours: Option<i32>,
    /// Only games whose turns have at most so many hours.
    #[param(minimum = 1, maximum = 1440)]
    max_limit_hours: Option<i32>,
    /// Only games that were created then or later.
    #[param(format = DateTime)]
    since: Option<String>,
    /// Only games that were created before.
    #[param(format = DateTime)]
    until: Option<String>,
    /// By creation.
    #[serde(default)]
    #[param(value_type = Option<Order>, default = "newest")]
    order: Order,
    /// `next_cursor` of the page before.
    cursor: Option<Uuid>,
    /// The most entries.
    #[serde(default = "default_page")]
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: u16,
}

impl ListQuery {
    /// Refuses what narrows the games of one player alone.
    fn expect_general(&self) -> Result<(), Problem> {
        let given = [
            ("status", self.status.is_some()),
            ("opponent", self.opponent.is_some()),
            ("outcome", self.outcome.is_some()),
            ("min_limit_hours", self.min_limit_hours.is_some()),
            ("max_limit_hours", self.max_limit_hours.is_some()),
            ("since", self.since.is_some()),
            ("until", self.until.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((field, _)) => Err(invalid(field, "with `list=mine` only, or for the games of a player")),
            None => Ok(()),
        }
    }

    /// The games of a player that it names.
    async fn games_of(
        &self,
        accounts: &Accounts,
        player_id: Uuid,
        public_only: bool,
    ) -> Result<Whose, Problem> {
        let opponent = match &self.opponent {
            Some(handle) => Some(accounts.player_named(handle).await?.id),
            None => None,
        };
        let bounds = [("min_limit_hours", self.min_limit_hours), ("max_limit_hours", self.max_limit_hours)];
        for (field, hours) in bounds {
            if hours.is_some_and(|hours| !(1..=MAX_LIMIT_HOURS).contains(&hours)) {
                return Err(invalid(field, &format!("1 to {MAX_LIMIT_HOURS}")));
            }
        }
        Ok(Whose::Of(GamesOf {
            player_id,
            public_only,
            status: self.status,
            opponent,
            outcome: self.outcome,
            since: time("since", self.since.as_deref())?,
            until: time("until", self.until.as_deref())?,
        }))
    }

    /// The page of that list.
    async fn answer(
        self,
        request: &HttpRequest,
        games: &Games,
        account: &MaybeLister,
        whose: Whose,
    ) -> Result<HttpResponse, Problem> {
        if !(1..=MAX_PAGE).contains(&self.limit) {
            return Err(invalid("limit", &format!("1 to {MAX_PAGE}")));
        }
        let Self { rules, cursor, order, limit, .. } = self;
        let hours = Hours { fewest: self.min_limit_hours, most: self.max_limit_hours };
        let rules = rules.map(Into::into);
        let filter = Filter { whose, rules, hours, cursor, only: account.only_game(), order };
        let mut page = lobby::list(games, &filter, account.player_id(), limit).await?;
        let tag = EntityTag::of(&[&page.without_seconds()]);
        Ok(tag.respond(request, |mut answer| answer.json(page)))
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

/// Lists games.
///
/// A token for one game lists that game alone.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeLister::SCOPE])), params(ListQuery), responses(
    (status = 200, description = "A page of games.", body = GamePage),
    (status = 304, description = "You have it already, but for the seconds left."),
    ListProblems,
))]
#[get("/games")]
pub async fn list_games(
    request: HttpRequest,
    account: MaybeLister,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    week: web::Data<KnownWeek>,
    query: web::Query<ListQuery>,
) -> Result<HttpResponse, Problem> {
    let query = query.into_inner();
    let mine = || account.player_id().ok_or_else(|| Problem::new(Code::Unauthenticated));
    if query.list != ListName::Mine {
        query.expect_general()?;
    }
    let whose = match query.list {
        ListName::Mine => query.games_of(&accounts, mine()?, false).await?,
        ListName::MyTurn => Whose::MyTurn { player_id: mine()? },
        ListName::Open => Whose::Public { status: GameStatus::Open },
        ListName::Running => Whose::Public { status: GameStatus::Running },
        ListName::SeatsOffered => Whose::SeatsOffered,
        ListName::Finished => Whose::Public { status: GameStatus::Finished },
        ListName::Following => Whose::Among { game_ids: following::of_followed(&games, mine()?).await? },
        ListName::Favourites => Whose::Among { game_ids: following::favourites(&games, mine()?).await? },
        ListName::Week => Whose::Among { game_ids: week.ids(&games).await? },
    };
    query.answer(&request, &games, &account, whose).await
}

/// Lists the public games of a player.
#[utoipa::path(tag = "games", security((), ("token" = [MaybeLister::SCOPE])),
    params(("handle" = String, Path, max_length = 32, example = "ann"), PlayersGamesQuery), responses(
    (status = 200, description = "A page of games.", body = GamePage),
    (status = 304, description = "You have it already, but for the seconds left."),
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
    let query = ListQuery::from(query.into_inner());
    let player = accounts.player_named(&handle).await?;
    let whose = query.games_of(&accounts, player.id, true).await?;
    query.answer(&request, &games, &account, whose).await
}

/// The game to look at next.
#[derive(Debug, Serialize, ToSchema)]
pub struct NextGame {
    /// Null if no game waits for you.
    pub game: Option<ListedGame>,
}

/// Shows the game that waits for you most urgently.
///
/// The one with the first deadline, else that which has waited longest.
#[utoipa::path(tag = "games", security(("token" = [Reader::SCOPE])), responses(
    (status = 200, description = "The game.", body = NextGame),
))]
#[get("/me/next")]
pub async fn next_game(reader: Reader, games: web::Data<Games>) -> Result<web::Json<NextGame>, Problem> {
    let player_id = reader.player_id;
    let Some(next) = listing::next(&games, player_id).await? else {
        return Ok(web::Json(NextGame { game: None }));
    };
    // Gone from the list again, if the player has moved meanwhile.
    let filter = Filter { only: Some(next), ..Filter::all(Whose::MyTurn { player_id }) };
    let page = lobby::list(&games, &filter, Some(player_id), 1).await?;
    Ok(web::Json(NextGame { game: page.games.into_iter().next() }))
}

/// The invitations of a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invitations {
    pub invitations: Vec<ReceivedInvitation>,
}

/// Lists the invitations that wait for your answer, newest first.
///
/// At most a hundred, to games that wait and that you have not joined.
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
