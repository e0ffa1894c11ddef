use insta::assert_snapshot;

use super::*;
use crate::notices::AccountLetterKind;

fn text(content: Content) -> String {
    rendered(content).text
}

#[test]
fn a_turn_mail_says_what_happened_shows_the_board_and_asks_for_a_move() {
    assert_snapshot!(text(Content::Game(samples::turn())), @r#"
    Hello alice,

    It is your turn in Pip•Pip against bob.

    What happened since your last move:
    - bob rolled a 4.
    - bob placed a 4 on e6 with 1 to the north.
    - alice rolled a 4.

    The board:

       +-------+-------+-------+-------+
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

    You rolled a 4: place it or store it.

    In notation, for example:
      store
      c3 n1
      c3 n2

    You have 7 days, until Saturday 28 November 2026, 09:06 UTC.

    Make your move here:
    https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    -- 
    You get this mail because you play at https://play.example.org.
    When and how you are told is for you to choose: PATCH /api/v1/me/wishes on the
    API page.
    https://play.example.org/docs/

    No more mails of this kind:
    https://play.example.org/unsubscribe?token=not-a-real-token
    "#);
}

#[test]
fn a_reminder_begins_with_the_time_that_is_left() {
    assert_snapshot!(text(Content::Game(samples::reminder())), @r#"
    Hello alice,

    A reminder: it is still your turn in Pip•Pip against bob.

    You have 1 day and 18 hours left, until Saturday 28 November 2026, 09:06 UTC.
    If you have not moved by then, you are out of the game.

    The board:

       a b
     1 x . 1

    alice: 23 points
    bob: 17 points

    You rolled a 4: place it or store it.

    In notation, for example:
      store
      c3 n1
      c3 n2

    Make your move here:
    https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    -- 
    You get this mail because you play at https://play.example.org.
    When and how you are told is for you to choose: PATCH /api/v1/me/wishes on the
    API page.
    https://play.example.org/docs/

    No more mails of this kind:
    https://play.example.org/unsubscribe?token=not-a-real-token
    "#);
}

#[test]
fn a_started_game_says_whose_move_it_is() {
    assert_snapshot!(text(Content::Game(samples::started())), @r#"
    Hello alice,

    Your game of Pip•Pip against bob and carol has started. It is not your turn
    yet: a mail will tell you when it is.

    What has happened so far:
    - The game has started.
    - bob rolled a 4.

    The board:

       a b
     1 x . 1

    alice: 23 points
    bob: 17 points

    See the game here:
    https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    -- 
    You get this mail because you play at https://play.example.org.
    When and how you are told is for you to choose: PATCH /api/v1/me/wishes on the
    API page.
    https://play.example.org/docs/

    No more mails of this kind:
    https://play.example.org/unsubscribe?token=not-a-real-token
    "#);
}

#[test]
fn a_game_that_is_over_says_how_it_ended() {
    assert_snapshot!(text(Content::Game(samples::over())), @r#"
    Hello alice,

    Your game of Pip•Pip against bob and carol is over. alice won: bob resigned.

    What happened at the end:
    - bob resigned.

    The board:

       a b
     1 x . 1

    alice: 23 points
    bob: 17 points

    The game, with its record to replay and check:
    https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    -- 
    You get this mail because you play at https://play.example.org.
    When and how you are told is for you to choose: PATCH /api/v1/me/wishes on the
    API page.
    https://play.example.org/docs/

    No more mails of this kind:
    https://play.example.org/unsubscribe?token=not-a-real-token
    "#);
}

#[test]
fn a_digest_begins_with_what_is_most_urgent() {
    assert_snapshot!(text(Content::Digest(samples::digest())), @r#"
    Hello alice,

    2 games wait for you:

    - Pip•Pip against bob
      You rolled a 4: place it or store it.
      1 day and 18 hours left, until Monday 23 November 2026, 09:06 UTC
      https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    - Pippinzip against carol
      Place two black stones.
      no time limit
      https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    Where you wait for others:
    - Serpent against dave: dave is to move

    -- 
    You get this mail once a day because you asked for it at
    https://play.example.org.
    When and how you are told is for you to choose: PATCH /api/v1/me/wishes on the
    API page.
    https://play.example.org/docs/

    No more mails of this kind:
    https://play.example.org/unsubscribe?token=not-a-real-token
    "#);
}

#[test]
fn a_turn_mail_in_german_shows_the_time_of_the_players_zone() {
    let letter = GameLetter { board: "   a b\n 1 x . 1\n".to_owned(), ..samples::turn() };
    assert_snapshot!(rendered_for(Content::Game(letter), &german()).text, @r#"
    Hallo alice,

    Du bist am Zug in Pip•Pip gegen bob.

    Was seit deinem letzten Zug geschehen ist:
    - bob rolled a 4.
    - bob placed a 4 on e6 with 1 to the north.
    - alice rolled a 4.

    Das Brett:

       a b
     1 x . 1

    You rolled a 4: place it or store it.

    In Notation, zum Beispiel:
      store
      c3 n1
      c3 n2

    Du hast 7 Tage Zeit, bis Samstag, 28. November 2026, 10:06 Uhr (CET).

    Hier geht es zu deinem Zug:
    https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    -- 
    Du bekommst diese Mail, weil du auf https://play.example.org spielst.
    Wann und wie du Bescheid bekommst, bestimmst du: PATCH /api/v1/me/wishes auf
    der API-Seite.
    https://play.example.org/docs/

    Keine Mails dieser Art mehr:
    https://play.example.org/unsubscribe?token=not-a-real-token
    "#);
}

#[test]
fn a_digest_in_german() {
    assert_snapshot!(rendered_for(Content::Digest(samples::digest()), &german()).text, @r#"
    Hallo alice,

    2 Spiele warten auf dich:

    - Pip•Pip gegen bob
      You rolled a 4: place it or store it.
      noch 1 Tag und 18 Stunden, bis Montag, 23. November 2026, 10:06 Uhr (CET)
      https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    - Pippinzip gegen carol
      Place two black stones.
      ohne Zeitbegrenzung
      https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    Wo du auf andere wartest:
    - Serpent gegen dave: dave ist am Zug

    -- 
    Du bekommst diese Mail einmal am Tag, weil du auf https://play.example.org
    darum gebeten hast.
    Wann und wie du Bescheid bekommst, bestimmst du: PATCH /api/v1/me/wishes auf
    der API-Seite.
    https://play.example.org/docs/

    Keine Mails dieser Art mehr:
    https://play.example.org/unsubscribe?token=not-a-real-token
    "#);
}

#[test]
fn an_invitation_says_who_asks_and_what_for() {
    assert_snapshot!(text(Content::Invitation(samples::invitation())), @r#"
    Hello alice,

    bob invites you to a game of Pip•Pip by mail.

    It is a game for 3 players. carol has joined already. Each player has 7 days
    for each move.

    Join here:
    https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token

    -- 
    You get this mail because bob, who plays at https://play.example.org, named
    your address. If you do not want to play, you need not do anything.

    No more mails of this kind:
    https://play.example.org/unsubscribe?token=not-a-real-token
    "#);
}

#[test]
fn an_address_is_confirmed_by_a_link_that_says_how_long_it_works() {
    assert_snapshot!(text(Content::Account(samples::account(AccountLetterKind::ConfirmEmail))), @r#"
    Hello alice,

    Please confirm that this is your address. Then https://play.example.org can
    tell you by mail when it is your turn.

    Confirm it here:
    https://play.example.org/confirm-email?token=not-a-real-token

    The link works until Sunday 22 November 2026, 09:06 UTC.

    -- 
    You get this mail because somebody gave your address for the account alice. If
    it was not you, you need not do anything: without your confirmation no mails
    about games will come.
    "#);
}

#[test]
fn a_new_password_is_set_by_a_link_that_says_how_long_it_works() {
    assert_snapshot!(text(Content::Account(samples::account(AccountLetterKind::ResetPassword))), @r#"
    Hello alice,

    You can set a new password for your account at https://play.example.org.

    Set it here:
    https://play.example.org/reset-password?token=not-a-real-token

    The link works once, until Sunday 22 November 2026, 09:06 UTC.

    -- 
    You get this mail because somebody asked for a new password for the account
    alice. If it was not you, you need not do anything: your password stays as it
    is.
    "#);
}
