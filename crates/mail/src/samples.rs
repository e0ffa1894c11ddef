//! One content of each kind for tests, with a realistic game and fictional people.

use time::Duration;
use time::macros::{date, datetime};
use uuid::{Uuid, uuid};

use super::{Content, MailCheckpoint};
use pippost_clock::TimeControl;
use pippost_notices::{
    AccountContent, Answer, AnswerContent, ChallengeContent, ClubContent, DigestContent, DigestGame,
    DigestNews, DigestProblem, ExpiredContent, GameContent, HolidayTold, InvitationContent,
    ModerationContent, OrdersFate, PauseAsked, RequestOutcome, RequestResult, SeatTold, StopReason, Stopped,
    TableFate, Verdict, WebhookContent,
};
use pippost_store::NoticeKind;
use pippost_store::clubs::Told;
use pippost_store::moderation::{ActKind, ReportReason};

pub const GAME: Uuid = uuid!("019a9f00-0000-7000-8000-00000000000a");

const BOARD: &str = "   +-------+-------+-------+-------+
   |       |       |   1   |       |
 6 |   :   |   .   | 5[4]2 |   .   |
   |       |       |   6   |       |
   +-------+-------+-------+-------+
   |       |   2   |       |       |
 5 |   .   | 3(6)4 |   .   |   :   |
   |       |   5   |       |       |
   +-------+-------+-------+-------+
   |       |       |       |       |
 4 |   :   |   .   |   :   |   .   |
   |       |       |       |       |
   +-------+-------+-------+-------+
   |       |       |       |       |
 3 |   .   |   :   |   .   |   :   |
   |       |       |       |       |
   +-------+-------+-------+-------+
       c       d       e       f

( ) light: alice, 0 points, 7 dice to place, store 2
[ ] dark: bob, 4 points, 7 dice to place, store empty
Rolled: 4
";

/// A board for tests that do not depend on it.
const SMALL_BOARD: &str = "   a b\n 1 x . 1\n\nalice: 23 points\nbob: 17 points\n";

/// The checkpoint of a log, signed by nobody's key.
pub fn checkpoint() -> MailCheckpoint {
    let note = "play.example.org/log\n81234\nZHVtbXkgcm9vdCBvZiBhIGxvZywgMzIgYnl0ZXMgbG8=\n\n\u{2014} play.example.org/log bm9ib2R5J3Mgc2lnbmF0dXJl\n";
    MailCheckpoint::of_note(note).expect("a note")
}

pub fn turn() -> GameContent {
    let happened = ["bob rolled a 4.", "bob placed a 4 on e6 with 1 to the north.", "alice rolled a 4."];
    GameContent {
        kind: NoticeKind::Turn,
        game_id: GAME,
        number: Some(12),
        seq: 7.into(),
        rules_title: "Six•Six".to_owned(),
        game_title: None,
        opponents: vec!["bob".to_owned()],
        happened: happened.map(str::to_owned).to_vec(),
        has_moved: true,
        said: Vec::new(),
        board: BOARD.to_owned(),
        picture: None,
        to_do: Some("You rolled a 4: place it or store it.".to_owned()),
        legal_notation: ["store", "c3 n1", "c3 n2"].map(str::to_owned).to_vec(),
        deadline: Some(datetime!(2026-11-28 09:06 UTC)),
        time_left: Some(Duration::days(7)),
        pause: None,
        holiday: None,
        seat: None,
        result: None,
        link: format!("https://play.example.org/games/{GAME}?token=not-a-real-token"),
    }
}

pub fn reminder() -> GameContent {
    let (kind, time_left) = (NoticeKind::Reminder, Some(Duration::hours(42)));
    GameContent { kind, time_left, happened: Vec::new(), board: SMALL_BOARD.to_owned(), ..turn() }
}

/// The time ran out, and a holiday began by itself.
fn saved_by_holiday() -> GameContent {
    let holiday = HolidayTold { last_day: date!(2026 - 12 - 02), days: 5, left: 9 };
    GameContent { holiday: Some(holiday), ..reminder() }
}

/// Another player proposes a pause.
pub fn pause_proposed() -> GameContent {
    let until = Some(datetime!(2026-12-06 18:00 UTC));
    let pause = Some(PauseAsked { by: "bob".to_owned(), until });
    let kind = NoticeKind::PauseProposed;
    GameContent { kind, pause, happened: Vec::new(), board: SMALL_BOARD.to_owned(), ..turn() }
}

/// A seat is offered, because its flag fell.
pub fn seat_offered() -> GameContent {
    let until = Some(datetime!(2026-12-01 18:00 UTC));
    let seat = Some(SeatTold { before: "bob".to_owned(), taken_by: None, until });
    let kind = NoticeKind::SeatOffered;
    GameContent { kind, seat, happened: Vec::new(), board: SMALL_BOARD.to_owned(), ..turn() }
}

/// A substitute has taken a seat.
pub fn seat_taken() -> GameContent {
    let seat = Some(SeatTold { before: "bob".to_owned(), taken_by: Some("dave".to_owned()), until: None });
    GameContent { kind: NoticeKind::SeatTaken, seat, ..seat_offered() }
}

/// Another player has written twice.
pub fn message() -> GameContent {
    let said = ["bob says: “Good luck, and have fun!”", "bob says: “How did you find that move on e6?”"];
    let said = said.map(str::to_owned).to_vec();
    let kind = NoticeKind::Message;
    GameContent { kind, said, happened: Vec::new(), board: SMALL_BOARD.to_owned(), ..turn() }
}

/// The game has started, and somebody else moves first.
pub fn started() -> GameContent {
    GameContent {
        kind: NoticeKind::GameStarted,
        opponents: ["bob", "carol"].map(str::to_owned).to_vec(),
        happened: vec!["The game has started.".to_owned(), "bob rolled a 4.".to_owned()],
        has_moved: false,
        board: SMALL_BOARD.to_owned(),
        to_do: None,
        legal_notation: Vec::new(),
        deadline: None,
        time_left: None,
        ..turn()
    }
}

pub fn over() -> GameContent {
    GameContent {
        kind: NoticeKind::GameOver,
        happened: vec!["bob resigned.".to_owned()],
        result: Some("alice won: bob resigned.".to_owned()),
        ..started()
    }
}

/// Two games wait for the player, one of them without a limit; one game waits for somebody else.
pub fn digest() -> DigestContent {
    let game = |rules: &str, opponent: &str, to_do: Option<&str>| DigestGame {
        number: Some(15),
        rules_title: rules.to_owned(),
        opponents: vec![opponent.to_owned()],
        to_do: to_do.map(str::to_owned),
        waits_for: None,
        deadline: None,
        time_left: None,
        link: format!("https://play.example.org/games/{GAME}?token=not-a-real-token"),
    };
    let urgent = DigestGame {
        number: Some(12),
        deadline: Some(datetime!(2026-11-23 09:06 UTC)),
        time_left: Some(Duration::hours(42)),
        ..game("Six•Six", "bob", Some("You rolled a 4: place it or store it."))
    };
    let mine = vec![urgent, game("Hexagrams", "carol", Some("Place two black stones."))];
    let others = vec![DigestGame { waits_for: Some("dave".to_owned()), ..game("Mancala", "dave", None) }];
    DigestContent { mine, others, ..DigestContent::default() }
}

/// The same with news, and news alone.
pub fn digest_with_news() -> DigestContent {
    let news = vec![
        DigestNews::Game(Box::new(over())),
        DigestNews::Game(Box::new(pause_proposed())),
        DigestNews::Invitation(invitation()),
        DigestNews::Challenge(challenge()),
        DigestNews::Club(club(Told::Asked)),
        DigestNews::Expired(expired()),
    ];
    DigestContent { news, more_news: 3, ..digest() }
}

pub fn digest_of_news() -> DigestContent {
    DigestContent { mine: Vec::new(), others: Vec::new(), more_news: 0, ..digest_with_news() }
}

/// The problem of the day, which alone makes a digest.
fn problem() -> DigestProblem {
    let of = |number: u8| format!("https://play.example.org/problems/019a9f00-0000-4000-8000-{number:012}");
    DigestProblem {
        rules_title: "Six•Six".to_owned(),
        mover: "bob".to_owned(),
        to_do: "You rolled a 4: place it or store it.".to_owned(),
        board: BOARD.to_owned(),
        picture: None,
        link: of(1),
        answer_before: Some(format!("{}?answer=c3%20n1", of(2))),
    }
}

pub fn digest_of_problem() -> DigestContent {
    DigestContent { problem: Some(problem()), ..DigestContent::default() }
}

/// The first problem ever, beside games that wait.
fn digest_with_problem() -> DigestContent {
    let problem = DigestProblem { answer_before: None, ..problem() };
    DigestContent { problem: Some(problem), ..digest() }
}

pub fn invitation() -> InvitationContent {
    InvitationContent {
        game_id: GAME,
        rules_title: "Six•Six".to_owned(),
        from: "bob".to_owned(),
        joined: ["bob", "carol"].map(str::to_owned).to_vec(),
        seats: 3,
        time_control: TimeControl::limited(7 * 24),
        substitutes: true,
        link: format!("https://play.example.org/games/{GAME}?token=not-a-real-token"),
    }
}

/// A game of three that carol had joined, too.
pub fn expired() -> ExpiredContent {
    ExpiredContent {
        game_id: GAME,
        number: Some(13),
        rules_title: "Six•Six".to_owned(),
        others: vec!["carol".to_owned()],
        missing: 1,
        created_at: datetime!(2026-10-22 09:06 UTC),
        link: "https://play.example.org/games/new?rules=six-six".to_owned(),
    }
}

/// A game that was full, but did not start.
fn expired_full() -> ExpiredContent {
    ExpiredContent { others: ["bob", "carol"].map(str::to_owned).to_vec(), missing: 0, ..expired() }
}

pub fn account(kind: NoticeKind) -> AccountContent {
    let page = match kind {
        NoticeKind::AddressChanged => String::new(),
        NoticeKind::ConfirmHelp => "confirm-email".to_owned(),
        kind => kind.as_str().replace('_', "-"),
    };
    let link = format!("https://play.example.org/{page}?token=not-a-real-token");
    AccountContent { kind, link, expires_at: datetime!(2026-11-22 09:06 UTC) }
}

/// A challenge of bob's.
pub fn challenge() -> ChallengeContent {
    ChallengeContent {
        rules_title: "Six•Six".to_owned(),
        from: "bob".to_owned(),
        until: datetime!(2026-11-28 12:00 UTC),
        is_last: false,
        link: "https://play.example.org/ladders/six-six".to_owned(),
    }
}

/// What happened about a club.
pub fn club(told: Told) -> ClubContent {
    ClubContent {
        told,
        club: "The <Dice>".to_owned(),
        player: if told == Told::Asked { "bob" } else { "alice" }.to_owned(),
        link: "https://play.example.org/clubs/019a9f00-0000-7000-8000-00000000000c".to_owned(),
    }
}

/// A webhook that has failed for three days.
pub fn webhook() -> WebhookContent {
    WebhookContent { host: "hooks.example.com".to_owned(), failing_since: datetime!(2026-11-18 09:06 UTC) }
}

/// What an operator did about alice.
pub fn moderation(kind: ActKind) -> ModerationContent {
    ModerationContent {
        kind,
        reason: ReportReason::Insult,
        words: "You called bob names in three games. Talk about the game, or say nothing.".to_owned(),
        ends_at: (kind == ActKind::Mute).then_some(datetime!(2026-11-28 12:00 UTC)),
        link: "https://play.example.org/moderation/act?token=dG9rZW4".to_owned(),
    }
}

/// The answer to a mail from alice.
pub fn answer(verdict: Verdict) -> AnswerContent {
    let refused = verdict.is_refusal();
    AnswerContent {
        game: Some(turn()),
        games: None,
        who: Vec::new(),
        answer: Answer { help: refused, table: TableFate::Told, ..Answer::new(verdict) },
        notation_help: "\"c6 n1\" places the die on c6 with its 1 to the north.".to_owned(),
        legal: if refused { turn().legal_notation } else { Vec::new() },
        more_legal: if refused { 61 } else { 0 },
        also: Vec::new(),
        more_also: 0,
    }
}

/// All verdicts, each about this `part` of a mail for this reason where it names one.
pub fn verdicts(part: &str, why: &str) -> Vec<Verdict> {
    let (part, why) = (|| part.to_owned(), || why.to_owned());
    let stopped = |reason| {
        let understood = if reason == StopReason::Unreadable { "c6 n".to_owned() } else { String::new() };
        let stopped =
            Stopped { reason, part: "c6 n9".to_owned(), understood, why: why(), rest: vec![part()] };
        Verdict::Moved { done: vec!["store".to_owned()], stopped: Some(stopped) }
    };
    vec![
        Verdict::Moved { done: vec!["store".to_owned()], stopped: None },
        moved(None),
        stopped(StopReason::Unreadable),
        stopped(StopReason::Illegal),
        stopped(StopReason::TurnOver),
        stopped(StopReason::GameOver),
        stopped(StopReason::TooLong),
        Verdict::Resigned,
        Verdict::Told,
        Verdict::Empty,
        Verdict::NoOrder,
        Verdict::NoGame,
        Verdict::NotStarted,
        Verdict::Asked { actions: vec![part()], preview: false },
        Verdict::Asked { actions: vec![part()], preview: true },
        Verdict::Declined,
        Verdict::NothingAsked,
        Verdict::Confirmed,
        Verdict::PauseAgreed,
        Verdict::PauseDeclined,
        Verdict::PauseGone,
        Verdict::TooMuch,
        Verdict::Sealed,
        Verdict::TooManyMails,
        Verdict::Unreadable { part: part(), understood: String::new(), why: why() },
        Verdict::Unreadable { part: "store please".to_owned(), understood: "store".to_owned(), why: why() },
        Verdict::Illegal { part: part(), why: why() },
        Verdict::Incomplete { part: part(), why: why() },
        Verdict::NotYourTurn,
        Verdict::Left,
        Verdict::GameOver,
        Verdict::TooLong,
        Verdict::Late,
        Verdict::Used,
        Verdict::Expired,
        Verdict::OtherAddress,
        Verdict::NoSender,
        Verdict::Forged,
        Verdict::ConfirmResign { word: "k4zt2a".to_owned() },
        Verdict::Unknown,
    ]
}

fn moved(stopped: Option<Stopped>) -> Verdict {
    Verdict::Moved { done: vec!["store".to_owned(), "d4 n2".to_owned()], stopped }
}

/// A mail of which only the first half was done; it also holds greetings and a signature.
fn stopped() -> AnswerContent {
    let stopped = Stopped {
        reason: StopReason::Unreadable,
        part: "c6 n9".to_owned(),
        understood: "c6 n".to_owned(),
        why: "expected the face that looks north, 1 to 6".to_owned(),
        rest: vec!["roll".to_owned()],
    };
    let content = answer(moved(Some(stopped)));
    let left_out = vec!["Hi bob".to_owned(), "veel plezier".to_owned()];
    let answer = Answer { left_out, table: TableFate::Signature, ..content.answer };
    AnswerContent { answer, legal: turn().legal_notation, more_legal: 61, ..content }
}

/// A mail with a move and orders for later.
fn ordered() -> AnswerContent {
    let content = answer(moved(None));
    let lines = ["if c6 n1 then d4 n2 if pass then store", "otherwise store", "always forced"];
    let order_lines = lines.map(str::to_owned).to_vec();
    let answer = Answer { orders: OrdersFate::Given, order_lines, table: TableFate::None, ..content.answer };
    AnswerContent { answer, ..content }
}

/// An answer that is about no game that has started: to a request, and to a question for all games.
fn general() -> AnswerContent {
    let opened = RequestOutcome {
        result: RequestResult::Opened,
        number: Some(17),
        about: "Six•Six".to_owned(),
        more: "2".to_owned(),
    };
    let open = DigestGame {
        number: Some(17),
        to_do: None,
        deadline: None,
        time_left: None,
        opponents: Vec::new(),
        ..digest().mine.remove(0)
    };
    let games = DigestContent { open: vec![open], ..digest() };
    let answer = Answer { outcomes: vec![opened], games: true, ..Answer::new(Verdict::Told) };
    AnswerContent { game: None, games: Some(games), answer, ..self::answer(Verdict::Told) }
}

/// The answer to a yes that confirms an address.
fn confirmed() -> AnswerContent {
    AnswerContent { game: None, answer: Answer::new(Verdict::Confirmed), ..answer(Verdict::Told) }
}

/// The answer to `who`.
fn who() -> AnswerContent {
    let content = answer(Verdict::Told);
    let answer = Answer { who: true, table: TableFate::None, ..content.answer };
    let who = ["alice is to move and has 7 days.", "bob waits."].map(str::to_owned).to_vec();
    AnswerContent { answer, who, ..content }
}

/// All kinds of mails with names.
pub fn named() -> Vec<(&'static str, Content)> {
    let illegal = Verdict::Illegal { part: "d4 n2".to_owned(), why: "d4 is taken".to_owned() };
    vec![
        ("turn", Content::Game(turn())),
        ("reminder", Content::Game(reminder())),
        ("holiday", Content::Game(saved_by_holiday())),
        ("pause_proposed", Content::Game(pause_proposed())),
        ("seat_offered", Content::Game(seat_offered())),
        ("seat_taken", Content::Game(seat_taken())),
        ("message", Content::Game(message())),
        ("started", Content::Game(started())),
        ("over", Content::Game(over())),
        ("digest", Content::Digest(digest())),
        ("digest_with_news", Content::Digest(digest_with_news())),
        ("digest_of_news", Content::Digest(digest_of_news())),
        ("digest_of_problem", Content::Digest(digest_of_problem())),
        ("digest_with_problem", Content::Digest(digest_with_problem())),
        ("invitation", Content::Invitation(invitation())),
        ("invitation_answered", Content::InvitationAnswered(invitation())),
        ("challenge", Content::Challenge(challenge())),
        ("challenge_last", Content::Challenge(ChallengeContent { is_last: true, ..challenge() })),
        ("club_asked", Content::Club(club(Told::Asked))),
        ("club_admitted", Content::Club(club(Told::Admitted))),
        ("club_refused", Content::Club(club(Told::Refused))),
        ("game_expired", Content::Expired(expired())),
        ("game_expired_full", Content::Expired(expired_full())),
        ("confirm_email", Content::Account(account(NoticeKind::ConfirmEmail))),
        ("confirm_help", Content::Account(account(NoticeKind::ConfirmHelp))),
        ("reset_password", Content::Account(account(NoticeKind::ResetPassword))),
        ("address_in_use", Content::AddressInUse(account(NoticeKind::ResetPassword))),
        ("address_changed", Content::Account(account(NoticeKind::AddressChanged))),
        ("warned", Content::Moderation(moderation(ActKind::Warning))),
        ("muted", Content::Moderation(moderation(ActKind::Mute))),
        ("closed", Content::Moderation(moderation(ActKind::Close))),
        ("removed", Content::Moderation(moderation(ActKind::Removal))),
        ("webhook_disabled", Content::WebhookDisabled(webhook())),
        ("moved", Content::Answer(answer(moved(None)))),
        ("stopped", Content::Answer(stopped())),
        ("ordered", Content::Answer(ordered())),
        ("general", Content::Answer(general())),
        ("who", Content::Answer(who())),
        ("confirmed", Content::Answer(confirmed())),
        (
            "asked",
            Content::Answer(answer(Verdict::Asked { actions: vec!["store".to_owned()], preview: false })),
        ),
        ("how_to_move", Content::HowToMove(digest())),
        ("illegal", Content::Answer(answer(illegal))),
        ("confirm_resign", Content::Answer(answer(Verdict::ConfirmResign { word: "k4zt2a".to_owned() }))),
    ]
}

pub fn all() -> Vec<Content> {
    named().into_iter().map(|(_, content)| content).collect()
}
