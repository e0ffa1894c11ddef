//! One letter of each kind, for tests: a game as people would play it, and people who do not exist.

use time::Duration;
use time::macros::datetime;
use uuid::{Uuid, uuid};

use super::Content;
use crate::notices::{AccountLetter, AccountLetterKind, GameLetter, GameLetterKind, InvitationLetter};

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

pub fn game(kind: GameLetterKind) -> GameLetter {
    let running = kind != GameLetterKind::Over;
    let asked = matches!(kind, GameLetterKind::Turn | GameLetterKind::Reminder);
    let sentences = ["bob rolled a 4.", "bob placed a 4 on e6 with 1 to the north.", "alice rolled a 4."];
    GameLetter {
        kind,
        game_id: GAME,
        rules_title: "Pip•Pip".to_owned(),
        opponents: vec!["bob".to_owned()],
        happened: if kind == GameLetterKind::Started {
            vec!["bob rolled a 4.".to_owned()]
        } else {
            sentences.map(str::to_owned).to_vec()
        },
        board: BOARD.to_owned(),
        to_do: asked.then(|| "You rolled a 4: place it or store it.".to_owned()),
        legal_notation: if asked {
            ["store", "c3 n1", "c3 n2"].map(str::to_owned).to_vec()
        } else {
            Vec::new()
        },
        deadline: asked.then_some(datetime!(2026-11-28 09:06 UTC)),
        time_left: match kind {
            GameLetterKind::Turn => Some(Duration::hours(7 * 24)),
            GameLetterKind::Reminder => Some(Duration::hours(42)),
            GameLetterKind::Started | GameLetterKind::Over => None,
        },
        result: (!running).then(|| "You won by 23 points to 17.".to_owned()),
        link: format!("https://play.example.org/games/{GAME}"),
    }
}

pub fn invitation() -> InvitationLetter {
    InvitationLetter {
        game_id: GAME,
        rules_title: "Pip•Pip".to_owned(),
        from: "bob".to_owned(),
        joined: vec!["bob".to_owned()],
        seats: 2,
        limit_hours: Some(7 * 24),
        link: format!("https://play.example.org/games/{GAME}?invitation=not-a-real-token"),
    }
}

pub fn account(kind: AccountLetterKind) -> AccountLetter {
    let link = "https://play.example.org/confirm-email?token=not-a-real-token".to_owned();
    AccountLetter { kind, link, expires_at: datetime!(2026-11-22 09:06 UTC) }
}

pub fn all() -> Vec<Content> {
    vec![
        Content::Game(game(GameLetterKind::Turn)),
        Content::Game(game(GameLetterKind::Reminder)),
        Content::Game(game(GameLetterKind::Started)),
        Content::Game(game(GameLetterKind::Over)),
        Content::Invitation(invitation()),
        Content::Account(account(AccountLetterKind::ConfirmEmail)),
        Content::Account(account(AccountLetterKind::ResetPassword)),
    ]
}
