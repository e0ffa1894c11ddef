//! The contents of mails about games: the current state as the reader may see it.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::digest;
use super::outcome;
use crate::Games;
use crate::clocks;
use crate::clubs;
use crate::error::GameError;
use crate::ladders::challenge_content;
use crate::letters::answering;
use crate::letters::messages;
use crate::memory::live::{LiveGame, control_of};
use crate::memory::version_check;
use crate::playing::preview::written;
use crate::viewing::board::picture;
use crate::viewing::png_cache::WhenBusy;
use crate::viewing::view::{self, rules_of};
use pippost_accounts::calendars::{HolidayNow, holiday_now};
use pippost_clock::offers::Offer;
use pippost_language::{Arguments, Language, words};
use pippost_notices::{
    AnswerContent, AskedGame, BoardPicture, ChallengeContent, ClubContent, ContentError, Detail,
    DigestContent, ExpiredContent, GameContent, HolidayTold, InvitationContent, MailContents, PauseAsked,
    SeatTold,
};
use pippost_record::board::Theme;
use pippost_record::record::{Event, Table};
use pippost_record::rules::picture::Picture;
use pippost_record::rules::{Captions, Position, Seat, Viewer};
use pippost_store::events::Span;
use pippost_store::{GameStatus, NoticeKind, Seq, games, players};

/// The most past events that a mail covers.
const MAX_EVENTS_TOLD: u64 = 60;

/// The most sentences about past events.
const MAX_SENTENCES: usize = 40;

/// The display width of the picture in a mail, in pixels.
const SHOWN_PX: u32 = 480;

/// The picture's own width: half as much again, for high-resolution screens.
const PICTURE_PX: u32 = SHOWN_PX * 3 / 2;

/// The most examples of legal actions.
const MAX_EXAMPLES: usize = 5;

impl MailContents for Games {
    fn game(&self, asked: AskedGame) -> BoxFuture<'_, Result<Option<GameContent>, ContentError>> {
        async move { Ok(game_content(self, asked).await?) }.boxed()
    }

    fn digest(
        &self,
        player_id: Uuid,
        digest_id: Option<Uuid>,
        language: Language,
    ) -> BoxFuture<'_, Result<Option<DigestContent>, ContentError>> {
        async move { Ok(digest::content(self, player_id, digest_id, language).await?) }.boxed()
    }

    fn invitation(
        &self,
        game_id: Uuid,
        from_player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<InvitationContent>, ContentError>> {
        let content = async move { Ok(invitation_content(self, game_id, from_player_id).await?) };
        content.boxed()
    }

    fn expired(
        &self,
        game_id: Uuid,
        player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<ExpiredContent>, ContentError>> {
        async move { Ok(expired_content(self, game_id, player_id).await?) }.boxed()
    }

    fn challenge(&self, notice_id: Uuid) -> BoxFuture<'_, Result<Option<ChallengeContent>, ContentError>> {
        async move { Ok(challenge_content(self, notice_id).await?) }.boxed()
    }

    fn club(
        &self,
        notice_id: Uuid,
        player_id: Uuid,
    ) -> BoxFuture<'_, Result<Option<ClubContent>, ContentError>> {
        async move { Ok(clubs::content(self, notice_id, player_id).await?) }.boxed()
    }

    fn answer(
        &self,
        reply_id: Uuid,
        language: Language,
    ) -> BoxFuture<'_, Result<Option<AnswerContent>, ContentError>> {
        async move { Ok(answering::answer_content(self, reply_id, language).await?) }.boxed()
    }
}

pub(super) async fn game_content(games: &Games, asked: AskedGame) -> Result<Option<GameContent>, GameError> {
    let AskedGame { game_id, player_id, seq, kind, told_since, language, detail } = asked;
    let Some(live) = version_check::current(games, game_id).await? else { return Ok(None) };
    let Some(seat) = live.fixed.seat_of(player_id) else { return Ok(None) };
    let asks = matches!(kind, NoticeKind::Turn | NoticeKind::Reminder);
    if asks && live.to_act_player() != Some(player_id) {
        return Ok(None);
    }
    let pause = match kind {
        NoticeKind::PauseProposed => {
            // Agreed, declined or over: it need not be told any more.
            let Some(proposal) = clocks::asks(games, &live, player_id).await? else { return Ok(None) };
            let by =
                live.fixed.seat_of(proposal.by_player).map(|seat| live.fixed.names[seat.index()].clone());
            by.map(|by| PauseAsked { by, until: proposal.until_at })
        }
        _ => None,
    };
    let seat_told = match kind {
        NoticeKind::SeatOffered | NoticeKind::SeatTaken => {
            // It was taken, or its player has left: the offer need not be told any more.
            let Some(told) = seat_told(&live, kind) else { return Ok(None) };
            Some(told)
        }
        _ => None,
    };
    let holiday = match kind {
        NoticeKind::Reminder if clocks::accepts_holidays(&live) => {
            holiday_now(&games.database, player_id, games.inner.clock.now()).await?
        }
        _ => None,
    };
    let holiday = holiday.map(|HolidayNow { last_day, days, left }| HolidayTold { last_day, days, left });
    let recent = recent_events(games, &live).await?;
    let mine = recent.iter().rposition(|event| event.seat == Some(seat));
    if asks && mine.is_some_and(|mine| Seq::from(recent[mine].seq) > seq) {
        // Answered already and asked again since; the new turn has a notice of its own.
        return Ok(None);
    }
    let mut said = Vec::new();
    if kind == NoticeKind::Message {
        let acted_at = mine.map_or(told_since, |mine| recent[mine].at.get());
        said = messages::said_lately(games, &live, seat, told_since.max(acted_at), language).await?;
        if said.is_empty() {
            return Ok(None);
        }
    }
    if detail == Detail::Brief {
        let result = ended(&live, language);
        let content = fill(games, &live, seat, player_id, kind, language);
        return Ok(Some(GameContent { said, pause, holiday, seat: seat_told, result, ..content }));
    }
    let last = recent.last().map(|event| event.effects.clone()).unwrap_or_default();
    let picture = draw(games, &live, live.chronicle.table(), seat, &last, language).await;
    let since = mine.map_or(0, |mine| mine + 1);
    let mut happened = Vec::new();
    if kind != NoticeKind::Message {
        happened = tell(&live, &recent[since..], language);
        let seen = mine.map_or(Seq::START, |mine| recent[mine].seq.into());
        happened.extend(messages::said_since(games, &live, seat, seen, language).await?);
    }
    let result = ended(&live, language);
    let content = GameContent {
        happened,
        said,
        pause,
        holiday,
        seat: seat_told,
        result,
        ..fill(games, &live, seat, player_id, kind, language)
    };
    Ok(Some(GameContent { has_moved: mine.is_some(), picture, ..content }))
}

/// The seat that is offered, or was taken; the newest of several.
fn seat_told(live: &LiveGame, kind: NoticeKind) -> Option<SeatTold> {
    let table = live.chronicle.table();
    if kind == NoticeKind::SeatOffered {
        let offered: Vec<Seat> =
            live.clock_rules.offered_seats().filter(|seat| !table.has_left(*seat)).collect();
        let seat = offered.last().filter(|_| table.result().is_none())?;
        let until = live.turn.filter(|turn| turn.seat == *seat).and_then(|turn| turn.deadline_at);
        let until = until.filter(|_| live.clock_rules.is_vacant(*seat));
        return Some(SeatTold { before: live.fixed.names[seat.index()].clone(), taken_by: None, until });
    }
    let taken = live.clock_rules.conditions.offers.iter().rev().find_map(|offer| match &offer.offer {
        Offer::Taken { name, .. } => Some((offer.seat, name.clone())),
        Offer::Open | Offer::Vacant => None,
    });
    let (seat, by) = taken?;
    let first = table.order().get(seat.index()).map(|index| usize::from(*index))?;
    let before = live.fixed.header.players.get(first)?.name.clone();
    Some(SeatTold { before, taken_by: Some(by), until: None })
}

/// The board of the game at `table`, which may lie ahead, as the player in `seat` sees it. A mail may lack its picture, because
/// the text contains the board.
pub(super) async fn draw(
    games: &Games,
    live: &LiveGame,
    table: &Table,
    seat: Seat,
    last: &[Value],
    language: Language,
) -> Option<BoardPicture> {
    png(games, live.fixed.id, picture(live, table, Viewer::Seat(seat), last, language)).await
}

/// A picture of a board of a game as mails have it.
pub(super) async fn png(games: &Games, game_id: Uuid, picture: Picture) -> Option<BoardPicture> {
    let alt = format!("{}. {}", picture.title, picture.description);
    match games.png_cache().png(picture, PICTURE_PX, Theme::Light, WhenBusy::Wait).await {
        Ok(png) => Some(BoardPicture { png, width_px: SHOWN_PX, alt }),
        Err(error) => {
            tracing::error!(game = %game_id, %error, "a board could not be drawn");
            None
        }
    }
}

pub(super) async fn recent_events(games: &Games, live: &LiveGame) -> Result<Vec<Event>, GameError> {
    let (first, last) = (live.seq().back(MAX_EVENTS_TOLD - 1), live.seq());
    let lines = games.letter_reads.lines(Span { game_id: live.fixed.id, first, last }).await?;
    let read = |line: String| serde_json::from_str(&line);
    let events: Result<Vec<Event>, _> = lines.into_iter().map(read).collect();
    events.map_err(|_| GameError::Corrupt(live.fixed.id, "event".into()))
}

pub(crate) fn fill(
    games: &Games,
    live: &LiveGame,
    seat: Seat,
    player_id: Uuid,
    kind: NoticeKind,
    language: Language,
) -> GameContent {
    let fixed = &live.fixed;
    let table = live.chronicle.table();
    let position = table.position();
    let turn = live.turn.filter(|turn| turn.seat == seat);
    let deadline: Option<OffsetDateTime> = turn.and_then(|turn| turn.deadline_at);
    let opponents = fixed.names.iter().enumerate().filter(|(index, _)| *index != seat.index());
    GameContent {
        kind,
        game_id: fixed.id,
        number: fixed.numbers.get(seat.index()).copied().flatten(),
        seq: live.seq(),
        rules_title: fixed.rules.title().to_owned(),
        game_title: fixed.title.clone(),
        opponents: opponents.map(|(index, name)| words::player(name, fixed.bots[index])).collect(),
        happened: Vec::new(),
        has_moved: false,
        said: Vec::new(),
        board: board_of(live, position, seat, language),
        picture: None,
        to_do: turn.map(|_| language.tell(&position.to_do(), &fixed.names)),
        legal_notation: turn.map(|_| examples(written(position))).unwrap_or_default(),
        deadline,
        time_left: deadline.map(|deadline| deadline - games.inner.clock.now()),
        pause: None,
        holiday: None,
        seat: None,
        result: None,
        link: look_url(games, fixed.id, player_id, live.seq()),
    }
}

/// The board of the game at `position`, which may lie ahead.
pub(super) fn board_of(live: &LiveGame, position: &dyn Position, seat: Seat, language: Language) -> String {
    position.board_text(Viewer::Seat(seat), &Captions::new(&live.fixed.names, &language))
}

/// The link to a game's page after event `seq`, for a player who has not logged in.
fn look_url(games: &Games, game_id: Uuid, player_id: Uuid, seq: Seq) -> String {
    format!("{}?token={}", games.page_url(game_id), view::look_token(games, game_id, player_id, seq))
}

pub(super) async fn invitation_content(
    games: &Games,
    game_id: Uuid,
    from_player_id: Uuid,
) -> Result<Option<InvitationContent>, GameError> {
    let database = &games.database;
    let Some(whole) =
        games::load(database, game_id).await?.filter(|whole| whole.game.status == GameStatus::Open)
    else {
        return Ok(None);
    };
    let inviting = players::players_by_ids(database, &[from_player_id]).await?;
    let Some(from) = inviting.into_iter().next() else { return Ok(None) };
    Ok(Some(InvitationContent {
        game_id,
        rules_title: rules_of(&whole.game)?.title().to_owned(),
        from: from.handle,
        joined: whole.members.iter().map(|member| member.handle.clone()).collect(),
        seats: u8::try_from(whole.game.seats).map_err(|_| GameError::Corrupt(game_id, "seats".into()))?,
        time_control: control_of(whole.game.time_control.as_deref(), whole.game.limit_hours)
            .ok_or_else(|| GameError::Corrupt(game_id, "time control".into()))?,
        substitutes: whole.game.substitutes,
        link: format!("{}?token={}", games.page_url(game_id), view::invitation(games, game_id)),
    }))
}

pub(super) async fn expired_content(
    games: &Games,
    game_id: Uuid,
    player_id: Uuid,
) -> Result<Option<ExpiredContent>, GameError> {
    let whole = games::load(&games.database, game_id).await?;
    let Some(whole) = whole.filter(|whole| whole.game.status == GameStatus::Cancelled) else {
        return Ok(None);
    };
    if !whole.members.iter().any(|member| member.player_id == player_id) {
        return Ok(None);
    }
    let others = whole.members.iter().filter(|member| member.player_id != player_id);
    let seats = usize::try_from(whole.game.seats).map_err(|_| GameError::Corrupt(game_id, "seats".into()))?;
    let missing = seats.saturating_sub(whole.members.len());
    Ok(Some(ExpiredContent {
        game_id,
        number: games::number_of(&games.database, game_id, player_id).await?,
        rules_title: rules_of(&whole.game)?.title().to_owned(),
        others: others.map(|member| words::player(&member.handle, member.bot)).collect(),
        missing: u8::try_from(missing).map_err(|_| GameError::Corrupt(game_id, "seats".into()))?,
        created_at: whole.game.created_at,
        link: games.new_game_url(&whole.game.rules),
    }))
}

/// How the game ended, in one sentence.
pub(crate) fn ended(live: &LiveGame, language: Language) -> Option<String> {
    let result = live.chronicle.table().result()?;
    Some(outcome::sentence(result.reason, result.places.as_deref(), &live.fixed.names, language))
}

/// The events as sentences; only the last ones if there are many.
pub(crate) fn tell(live: &LiveGame, events: &[Event], language: Language) -> Vec<String> {
    let names = &live.fixed.names;
    let position = live.chronicle.table().position();
    let mut sentences: Vec<String> = Vec::new();
    for event in events {
        sentences.extend(common_sentence(event.seat, &event.action, names, language));
        let told = position.tell(event.seat, &event.action, &event.effects);
        sentences.extend(told.iter().map(|sentence| language.tell(sentence, names)));
    }
    let surplus = sentences.len().saturating_sub(MAX_SENTENCES);
    sentences.split_off(surplus)
}

/// Sentences for effects common to all games; each rule set describes its own.
pub fn common_sentence(
    seat: Option<Seat>,
    action: &Value,
    names: &[String],
    language: Language,
) -> Option<String> {
    let name = |seat: Option<u64>| {
        let index = seat.and_then(|seat| usize::try_from(seat).ok());
        index.and_then(|index| names.get(index)).cloned().unwrap_or_else(|| language.say("somebody"))
    };
    let actor = name(seat.map(|seat| seat.0.into()));
    let (key, player) = match action["type"].as_str()? {
        "start" => return Some(language.say("told-start")),
        "resign" => ("told-resign", actor),
        "abort" => ("told-abort", actor),
        "timeout" => ("told-timeout", name(action["seat"].as_u64())),
        _ => return None,
    };
    Some(language.say_with(key, &Arguments::default().text("player", player)))
}

/// A few of the legal actions, spread over the list.
fn examples(legal: Vec<String>) -> Vec<String> {
    let step = legal.len().div_ceil(MAX_EXAMPLES).max(1);
    legal.into_iter().step_by(step).collect()
}
