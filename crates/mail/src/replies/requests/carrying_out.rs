//! Does what a mail asks for besides moves. What it cannot do it tells in the answer, and only a failure of the server is an error.

use serde_json::{Map, Value};
use time::{OffsetDateTime, Time};
use uuid::Uuid;

use super::super::ReplyError;
use super::super::deciding::Case;
use super::super::orders::harmless;
use super::super::receiving::Replies;
use super::{Request, dates, find};
use pippost_accounts::calendars::CalendarRefused;
use pippost_accounts::{AccountError, EmailAddress, Handle, PlayerRequest};
use pippost_clock::TimeControl;
use pippost_clock::control::DEFAULT_LIMIT_HOURS;
use pippost_games::lobby::{self, by_mail, inviting::Invitee};
use pippost_games::{GameError, NewGame, PlayerIdentity, clocks, letters};
use pippost_keys::secret::sha256;
use pippost_notices::{RequestOutcome, RequestResult, Verdict};
use pippost_record::record::Seating;
use pippost_record::rules::{self, RuleSet};
use pippost_store::replies::ReplyRow;
use pippost_store::stored_responses::{Repeated, RequestKey};
use pippost_store::{GameStatus, NoticeKind, games, players};

/// Carries out the requests of one mail, one after the other.
struct RequestContext<'a> {
    replies: &'a Replies,
    case: &'a Case<'a>,
    row: &'a ReplyRow,
    player: PlayerIdentity,
    /// The game that a request of the same mail has opened.
    opened: Option<Uuid>,
}

impl Replies {
    /// Does what the mail asks for besides moves, unless the mail itself is refused or does not say it clearly.
    pub(in super::super) async fn carry_out_requests(
        &self,
        case: &Case<'_>,
        row: &ReplyRow,
        verdict: &Verdict,
    ) -> Result<Vec<RequestOutcome>, ReplyError> {
        let orders = case.orders;
        let unknown = |number: &i32| RequestOutcome {
            number: Some(*number),
            ..RequestOutcome::of(RequestResult::NoNumber)
        };
        let mut outcomes: Vec<_> = orders.unknown_numbers.iter().map(unknown).collect();
        if orders.requests.is_empty() {
            let is_unsure = orders.requests_doubted && !orders.preferences.is_empty();
            let is_unsure = is_unsure && *verdict != Verdict::Expired;
            outcomes.extend(is_unsure.then(|| RequestOutcome::of(RequestResult::Nothing)));
            return Ok(outcomes);
        }
        // To decline does nothing, so nothing has to be sure.
        if orders.requests == [Request::Decline] {
            outcomes.push(RequestOutcome::of(RequestResult::Declined));
            return Ok(outcomes);
        }
        let is_read = !matches!(verdict, Verdict::Expired | Verdict::TooMuch | Verdict::TooManyMails);
        if !is_read || orders.requests_doubted || orders.broken.is_some() {
            let joins = orders.requests.contains(&Request::Join { rules: None });
            outcomes.push(RequestOutcome::of(if joins {
                RequestResult::JoinUnsure
            } else {
                RequestResult::Nothing
            }));
            return Ok(outcomes);
        }
        let Some(player) = players::player_by_id(self.database(), row.player_id).await? else {
            return Ok(outcomes);
        };
        let player = PlayerIdentity { player_id: player.id, handle: player.handle, bot: player.bot };
        let mut context = RequestContext { replies: self, case, row, player, opened: None };
        for (index, request) in orders.requests.iter().enumerate() {
            match context.carry_out(index, request).await {
                Ok(outcome) => outcomes.push(outcome),
                Err(error) => outcomes.push(refusal(error)?),
            }
        }
        Ok(outcomes)
    }
}

impl RequestContext<'_> {
    async fn carry_out(&mut self, index: usize, request: &Request) -> Result<RequestOutcome, ReplyError> {
        let counted = match request {
            Request::New { .. } | Request::Rematch => Some(PlayerRequest::CreateGame),
            Request::Join { .. } => Some(PlayerRequest::Join),
            Request::Invite(_) => Some(PlayerRequest::Invite),
            _ => None,
        };
        if let Some(counted) = counted {
            self.replies.accounts().count_request_by_mail(counted, self.player.player_id)?;
        }
        match request {
            Request::New { rules, seats, options } => self.open(index, rules, *seats, options).await,
            Request::Join { rules: Some(rules) } => self.join_open(rules).await,
            Request::Join { rules: None } => self.join().await,
            Request::Decline => Ok(RequestOutcome::of(RequestResult::Declined)),
            Request::Invite(people) => self.invite(people).await,
            Request::Rematch => self.rematch(index).await,
            Request::Pause(until) => self.pause(until.as_deref()).await,
            Request::Holiday(text) => self.holiday(index, text).await,
            Request::Note(text) => self.note(Some(text)).await,
            Request::ForgetNote => self.note(None).await,
            Request::ShowNote => self.show_note().await,
            Request::Explain { rules } => Ok(self.explain(rules)),
        }
    }

    /// The same for every delivery of the mail, so that nothing is done twice.
    fn key(&self, index: usize, asked: &str) -> RequestKey {
        let key = format!("mail:{}:{}:{index}", self.row.notice_id, hex::encode(&self.row.mail_key));
        RequestKey { key, fingerprint: sha256(asked.as_bytes()).to_vec(), repeated: Repeated::default() }
    }

    async fn about(
        &self,
        result: RequestResult,
        game_id: Uuid,
        rules: &str,
    ) -> Result<RequestOutcome, ReplyError> {
        let number = games::number_of(self.replies.database(), game_id, self.player.player_id).await?;
        let title = rules::find(rules, None).map_or(rules, |rules| rules.title());
        Ok(RequestOutcome { number, ..RequestOutcome::new(result, title) })
    }

    async fn open(
        &mut self,
        index: usize,
        name: &str,
        seats: Option<u8>,
        options: &Map<String, Value>,
    ) -> Result<RequestOutcome, ReplyError> {
        let Some(rules) = find(name) else { return Ok(unknown_rules(name)) };
        let new = NewGame {
            rules: rules.name().to_owned(),
            options: Value::Object(options.clone()),
            seats,
            private: false,
            seating: Seating::Random,
            time_control: TimeControl::limited(DEFAULT_LIMIT_HOURS),
            substitutes: false,
            title: None,
            renews: false,
            seed: None,
        };
        let key = self.key(index, &format!("new {name} {seats:?} {}", new.options));
        let view = match lobby::create(self.replies.games(), &self.player, new, Some(&key)).await {
            Err(GameError::Options(_)) => return Ok(unknown_options(rules)),
            view => view?,
        };
        self.opened = Some(view.id);
        let outcome = self.about(RequestResult::Opened, view.id, view.rules).await?;
        Ok(RequestOutcome { more: view.seats.to_string(), ..outcome })
    }

    async fn join(&mut self) -> Result<RequestOutcome, ReplyError> {
        let invited = self.case.answered.kind == NoticeKind::Invitation;
        let Some(game_id) = self.row.game_id.filter(|_| invited) else {
            return Ok(RequestOutcome::new(RequestResult::JoinWhich, titles()));
        };
        match by_mail::accept_invitation(self.replies.games(), game_id, &self.player).await {
            Ok(view) => self.about(RequestResult::Joined, view.id, view.rules).await,
            // The mail was delivered before.
            Err(GameError::AlreadyJoined) => self.about(RequestResult::InAlready, game_id, "").await,
            Err(error) => Err(error.into()),
        }
    }

    async fn join_open(&mut self, name: &str) -> Result<RequestOutcome, ReplyError> {
        let Some(rules) = find(name) else { return Ok(unknown_rules(name)) };
        match by_mail::join_open(self.replies.games(), rules.name(), &self.player).await? {
            Some(view) => self.about(RequestResult::Joined, view.id, view.rules).await,
            None => Ok(RequestOutcome {
                more: rules.name().to_owned(),
                ..RequestOutcome::new(RequestResult::NoneOpen, rules.title())
            }),
        }
    }

    /// The game that an invitation is for: one that this mail has opened, that it is about, or the newest that waits.
    async fn waiting_game(&self) -> Result<Option<Uuid>, ReplyError> {
        if let Some(game_id) = self.opened {
            return Ok(Some(game_id));
        }
        let database = self.replies.database();
        if let Some(game_id) = self.row.game_id
            && games::status(database, game_id).await? == Some(GameStatus::Open)
        {
            return Ok(Some(game_id));
        }
        Ok(by_mail::newest_open(self.replies.games(), self.player.player_id).await?)
    }

    async fn invite(&self, people: &[String]) -> Result<RequestOutcome, ReplyError> {
        let Some(game_id) = self.waiting_game().await? else {
            return Ok(RequestOutcome::of(RequestResult::NoneToInviteTo));
        };
        for person in people {
            let invitee = match (EmailAddress::parse(person), Handle::parse(person)) {
                (Ok(address), _) => Invitee::Address(address),
                (_, Ok(handle)) => Invitee::Player(handle),
                _ => return Ok(RequestOutcome::new(RequestResult::NoPlayer, harmless(person))),
            };
            self.invite_one(game_id, invitee).await?;
        }
        let outcome = self.about(RequestResult::Invited, game_id, "").await?;
        Ok(RequestOutcome { about: harmless(&people.join(", ")), ..outcome })
    }

    async fn invite_one(&self, game_id: Uuid, invitee: Invitee) -> Result<(), ReplyError> {
        match lobby::invite(self.replies.games(), game_id, self.player.player_id, invitee, None).await {
            Ok(()) | Err(GameError::AlreadyJoined) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    async fn rematch(&mut self, index: usize) -> Result<RequestOutcome, ReplyError> {
        let Some(game_id) = self.row.game_id else { return Ok(RequestOutcome::of(RequestResult::WhichGame)) };
        let again = by_mail::again(self.replies.games(), game_id, self.player.player_id).await;
        let by_mail::Rematch { new, others, .. } = match again {
            Err(GameError::Started) => return Ok(RequestOutcome::of(RequestResult::NotOver)),
            again => again?,
        };
        let key = self.key(index, "rematch");
        let view = lobby::create(self.replies.games(), &self.player, new, Some(&key)).await?;
        self.opened = Some(view.id);
        for other in &others {
            self.invite_one(view.id, Invitee::Player(other.clone())).await?;
        }
        let names: Vec<&str> = others.iter().map(Handle::as_typed).collect();
        let outcome = self.about(RequestResult::Rematch, view.id, view.rules).await?;
        Ok(RequestOutcome { more: names.join(", "), ..outcome })
    }

    async fn pause(&self, until: Option<&str>) -> Result<RequestOutcome, ReplyError> {
        let Ok(claim) = self.replies.seat(self.row).await? else {
            return Ok(RequestOutcome::of(RequestResult::WhichGame));
        };
        let Some(text) = until else {
            clocks::propose_pause(self.replies.games(), &claim, None).await?;
            return Ok(RequestOutcome::of(RequestResult::ResumeProposed));
        };
        let today = self.replies.now().date();
        let Some(last_day) = dates::until(text, today) else {
            return Ok(RequestOutcome::new(RequestResult::NoDays, harmless(text)));
        };
        let after = last_day.next_day().unwrap_or(last_day);
        let until = OffsetDateTime::new_utc(after, Time::MIDNIGHT);
        clocks::propose_pause(self.replies.games(), &claim, Some(until)).await?;
        Ok(RequestOutcome::new(RequestResult::PauseProposed, last_day.to_string()))
    }

    async fn holiday(&self, index: usize, text: &str) -> Result<RequestOutcome, ReplyError> {
        let (accounts, player_id) = (self.replies.accounts(), self.player.player_id);
        let today = accounts.calendar(player_id).await?.zone.day(self.replies.now());
        let Some(days) = dates::days(text, today) else {
            return Ok(RequestOutcome::new(RequestResult::NoDays, harmless(text)));
        };
        let key = self.key(index, &format!("holiday {text}"));
        accounts.book_holiday(player_id, days, Some(key), |_| String::new()).await?;
        let (first, last) = days;
        Ok(RequestOutcome {
            more: last.to_string(),
            ..RequestOutcome::new(RequestResult::Holiday, first.to_string())
        })
    }

    async fn note(&self, line: Option<&str>) -> Result<RequestOutcome, ReplyError> {
        let Ok(claim) = self.replies.seat(self.row).await? else {
            return Ok(RequestOutcome::of(RequestResult::WhichGame));
        };
        let games = self.replies.games();
        let before = letters::note(games, &claim).await?;
        let after = match line {
            None => String::new(),
            // The mail was delivered before.
            Some(line) if before.lines().last() == Some(line) => before,
            Some(line) => format!("{before}\n{line}").trim_start().to_owned(),
        };
        letters::write_note(games, &claim, &after).await?;
        Ok(RequestOutcome::of(if after.is_empty() {
            RequestResult::NoteGone
        } else {
            RequestResult::NoteKept
        }))
    }

    async fn show_note(&self) -> Result<RequestOutcome, ReplyError> {
        let Ok(claim) = self.replies.seat(self.row).await? else {
            return Ok(RequestOutcome::of(RequestResult::WhichGame));
        };
        let note = letters::note(self.replies.games(), &claim).await?;
        Ok(if note.is_empty() {
            RequestOutcome::of(RequestResult::NoteNone)
        } else {
            RequestOutcome::new(RequestResult::Note, note)
        })
    }

    fn explain(&self, rules: &str) -> RequestOutcome {
        let title = rules::find(rules, None).map_or(rules, |rules| rules.title());
        let notation = self.case.language.say(&format!("{rules}-notation"));
        RequestOutcome { more: notation, ..RequestOutcome::new(RequestResult::Notation, title) }
    }
}

fn unknown_rules(name: &str) -> RequestOutcome {
    RequestOutcome { more: titles(), ..RequestOutcome::new(RequestResult::NoRules, harmless(name)) }
}

/// Tells which options the rule set takes, from their schema.
fn unknown_options(rules: &dyn RuleSet) -> RequestOutcome {
    let schema = rules.options_schema();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let options: Vec<_> = properties.map(|(name, values)| format!("{name}={}", values_of(values))).collect();
    let more = if options.is_empty() { "none".to_owned() } else { options.join("; ") };
    RequestOutcome { more, ..RequestOutcome::new(RequestResult::NoOptions, rules.title()) }
}

/// The values of an option, as in `3, 4, 5` or `1-500`.
fn values_of(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| value.to_string().replace('"', "")).collect::<Vec<_>>().join(", ");
    }
    match (&schema["minimum"], &schema["maximum"]) {
        (Value::Null, _) | (_, Value::Null) => "…".to_owned(),
        (fewest, most) => format!("{fewest}-{most}"),
    }
}

/// The names of all rule sets.
fn titles() -> String {
    rules::all().map(RuleSet::title).collect::<Vec<_>>().join(", ")
}

/// What a refused request is told; other failures are those of the server.
fn refusal(error: ReplyError) -> Result<RequestOutcome, ReplyError> {
    let result = match error {
        ReplyError::Game(GameError::UnknownPlayer(handle)) => {
            return Ok(RequestOutcome::new(RequestResult::NoPlayer, handle));
        }
        ReplyError::Game(GameError::SeatsNotPossible(seats)) => {
            let (fewest, most) = (seats.start().to_string(), seats.end().to_string());
            return Ok(RequestOutcome { more: most, ..RequestOutcome::new(RequestResult::NoSeats, fewest) });
        }
        ReplyError::Game(ref refused) => match refused {
            GameError::Full => RequestResult::Full,
            GameError::Cancelled | GameError::NotFound => RequestResult::Gone,
            GameError::Started => RequestResult::Started,
            GameError::NotJoined => RequestResult::NotIn,
            GameError::AddressNotConfirmed => RequestResult::NotConfirmed,
            GameError::TooManyInvitations | GameError::TooManyInvitationsWait => {
                RequestResult::ManyInvitations
            }
            GameError::TooManyOpenGames | GameError::QuotaReached { .. } => RequestResult::ManyGames,
            GameError::ClockRefused(_) | GameError::ClockLogFull | GameError::SeatVacant => {
                RequestResult::NoPause
            }
            GameError::InvalidValue { .. } => RequestResult::NoteLong,
            _ => return Err(error),
        },
        ReplyError::Account(AccountError::TooManyTries(_)) => RequestResult::TooOften,
        ReplyError::Account(AccountError::CalendarRefused(refused)) => match refused {
            CalendarRefused::Overlaps => RequestResult::HolidayTwice,
            CalendarRefused::OverBudget { year, left } => {
                let left = RequestOutcome::new(RequestResult::HolidayOver, left.to_string());
                return Ok(RequestOutcome { more: year.to_string(), ..left });
            }
            _ => RequestResult::NoHoliday,
        },
        _ => return Err(error),
    };
    Ok(RequestOutcome::of(result))
}
