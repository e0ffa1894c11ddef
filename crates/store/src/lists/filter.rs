//! Which games a list has.

use serde::Deserialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::GameStatus;

/// The filter of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub whose: Whose,
    pub rules: Option<String>,
    pub hours: Hours,
    /// Only games after this one in the list.
    pub cursor: Option<Uuid>,
    /// Only this game.
    pub only: Option<Uuid>,
    pub order: Order,
}

impl Filter {
    /// Everything that a list has.
    #[must_use]
    pub fn all(whose: Whose) -> Self {
        Self { whose, rules: None, hours: Hours::default(), cursor: None, only: None, order: Order::Newest }
    }
}

/// How many hours a turn has in the games of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hours {
    /// Only games whose turns have at least so many, or no limit.
    pub fewest: Option<i32>,
    /// Only games whose turns have at most so many.
    pub most: Option<i32>,
}

impl Hours {
    pub(super) fn conditions(self) -> String {
        let fewest = " and (g.limit_hours >= {fewest_hours} or g.limit_hours is null)";
        let most = " and g.limit_hours <= {most_hours}";
        [self.fewest.map_or("", |_| fewest), self.most.map_or("", |_| most)].concat()
    }
}

/// The order of a list, by the time at which its games were created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ListOrder)]
pub enum Order {
    #[default]
    Newest,
    Oldest,
}

/// The kinds of lists; each has an index of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Games that the player is in.
    Of(GamesOf),
    /// Games in which the player is to act.
    MyTurn { player_id: Uuid },
    /// Public games with that status.
    Public { status: GameStatus },
    /// Public running games with a seat for a substitute.
    SeatsOffered,
    /// These, which the viewer may see.
    Among { game_ids: Vec<Uuid> },
    /// Those among these that wait for players.
    OpenAmong { game_ids: Vec<Uuid> },
}

/// Which of the games that a player is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamesOf {
    pub player_id: Uuid,
    pub public_only: bool,
    pub status: Option<GameStatus>,
    /// Only those that this player is in, too.
    pub opponent: Option<Uuid>,
    pub outcome: Option<Outcome>,
    /// Only those created at that time or later.
    pub since: Option<OffsetDateTime>,
    /// Only those created before that time.
    pub until: Option<OffsetDateTime>,
}

impl GamesOf {
    /// All games of a player with that status if one is given.
    #[must_use]
    pub fn player(player_id: Uuid, status: Option<GameStatus>) -> Self {
        Self {
            player_id,
            public_only: false,
            status,
            opponent: None,
            outcome: None,
            since: None,
            until: None,
        }
    }
}

/// How a finished game went for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The player has the first place alone.
    Won,
    /// The player shares the first place.
    Drawn,
    Lost,
}

const OPPONENT: &str =
    " and exists (select from game_players o where o.game_id = l.game_id and o.player_id = {opponent})";

/// Of the player's seat. `->` numbers the places from 0, as seats are.
const PLACE: &str = "(g.result::json -> 'places' ->> l.seat::integer)::integer";

/// How many share the first place. After an abort there are no places.
const FIRST: &str = "(select count(*) from json_array_elements_text(case json_typeof(g.result::json -> 'places') \
     when 'array' then g.result::json -> 'places' else '[]' end) as p(place) where p.place = '1')";

impl Outcome {
    fn condition(self) -> String {
        match self {
            Self::Won => format!(" and {PLACE} = 1 and {FIRST} = 1"),
            Self::Drawn => format!(" and {PLACE} = 1 and {FIRST} > 1"),
            Self::Lost => format!(" and {PLACE} > 1"),
        }
    }
}

impl GamesOf {
    pub(super) fn conditions(&self) -> String {
        let if_so = |wanted: bool, condition: &str| if wanted { condition.to_owned() } else { String::new() };
        [
            if_so(self.public_only, " and not g.private"),
            if_so(self.status.is_some(), " and g.status = {status}"),
            if_so(self.opponent.is_some(), OPPONENT),
            if_so(self.since.is_some(), " and g.created_at >= {since}"),
            if_so(self.until.is_some(), " and g.created_at < {until}"),
            self.outcome.map_or(String::new(), Outcome::condition),
        ]
        .concat()
    }
}
