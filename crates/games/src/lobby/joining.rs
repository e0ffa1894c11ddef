//! Games before their start: create, join, leave, set entropy, start.

use std::sync::atomic::Ordering;

use serde_json::Value;
use uuid::Uuid;

use crate::Games;
use crate::clocks::{self, StartedClock};
use crate::error::GameError;
use crate::lobby::idempotency;
use crate::lobby::leaving::member_of_open;
use crate::lobby::{quotas, title};
use crate::memory::live::{Fixed, LiveGame, Turn, control_of, open_master};
use crate::playing::act::{result_of, state_of};
use crate::viewing::view::{self, GameView, Requester, options_json, rules_of, seating_of};
use crate::viewing::view_text::ViewTexts;
use crate::viewing::visibility;
use pippost_accounts::{Account, AccountError, Accounts};
use pippost_clock::TimeControl;
use pippost_clock::log::MIN_SEATS_WITH_SUBSTITUTES;
use pippost_keys::random_bytes;
use pippost_record::record::header::{FORM, MAX_ENTROPY_LENGTH, SANDBOX_FORM, is_entropy};
use pippost_record::record::{Beacon, Chronicle, Hash, Header, Master, Player, Seating, Timestamp};
use pippost_record::rules;
use pippost_store::calendars::PlayerCalendars;
use pippost_store::commit::EventNotice;
use pippost_store::commit::lobby::{AfterJoin, Joining, LobbyChange, Start, change_lobby};
use pippost_store::games::{self, GameRow, MemberRow, StoredSeating, WholeGame};
use pippost_store::stored_responses::{Once, RequestKey};
use pippost_store::usage::BotLimits;
use pippost_store::{Edition, GameStatus, NoticeKind};

/// A player as the lobby needs him.
#[derive(Clone, Debug)]
pub struct PlayerIdentity {
    pub player_id: Uuid,
    pub handle: String,
    /// Whether a program plays on the account.
    pub bot: bool,
}

impl PlayerIdentity {
    /// Who has logged in.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(accounts: &Accounts, account: &Account) -> Result<Self, AccountError> {
        let (handle, bot) = accounts.name(account).await?;
        Ok(Self { player_id: account.player_id, handle, bot })
    }
}

/// The requested game.
#[derive(Clone, Debug)]
pub struct NewGame {
    pub rules: String,
    pub options: Value,
    /// The number of players; `None` for the fewest that the options allow.
    pub seats: Option<u8>,
    pub private: bool,
    pub seating: Seating,
    pub time_control: TimeControl,
    /// Whether a seat that is given up may be taken by a substitute.
    pub substitutes: bool,
    /// What the game is called, for everybody who may see it.
    pub title: Option<String>,
    /// Whether another game of the same kind is opened for the creator, once this one is finished.
    pub renews: bool,
    /// The master that the creator chose; in a sandbox only.
    pub seed: Option<Master>,
}

/// The outcome of a request while the game's row was locked.
pub(super) type Decision = Result<(), GameError>;

/// Creates a game with `creator` as its first player.
///
/// # Errors
/// The rules, options or values are not possible, or too many games of this player wait for others.
pub async fn create(
    games: &Games,
    creator: &PlayerIdentity,
    wanted: NewGame,
    key: Option<&RequestKey>,
) -> Result<GameView, GameError> {
    let player_id = creator.player_id;
    if let Some(game_id) = idempotency::done_before(games, key, player_id).await? {
        return created_before(games, creator, game_id).await;
    }
    let master = match &wanted.seed {
        Some(seed) => seed.clone(),
        None => Master::from_bytes(random_bytes()?),
    };
    let row = new_row(games, player_id, &wanted, (Uuid::now_v7(), master))?;
    let limits = quotas::limits(games, creator);
    let open_games = i64::try_from(games.quotas.open_games).unwrap_or(i64::MAX);
    let stored = idempotency::to_store(key, player_id, row.id);
    let created = games::create(&games.database, &row, open_games, &limits, stored.as_ref()).await;
    match created.map_err(|error| quotas::refused(games, creator, error))? {
        Once::Now(true) => view_created(games, creator, row),
        Once::Now(false) => Err(GameError::TooManyOpenGames),
        Once::Before(before) => created_before(games, creator, idempotency::stored_id(before, key)?).await,
    }
}

/// The view of a game that was created before, as it was shown then.
async fn created_before(
    games: &Games,
    creator: &PlayerIdentity,
    game_id: Uuid,
) -> Result<GameView, GameError> {
    let whole = games::load(&games.database, game_id).await?.ok_or(GameError::NotFound)?;
    let then = GameRow {
        status: GameStatus::Open,
        started_at: None,
        finished_at: None,
        header: None,
        beacon_round: None,
        awaits_until: None,
        ..whole.game
    };
    view_created(games, creator, then)
}

/// The view of a game that its creator has just created.
fn view_created(games: &Games, creator: &PlayerIdentity, row: GameRow) -> Result<GameView, GameError> {
    let member = MemberRow {
        game_id: row.id,
        player_id: creator.player_id,
        handle: creator.handle.clone(),
        joined: 0,
        entropy: String::new(),
        seat: None,
        bot: creator.bot,
        substitute_for: None,
        number: None,
    };
    let whole =
        WholeGame { game: row, state: None, members: vec![member], brought: PlayerCalendars::default() };
    view::view_lobby(games, &whole, &Requester::player(creator.player_id))
}

/// The row of a game with this id and master, after all that was wished for is checked.
pub(crate) fn new_row(
    games: &Games,
    creator_id: Uuid,
    wanted: &NewGame,
    (id, master): (Uuid, Master),
) -> Result<GameRow, GameError> {
    let rules =
        rules::find(&wanted.rules, None).ok_or_else(|| GameError::UnknownRules(wanted.rules.clone()))?;
    let options = rules.complete_options(&wanted.options)?;
    let possible = rules.seats(&options)?;
    let seats = wanted.seats.unwrap_or(*possible.start());
    if !possible.contains(&seats) {
        return Err(GameError::SeatsNotPossible(possible));
    }
    if wanted.substitutes && seats < MIN_SEATS_WITH_SUBSTITUTES {
        let why = format!("only games of {MIN_SEATS_WITH_SUBSTITUTES} players and more have substitutes");
        return Err(GameError::SubstitutesNotPossible(why));
    }
    wanted.time_control.check().map_err(|refused| {
        let why = refused.to_string();
        if refused.contradicts {
            return GameError::ControlNotPossible(why);
        }
        let field = if refused.member == "limit_hours" { "limit_hours" } else { "time_control" };
        GameError::InvalidValue { field, why }
    })?;
    if wanted.seed.is_some() && !games.inner.clock.is_sandbox() {
        return Err(GameError::SeedRefused);
    }
    let title = wanted
        .title
        .as_deref()
        .map(|title| title::checked(games, title::FIELD, title))
        .transpose()?
        .flatten();
    let now = games.inner.clock.now();
    Ok(GameRow {
        id,
        rules: rules.name().to_owned(),
        rules_version: i32::try_from(rules.version()).expect("versions are small"),
        options: options.to_string(),
        seating: match wanted.seating {
            Seating::Random => StoredSeating::Random,
            Seating::Joined => StoredSeating::Joined,
        },
        seats: seats.into(),
        private: wanted.private,
        limit_hours: wanted.time_control.limit_hours,
        time_control: Some(serde_json::to_string(&wanted.time_control).expect("plain data")),
        clock: None,
        commitment: master.commitment(id).as_bytes().to_vec(),
        master_sealed: games.inner.secret.seal(id, master.expose()),
        creator_id,
        status: GameStatus::Open,
        created_at: now,
        started_at: None,
        finished_at: None,
        header: None,
        beacon_round: None,
        chosen_seed: wanted.seed.is_some(),
        outage: 0,
        expires_at: Some(now + games.open_for),
        awaits_until: None,
        substitutes: wanted.substitutes,
        seats_offered: false,
        result: None,
        title,
        renews_at: wanted.renews.then_some(now),
    })
}

/// Adds a player to the game; the last one starts it, or fixes the round of the public beacon with which it starts.
///
/// # Errors
/// No such game (also: a private one without its invitation), no seat left, or already in it.
pub async fn join(
    games: &Games,
    game_id: Uuid,
    player: &PlayerIdentity,
    entropy: String,
    invitation: Option<&str>,
) -> Result<GameView, GameError> {
    join_within(games, game_id, player, entropy, invitation, None).await
}

/// The same within the limits of a bot that plays in the game.
///
/// # Errors
/// As [`join`]; [`TooMany`](pippost_store::StoreError::TooMany) beyond the limits.
pub(super) async fn join_within(
    games: &Games,
    game_id: Uuid,
    player: &PlayerIdentity,
    entropy: String,
    invitation: Option<&str>,
    of_bot: Option<BotLimits>,
) -> Result<GameView, GameError> {
    check_entropy(games, &entropy)?;
    let joins = Requester { player_id: Some(player.player_id), token: invitation.map(str::to_owned) };
    visibility::expect_visible(games, game_id, &joins).await?;
    let invited = invitation.is_some_and(|token| view::is_invitation(games, game_id, token));
    let new = player.clone();
    let now = games.inner.clock.now();
    let joining = Joining { limits: quotas::limits(games, player), of_bot };
    let decision = change_lobby(&games.database, game_id, Some(joining), now, move |whole| {
        Ok(match decide_join(games, whole, &new, &entropy, invited) {
            Ok(then) => {
                let seated = match &then {
                    AfterJoin::Start(start) => start.seated.clone(),
                    AfterJoin::Wait | AfterJoin::AwaitRound { .. } => Vec::new(),
                };
                (LobbyChange::Join { player_id: new.player_id, entropy, then }, Ok(seated))
            }
            Err(error) => (LobbyChange::Nothing, Err(error)),
        })
    });
    let mut changed = decision.await.map_err(|error| quotas::refused(games, player, error))??;
    changed.push(game_id);
    games.inner.outbox_signal.notify_of(&changed);
    view::view(games, game_id, &Requester::player(player.player_id)).await
}

fn decide_join(
    games: &Games,
    whole: Option<WholeGame>,
    player: &PlayerIdentity,
    entropy: &str,
    invited: bool,
) -> Result<AfterJoin, GameError> {
    let mut whole = whole.ok_or(GameError::NotFound)?;
    if whole.members.iter().any(|member| member.player_id == player.player_id) {
        return Err(GameError::AlreadyJoined);
    }
    if whole.game.private && !invited {
        // A private game does not exist for strangers.
        return Err(GameError::NotFound);
    }
    match whole.game.status {
        GameStatus::Open => {}
        GameStatus::Starting | GameStatus::Running | GameStatus::Finished => return Err(GameError::Full),
        GameStatus::Cancelled => return Err(GameError::Cancelled),
    }
    whole.members.push(MemberRow {
        game_id: whole.game.id,
        player_id: player.player_id,
        handle: player.handle.clone(),
        joined: i16::MAX,
        entropy: entropy.to_owned(),
        seat: None,
        bot: player.bot,
        substitute_for: None,
        number: None,
    });
    let full = whole.members.len() == usize::try_from(whole.game.seats).unwrap_or_default();
    if !full {
        return Ok(AfterJoin::Wait);
    }
    when_full(games, &whole)
}

/// What becomes of a game that is full: it starts, or its round of the public beacon is fixed.
pub(crate) fn when_full(games: &Games, whole: &WholeGame) -> Result<AfterJoin, GameError> {
    if let Some(drand) = &games.inner.beacon {
        let now = games.inner.clock.now();
        let round = drand.chain().round_for_join(now).into();
        return Ok(AfterJoin::AwaitRound { round, until: now + games.open_for });
    }
    Ok(AfterJoin::Start(Box::new(start(games, whole, None)?)))
}

/// Sets a player's contribution to the game's chance. The commitment was published when the game was created, and nothing
/// else that chance depends on is known while the game is open.
///
/// # Errors
/// No such game, not in it, or it is full.
pub async fn set_entropy(
    games: &Games,
    game_id: Uuid,
    player_id: Uuid,
    entropy: String,
) -> Result<GameView, GameError> {
    check_entropy(games, &entropy)?;
    visibility::expect_visible(games, game_id, &Requester::player(player_id)).await?;
    let now = games.inner.clock.now();
    let decision = change_lobby(&games.database, game_id, None, now, move |whole| {
        Ok(match member_of_open(whole, player_id) {
            Ok(_) => (LobbyChange::Entropy { player_id, entropy }, Decision::Ok(())),
            Err(error) => (LobbyChange::Nothing, Err(error)),
        })
    });
    decision.await??;
    view::view(games, game_id, &Requester::player(player_id)).await
}

/// Completes the header, seats the players and makes event 0.
pub(crate) fn start(games: &Games, whole: &WholeGame, beacon: Option<Beacon>) -> Result<Start, GameError> {
    let game = &whole.game;
    let now = games.inner.clock.now();
    let rules = rules_of(game)?;
    let master = open_master(game, &games.inner.secret)?;
    let header = header_of(whole, beacon)?;
    header.check().map_err(|refused| GameError::Corrupt(game.id, refused.to_string()))?;
    let (chronicle, recorded) = Chronicle::start(rules, &header, &master, Timestamp::new(now));
    let by_seat: Vec<&MemberRow> =
        chronicle.table().order().iter().map(|index| &whole.members[usize::from(*index)]).collect();
    let control = control_of(game.time_control.as_deref(), game.limit_hours);
    let control = control.ok_or_else(|| GameError::Corrupt(game.id, "time control".to_owned()))?;
    let header_json = serde_json::to_string(&header).expect("plain data");
    let fixed = Fixed {
        id: game.id,
        rules,
        private: game.private,
        created_at: game.created_at,
        started_at: now,
        players: by_seat.iter().map(|member| member.player_id).collect(),
        replaced: vec![None; by_seat.len()],
        numbers: by_seat.iter().map(|member| member.number).collect(),
        substitutes: game.substitutes,
        title: game.title.clone(),
        names: by_seat.iter().map(|member| member.handle.clone()).collect(),
        bots: by_seat.iter().map(|member| member.bot).collect(),
        options: options_json(&header.options),
        header,
        master,
    };
    let StartedClock { clock_rules, running, lines } =
        clocks::start(&chronicle, control, &fixed, &whole.brought)?;
    let turn = running.as_ref().map(|running| Turn::of(running, &clock_rules));
    let finished_at = chronicle.table().result().map(|_| now);
    let texts = ViewTexts::default();
    let live = LiveGame {
        fixed: fixed.into(),
        chronicle,
        clock_rules: clock_rules.into(),
        running,
        turn,
        finished_at,
        edition: Edition::FIRST,
        outage: games.inner.newest_outage.load(Ordering::SeqCst),
        snapshot_bytes: 0,
        texts,
    };
    Ok(Start {
        result: result_of(&live),
        header: header_json,
        line: recorded.line,
        state: state_of(&live),
        outage: live.outage,
        clock_conditions: serde_json::to_string(&live.clock_rules.conditions).expect("plain data"),
        clock_lines: lines,
        seated: live.fixed.players.clone(),
        notices: start_notices(&live),
        started_at: now,
        finished_at,
    })
}

/// Everybody sees the entropy, so it must not hold a secret of its player's.
fn check_entropy(games: &Games, entropy: &str) -> Result<(), GameError> {
    if games.inner.secret.is_token_in(entropy) {
        let why = "it holds a token that only you should know".to_owned();
        return Err(GameError::InvalidValue { field: "entropy", why });
    }
    if is_entropy(entropy) {
        return Ok(());
    }
    let why = format!("0 to {MAX_ENTROPY_LENGTH} characters from space to ~");
    Err(GameError::InvalidValue { field: "entropy", why })
}

fn header_of(whole: &WholeGame, beacon: Option<Beacon>) -> Result<Header, GameError> {
    let game = &whole.game;
    let corrupt = |what: &str| GameError::Corrupt(game.id, what.to_owned());
    let commitment: [u8; 32] = game.commitment.as_slice().try_into().map_err(|_| corrupt("commitment"))?;
    let player = |member: &MemberRow| Player { name: member.handle.clone(), entropy: member.entropy.clone() };
    Ok(Header {
        record: if game.chosen_seed { SANDBOX_FORM } else { FORM }.to_owned(),
        id: game.id,
        rules: game.rules.clone(),
        rules_version: u32::try_from(game.rules_version).map_err(|_| corrupt("rules_version"))?,
        options: serde_json::from_str(&game.options).map_err(|_| corrupt("options"))?,
        seating: seating_of(game),
        commitment: Hash::from_bytes(commitment),
        players: whole.members.iter().map(player).collect(),
        beacon,
    })
}

/// Notices of the start: the turn for the player to act, the start for the others; if the game is over at once, its end for all.
fn start_notices(live: &LiveGame) -> Vec<EventNotice> {
    let kind = |player: &Uuid| match live.to_act_player() {
        None => NoticeKind::GameOver,
        Some(asked) if asked == *player => NoticeKind::Turn,
        Some(_) => NoticeKind::GameStarted,
    };
    let notice = |player: &Uuid| EventNotice { id: Uuid::now_v7(), kind: kind(player), player_id: *player };
    live.fixed.players.iter().map(notice).collect()
}
