//! A game as one viewer sees it, before, during and after play.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::GameError;
use crate::memory::live::{LiveGame, Turn, control_of};
use crate::memory::version_check;
use crate::viewing::clock_view::ClockView;
use crate::viewing::offered::{OfferedSeat, offered_seats};
use crate::viewing::visibility;
use crate::{Games, reliability};
use pippost_clock::TimeControl;
use pippost_clock::log::reliability::Reliability;
use pippost_keys::Purpose;
use pippost_record::record::{GameResult, Hash, Seating, Table, Timestamp};
use pippost_record::rules::schema::{RuleSetOptions, RuleSetView};
use pippost_record::rules::{self, RuleSet, Seat, Viewer};
use pippost_store::games::{self, GameRow, StoredSeating, WholeGame};
use pippost_store::{BeaconRound, GameStatus, Seq};

/// A player of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerView {
    pub handle: String,
    /// The seat; null before the start. Seats are numbered in order of play.
    pub seat: Option<u8>,
    /// The player's share of the game's chance.
    pub entropy: String,
    /// True once the player has resigned or run out of time.
    pub left: bool,
    /// True if a program plays on this account.
    pub bot: bool,
    /// How reliable the player is; null once the game has started, and in the answer that creates it.
    pub reliability: Option<Reliability>,
}

/// A game as one viewer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameView {
    pub id: Uuid,
    pub rules: &'static str,
    pub rules_version: u32,
    /// The rule set's title.
    pub title: &'static str,
    pub game_title: Option<String>,
    /// All options, including defaults.
    #[schema(value_type = RuleSetOptions)]
    pub options: Box<RawValue>,
    pub seating: Seating,
    pub status: GameStatus,
    pub private: bool,
    /// The number of players of the game.
    pub seats: u8,
    /// In joining order.
    pub players: Vec<PlayerView>,
    /// Hours for each turn, as in `time_control`; null: no limit.
    pub limit_hours: Option<i32>,
    /// The time that players have, and what of their calendars counts.
    pub time_control: TimeControl,
    /// Whether a seat that is given up may be taken by a substitute.
    pub substitutes: bool,
    /// The seats that a substitute can take now.
    pub offered_seats: Vec<OfferedSeat>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// When it is cancelled, if it has not started; null once it has, or if that never happens.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// SHA-256 that commits the server to the game's chance since the game's creation.
    pub commitment: Hash,
    /// The round of the public beacon in the game's chance; null without one.
    #[schema(value_type = Option<u64>)]
    pub beacon_round: Option<BeaconRound>,
    /// The last event in this view; null before the start.
    #[schema(value_type = Option<u64>)]
    pub seq: Option<Seq>,
    /// The hash of that event.
    pub head: Option<Hash>,
    /// Your seat; null for spectators and before the start.
    pub my_seat: Option<u8>,
    /// The seat to act; null if there is none.
    pub to_act: Option<u8>,
    /// True if it is your turn.
    pub my_turn: bool,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub turn_since: Option<Timestamp>,
    /// The deadline of the seat to act; null without a limit.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deadline_at: Option<Timestamp>,
    /// Seconds until the deadline, with time that does not count; `clock` of the game tells it.
    pub time_left_seconds: Option<i64>,
    /// What the deadline is made of; null if no clock runs.
    pub clock: Option<ClockView>,
    /// The view of the rules, as on the rule set's page; null before the start.
    #[schema(value_type = Option<RuleSetView>)]
    pub view: Option<Box<RawValue>>,
    /// The members of the `finished` effect; null before the end.
    pub result: Option<GameResult>,
    /// The invitation token of a private game, for its players, before the start and while a seat is offered.
    pub invitation: Option<String>,
    /// The URL of the game's page.
    pub page: String,
}

impl GameView {
    /// The view as JSON, as it is sent.
    pub(crate) fn text(&self) -> Box<RawValue> {
        to_raw_value(self).expect("plain data")
    }

    /// Adds the turn's times, as `viewer` sees them at `now`.
    pub(crate) fn add_turn(
        &mut self,
        turn: Option<Turn>,
        clock: Option<ClockView>,
        viewer: Viewer,
        now: OffsetDateTime,
    ) {
        self.clock = clock;
        self.to_act = turn.map(|turn| turn.seat.0);
        self.my_turn = turn.is_some_and(|turn| viewer.is(turn.seat));
        self.turn_since = turn.map(|turn| Timestamp::new(turn.since));
        let deadline_at = turn.and_then(|turn| turn.deadline_at);
        self.deadline_at = deadline_at.map(Timestamp::new);
        self.time_left_seconds = deadline_at.map(|deadline| seconds_left(deadline, now));
    }
}

/// Who asks to see a game: an account, the holder of a link, both, or nobody known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requester {
    pub player_id: Option<Uuid>,
    /// An invitation token, or the token of the link in a mail.
    pub token: Option<String>,
}

impl Requester {
    /// An account without a link.
    #[must_use]
    pub fn player(player_id: Uuid) -> Self {
        Self { player_id: Some(player_id), token: None }
    }
}

/// A player whose seat in a started game was checked. Only [`claim_seat`] makes one, so nobody acts without that check.
#[derive(Clone, Debug)]
pub struct SeatClaim {
    pub(crate) game_id: Uuid,
    pub(crate) seat: Seat,
    pub(crate) player_id: Uuid,
}

impl SeatClaim {
    #[must_use]
    pub fn game_id(&self) -> Uuid {
        self.game_id
    }

    #[must_use]
    pub fn player_id(&self) -> Uuid {
        self.player_id
    }

    /// Checks that the player is still in the seat, and no substitute.
    pub(crate) fn check(&self, live: &LiveGame) -> Result<(), GameError> {
        if live.fixed.players.get(self.seat.index()) == Some(&self.player_id) {
            return Ok(());
        }
        Err(if live.fixed.private { GameError::NotFound } else { GameError::NotJoined })
    }
}

/// Checks that a player has a seat in a started game.
///
/// # Errors
/// No such game for this player, not started, or the player has no seat in it.
pub async fn claim_seat(games: &Games, game_id: Uuid, player_id: Uuid) -> Result<SeatClaim, GameError> {
    let claim = |live: Arc<LiveGame>| {
        let seat = live.fixed.seat_of(player_id)?;
        Some(SeatClaim { game_id, seat, player_id })
    };
    if let Some(claim) = games.inner.cache.peek(game_id).and_then(claim) {
        return Ok(claim);
    }
    visibility::expect_visible(games, game_id, &Requester::player(player_id)).await?;
    // Boxed, because both are rare and large.
    let live = Box::pin(remembered(games, game_id, player_id)).await?;
    if let Some(claim) = claim(live) {
        return Ok(claim);
    }
    // Another process may have seated a substitute since.
    let newest = Box::pin(version_check::current(games, game_id)).await?;
    newest.and_then(claim).ok_or(GameError::NotJoined)
}

/// A started game from the cache, possibly stale, or from the database.
async fn remembered(games: &Games, game_id: Uuid, player_id: Uuid) -> Result<Arc<LiveGame>, GameError> {
    if let Some(live) = games.inner.cache.peek(game_id) {
        return Ok(live);
    }
    let mut slot = games.inner.cache.lock(game_id).await;
    if let Some(live) = slot.get() {
        return Ok(live);
    }
    let whole = games::load(&games.database, game_id).await?.ok_or(GameError::NotFound)?;
    if whole.state.is_none() {
        view_lobby(games, &whole, &Requester::player(player_id))?;
        return Err(GameError::NotStarted);
    }
    let live = Arc::new(LiveGame::restore(&whole, &games.inner.secret)?);
    games.inner.cache.put(&mut slot, Arc::clone(&live));
    Ok(live)
}

/// A started game from the database.
pub(crate) async fn load_live(games: &Games, game_id: Uuid) -> Result<Arc<LiveGame>, GameError> {
    let whole = games::load(&games.database, game_id).await?.ok_or(GameError::NotFound)?;
    Ok(Arc::new(LiveGame::restore(&whole, &games.inner.secret)?))
}

/// A game as it is now.
pub(crate) enum Newest {
    Started(Arc<LiveGame>),
    /// It has not started, or was abandoned before.
    Waiting(Box<WholeGame>),
}

/// A game as it is now. One that starts between the two reads has started.
pub(crate) async fn newest(games: &Games, game_id: Uuid) -> Result<Newest, GameError> {
    if let Some(live) = version_check::current(games, game_id).await? {
        return Ok(Newest::Started(live));
    }
    // Boxed, because it is rare and would enlarge the future of every view.
    let whole = Box::pin(games::load(&games.database, game_id)).await?.ok_or(GameError::NotFound)?;
    if whole.state.is_some() {
        return Ok(Newest::Started(Arc::new(LiveGame::restore(&whole, &games.inner.secret)?)));
    }
    Ok(Newest::Waiting(Box::new(whole)))
}

/// The current game as `requester` may see it.
///
/// # Errors
/// There is no such game for this requester.
pub async fn view(games: &Games, game_id: Uuid, requester: &Requester) -> Result<GameView, GameError> {
    visibility::expect_visible(games, game_id, requester).await?;
    match newest(games, game_id).await? {
        Newest::Started(live) => {
            let viewer = viewer(games, &live, requester)?;
            Ok(view_live(games, &live, viewer))
        }
        Newest::Waiting(whole) => view_waiting(games, &whole, requester).await,
    }
}

/// The view of a game that has not started, with how reliable those are who have joined.
///
/// # Errors
/// There is no such game for this requester, or the database failed.
pub(crate) async fn view_waiting(
    games: &Games,
    whole: &WholeGame,
    requester: &Requester,
) -> Result<GameView, GameError> {
    let mut view = view_lobby(games, whole, requester)?;
    let handles = view.players.iter().map(|player| player.handle.clone()).collect();
    let known = reliability::of_players(games, &handles).await?;
    for player in &mut view.players {
        player.reliability = Some(known.get(&player.handle).copied().unwrap_or_default());
    }
    Ok(view)
}

/// A started game that `requester` may see, and the viewer to show it to.
pub(crate) async fn started_for(
    games: &Games,
    game_id: Uuid,
    requester: &Requester,
) -> Result<(Arc<LiveGame>, Viewer), GameError> {
    visibility::expect_visible(games, game_id, requester).await?;
    match newest(games, game_id).await? {
        Newest::Started(live) => {
            let viewer = viewer(games, &live, requester)?;
            Ok((live, viewer))
        }
        Newest::Waiting(whole) => {
            view_lobby(games, &whole, requester)?;
            Err(GameError::NotStarted)
        }
    }
}

pub(crate) fn viewer(games: &Games, live: &LiveGame, requester: &Requester) -> Result<Viewer, GameError> {
    match requester.player_id.and_then(|player_id| live.fixed.seat_of(player_id)) {
        Some(seat) => Ok(Viewer::Seat(seat)),
        // A link may have been passed on: it opens a private game and shows nothing that only the player may see.
        None if live.fixed.private && !opens(games, live, requester.token.as_deref()) => {
            Err(GameError::NotFound)
        }
        None => Ok(Viewer::Spectator),
    }
}

/// Whether a token opens a private game: that of a link in a mail, or an invitation while a seat is offered.
fn opens(games: &Games, live: &LiveGame, token: Option<&str>) -> bool {
    let invites = || !offered_seats(live, live.chronicle.table()).is_empty();
    let invited = token.is_some_and(|token| is_invitation(games, live.fixed.id, token));
    seat_of_token(games, live, token).is_some() || (invited && invites())
}

/// The token of the link in a mail: it shows a game after event `seq` to one of its players without a login, and ends with
/// the next event.
#[must_use]
pub fn look_token(games: &Games, game_id: Uuid, player_id: Uuid, seq: Seq) -> String {
    games.inner.secret.link_token(Purpose::Look, look_id(game_id, player_id, seq))
}

fn seat_of_token(games: &Games, live: &LiveGame, token: Option<&str>) -> Option<Seat> {
    let id = games.inner.secret.read_link_token(Purpose::Look, token?)?;
    let is_of = |player: &Uuid| look_id(live.fixed.id, *player, live.seq()) == id;
    let index = live.fixed.players.iter().position(is_of)?;
    u8::try_from(index).ok().map(Seat)
}

/// A started game as one requester may see it, at one position: what belongs together is made from the same one.
pub struct Look {
    pub(crate) live: Arc<LiveGame>,
    pub(crate) viewer: Viewer,
}

/// Looks at a started game.
///
/// # Errors
/// No such game for this requester, or not started.
pub async fn look(games: &Games, game_id: Uuid, requester: &Requester) -> Result<Look, GameError> {
    let (live, viewer) = started_for(games, game_id, requester).await?;
    Ok(Look { live, viewer })
}

impl Look {
    /// The game as the viewer sees it.
    #[must_use]
    pub fn view(&self, games: &Games) -> GameView {
        view_live(games, &self.live, self.viewer)
    }

    /// The player to whose mail a link belongs, with the seat; `None` if the link is not valid or has ended.
    #[must_use]
    pub fn player_of_link(&self, games: &Games, token: Option<&str>) -> Option<(Uuid, Seat)> {
        let seat = seat_of_token(games, &self.live, token)?;
        Some((self.live.fixed.players.get(seat.index()).copied()?, seat))
    }
}

/// The view of a started game for `viewer`.
pub(crate) fn view_live(games: &Games, live: &LiveGame, viewer: Viewer) -> GameView {
    let chronicle = &live.chronicle;
    let mut view = view_table(games, live, chronicle.table(), viewer);
    view.seq = Some(live.seq());
    view.head = Some(chronicle.head());
    view.finished_at = live.finished_at.map(Timestamp::new);
    view.add_turn(live.turn, ClockView::of(live), viewer, games.inner.clock.now());
    view.my_turn &= !live.is_asked_seat_vacant();
    view.offered_seats = offered_seats(live, chronicle.table());
    let invites = live.fixed.private && !view.offered_seats.is_empty() && view.my_seat.is_some();
    view.invitation = invites.then(|| invitation(games, live.fixed.id));
    view
}

/// The view at any position, without seq, head and times of the turn.
pub(crate) fn view_table(games: &Games, live: &LiveGame, table: &Table, viewer: Viewer) -> GameView {
    let fixed = &live.fixed;
    let header = &fixed.header;
    let players = header.players.iter().enumerate().map(|(joined, player)| {
        let seat = table.order().iter().position(|index| usize::from(*index) == joined);
        let seat = seat.and_then(|seat| u8::try_from(seat).ok());
        PlayerView {
            handle: seat.map_or(&player.name, |seat| &fixed.names[usize::from(seat)]).clone(),
            seat,
            entropy: player.entropy.clone(),
            left: seat.is_some_and(|seat| table.has_left(Seat(seat))),
            bot: seat.is_some_and(|seat| fixed.is_bot(Seat(seat))),
            reliability: None,
        }
    });
    let status = if table.result().is_some() { GameStatus::Finished } else { GameStatus::Running };
    GameView {
        id: fixed.id,
        rules: fixed.rules.name(),
        rules_version: header.rules_version,
        title: fixed.rules.title(),
        game_title: fixed.title.clone(),
        options: fixed.options.clone(),
        seating: header.seating,
        status,
        private: fixed.private,
        seats: table.seats(),
        players: players.collect(),
        limit_hours: live.control().limit_hours,
        time_control: *live.control(),
        created_at: Timestamp::new(fixed.created_at),
        started_at: Some(Timestamp::new(fixed.started_at)),
        finished_at: None,
        expires_at: None,
        commitment: header.commitment,
        beacon_round: header.beacon.as_ref().map(|beacon| beacon.round.into()),
        seq: None,
        head: None,
        my_seat: match viewer {
            Viewer::Seat(seat) => Some(seat.0),
            Viewer::Spectator => None,
        },
        to_act: table.to_act().map(|seat| seat.0),
        my_turn: table.to_act().is_some_and(|seat| viewer.is(seat)),
        turn_since: None,
        deadline_at: None,
        time_left_seconds: None,
        clock: None,
        view: Some(table.position().view_text(viewer)),
        result: table.result().cloned(),
        substitutes: fixed.substitutes,
        offered_seats: Vec::new(),
        invitation: None,
        page: games.page_url(fixed.id),
    }
}

/// The view of a game that has not started, or was abandoned before.
pub(crate) fn view_lobby(
    games: &Games,
    whole: &WholeGame,
    requester: &Requester,
) -> Result<GameView, GameError> {
    let game = &whole.game;
    let member = whole.members.iter().any(|member| Some(member.player_id) == requester.player_id);
    let invited = requester.token.as_deref().is_some_and(|token| is_invitation(games, game.id, token));
    if game.private && !member && !invited {
        return Err(GameError::NotFound);
    }
    let rules = rules_of(game)?;
    let players = whole.members.iter().map(|member| PlayerView {
        handle: member.handle.clone(),
        seat: None,
        entropy: member.entropy.clone(),
        left: false,
        bot: member.bot,
        reliability: None,
    });
    let corrupt = |what: &str| GameError::Corrupt(game.id, what.to_owned());
    let commitment: [u8; 32] = game.commitment.as_slice().try_into().map_err(|_| corrupt("commitment"))?;
    let shows_invitation = game.private && member && game.status == GameStatus::Open;
    let options: Value = serde_json::from_str(&game.options).map_err(|_| corrupt("options"))?;
    Ok(GameView {
        id: game.id,
        rules: rules.name(),
        rules_version: rules.version(),
        title: rules.title(),
        game_title: game.title.clone(),
        options: options_json(&options),
        seating: seating_of(game),
        status: game.status,
        private: game.private,
        seats: u8::try_from(game.seats).map_err(|_| corrupt("seats"))?,
        players: players.collect(),
        limit_hours: game.limit_hours,
        time_control: control_of(game.time_control.as_deref(), game.limit_hours)
            .ok_or_else(|| corrupt("time control"))?,
        created_at: Timestamp::new(game.created_at),
        started_at: None,
        finished_at: game.finished_at.map(Timestamp::new),
        expires_at: games::expiry_of(game.status, game.expires_at, game.awaits_until).map(Timestamp::new),
        commitment: Hash::from_bytes(commitment),
        beacon_round: game.beacon_round,
        seq: None,
        head: None,
        my_seat: None,
        to_act: None,
        my_turn: false,
        turn_since: None,
        deadline_at: None,
        time_left_seconds: None,
        clock: None,
        view: None,
        result: None,
        substitutes: game.substitutes,
        offered_seats: Vec::new(),
        invitation: shows_invitation.then(|| invitation(games, game.id)),
        page: games.page_url(game.id),
    })
}

/// The token with which others join a private game.
pub(crate) fn invitation(games: &Games, game_id: Uuid) -> String {
    games.inner.secret.link_token(Purpose::Invitation, game_id)
}

pub(crate) fn is_invitation(games: &Games, game_id: Uuid, token: &str) -> bool {
    games.inner.secret.read_link_token(Purpose::Invitation, token) == Some(game_id)
}

/// Options as text, for views.
pub(crate) fn options_json(options: &Value) -> Box<RawValue> {
    to_raw_value(options).expect("options are plain data")
}

/// Whole seconds until a deadline; 0 after it.
pub(crate) fn seconds_left(deadline_at: OffsetDateTime, now: OffsetDateTime) -> i64 {
    (deadline_at - now).whole_seconds().max(0)
}

/// An id for a player in a game after an event: a UUID (version 8) from the hash of all three.
pub(super) fn look_id(game_id: Uuid, player_id: Uuid, seq: Seq) -> Uuid {
    let hash = Hash::of(&[game_id.as_bytes(), player_id.as_bytes(), &seq.get().to_be_bytes()]);
    let (first, _) = hash.as_bytes().split_first_chunk::<16>().expect("a hash has 32 bytes");
    uuid::Builder::from_custom_bytes(*first).into_uuid()
}

pub(crate) fn rules_of(game: &GameRow) -> Result<&'static dyn RuleSet, GameError> {
    let version = u32::try_from(game.rules_version).ok();
    let rules = version.and_then(|version| rules::find(&game.rules, Some(version)));
    rules.ok_or_else(|| GameError::Corrupt(game.id, "rules".into()))
}

pub(crate) fn seating_of(game: &GameRow) -> Seating {
    match game.seating {
        StoredSeating::Random => Seating::Random,
        StoredSeating::Joined => Seating::Joined,
    }
}
