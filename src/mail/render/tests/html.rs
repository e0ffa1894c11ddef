use insta::assert_snapshot;

use super::*;
use crate::notices::AccountLetterKind;

/// What a reader sees of the HTML part: the card, without its styles.
fn card(content: Content) -> String {
    let html = rendered(content).html;
    let start = html.find("<p style=\"margin:0 0 16px;\">Hello").expect("a greeting");
    let end = html.find("</td>").expect("the end of the card");
    let mut parts = html[start..end].split(" style=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    let unstyled = parts.filter_map(|part| part.split_once('"')).map(|(_, rest)| rest);
    unstyled.fold(first, |text, rest| text + rest)
}

#[test]
fn a_turn_mail_says_what_happened_shows_the_board_and_asks_for_a_move() {
    assert_snapshot!(card(Content::Game(samples::turn())), @r#"
    <p>Hello alice,</p>
    <h1>It is your turn in Pip•Pip against bob</h1>
    <h2 class="quiet">What happened since your last move</h2>
    <ul>
    <li>bob rolled a 4.</li>
    <li>bob placed a 4 on e6 with 1 to the north.</li>
    <li>alice rolled a 4.</li>
    </ul>
    <h2 class="quiet">The board</h2>
    <div class="board">
    <pre class="block-1">   +-------+-------+-------+-------+
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
           c       d       e       f</pre>
    <pre class="block-2">( ) light: alice, 0 points, 7 dice to place, store 2
    [ ] dark: bob, 4 points, 7 dice to place, store empty
    Rolled: 4</pre>
    </div>
    <p class="strong">You rolled a 4: place it or store it.</p>
    <p>In notation, for example:
    <code class="code">store</code>
    <code class="code">c3 n1</code>
    <code class="code">c3 n2</code>
    </p>
    <p>You have <strong>7 days</strong>, until Saturday 28 November 2026, 09:06 UTC.</p>
    <p><a class="button" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">Make your move</a></p>
    <p class="quiet">Or open <a class="link" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token</a></p><div class="quiet rule">
    You get this mail because you play at <a class="link" href="https://play.example.org">https://play.example.org</a>.
    When and how you are told is for you to choose: <code class="code">PATCH /api/v1/me/wishes</code> on the <a class="link" href="https://play.example.org/docs/">API page</a>.
    <br>No more mails of this kind: <a class="link" href="https://play.example.org/unsubscribe?token=not-a-real-token">one click</a>
    </div>
    "#);
}

#[test]
fn a_reminder_begins_with_the_time_that_is_left() {
    assert_snapshot!(card(Content::Game(samples::reminder())), @r#"
    <p>Hello alice,</p>
    <h1>It is still your turn in Pip•Pip against bob</h1>
    <p>You have <strong>1 day and 18 hours</strong> left, until Saturday 28 November 2026, 09:06 UTC. If you have not moved by then, you are out of the game.</p>
    <h2 class="quiet">The board</h2>
    <div class="board">
    <pre class="block-1">   a b
     1 x . 1</pre>
    <pre class="block-2">alice: 23 points
    bob: 17 points</pre>
    </div>
    <p class="strong">You rolled a 4: place it or store it.</p>
    <p>In notation, for example:
    <code class="code">store</code>
    <code class="code">c3 n1</code>
    <code class="code">c3 n2</code>
    </p>
    <p><a class="button" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">Make your move</a></p>
    <p class="quiet">Or open <a class="link" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token</a></p><div class="quiet rule">
    You get this mail because you play at <a class="link" href="https://play.example.org">https://play.example.org</a>.
    When and how you are told is for you to choose: <code class="code">PATCH /api/v1/me/wishes</code> on the <a class="link" href="https://play.example.org/docs/">API page</a>.
    <br>No more mails of this kind: <a class="link" href="https://play.example.org/unsubscribe?token=not-a-real-token">one click</a>
    </div>
    "#);
}

#[test]
fn a_started_game_says_whose_move_it_is() {
    assert_snapshot!(card(Content::Game(samples::started())), @r#"
    <p>Hello alice,</p>
    <h1>Your game of Pip•Pip against bob and carol has started</h1>
    <p>It is not your turn yet: a mail will tell you when it is.</p>
    <h2 class="quiet">What has happened so far</h2>
    <ul>
    <li>The game has started.</li>
    <li>bob rolled a 4.</li>
    </ul>
    <h2 class="quiet">The board</h2>
    <div class="board">
    <pre class="block-1">   a b
     1 x . 1</pre>
    <pre class="block-2">alice: 23 points
    bob: 17 points</pre>
    </div>
    <p><a class="button" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">See the game</a></p>
    <p class="quiet">Or open <a class="link" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token</a></p><div class="quiet rule">
    You get this mail because you play at <a class="link" href="https://play.example.org">https://play.example.org</a>.
    When and how you are told is for you to choose: <code class="code">PATCH /api/v1/me/wishes</code> on the <a class="link" href="https://play.example.org/docs/">API page</a>.
    <br>No more mails of this kind: <a class="link" href="https://play.example.org/unsubscribe?token=not-a-real-token">one click</a>
    </div>
    "#);
}

#[test]
fn a_game_that_is_over_says_how_it_ended() {
    assert_snapshot!(card(Content::Game(samples::over())), @r#"
    <p>Hello alice,</p>
    <h1>Your game of Pip•Pip against bob and carol is over</h1>
    <p class="strong">alice won: bob resigned.</p>
    <h2 class="quiet">What happened at the end</h2>
    <ul>
    <li>bob resigned.</li>
    </ul>
    <h2 class="quiet">The board</h2>
    <div class="board">
    <pre class="block-1">   a b
     1 x . 1</pre>
    <pre class="block-2">alice: 23 points
    bob: 17 points</pre>
    </div>
    <p><a class="button" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">Replay and check the game</a></p>
    <p class="quiet">Or open <a class="link" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token</a></p><div class="quiet rule">
    You get this mail because you play at <a class="link" href="https://play.example.org">https://play.example.org</a>.
    When and how you are told is for you to choose: <code class="code">PATCH /api/v1/me/wishes</code> on the <a class="link" href="https://play.example.org/docs/">API page</a>.
    <br>No more mails of this kind: <a class="link" href="https://play.example.org/unsubscribe?token=not-a-real-token">one click</a>
    </div>
    "#);
}

#[test]
fn a_digest_begins_with_what_is_most_urgent() {
    assert_snapshot!(card(Content::Digest(samples::digest())), @r#"
    <p>Hello alice,</p>
    <h1>2 games wait for you</h1>
    <div class="board">
    <p class="strong">Pip•Pip against bob</p>
    <p>You rolled a 4: place it or store it.</p>
    <p class="quiet"><strong>1 day and 18 hours</strong> left, until Monday 23 November 2026, 09:06 UTC</p>
    <p><a class="button" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">Make your move</a></p>
    </div>
    <div class="board">
    <p class="strong">Pippinzip against carol</p>
    <p>Place two black stones.</p>
    <p class="quiet">no time limit</p>
    <p><a class="button" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">Make your move</a></p>
    </div>
    <h2 class="quiet">Where you wait for others</h2>
    <ul>
    <li><a class="link" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">Serpent against dave</a>: dave is to move</li>
    </ul>
    <div class="quiet rule">
    You get this mail once a day because you asked for it at <a class="link" href="https://play.example.org">https://play.example.org</a>.
    When and how you are told is for you to choose: <code class="code">PATCH /api/v1/me/wishes</code> on the <a class="link" href="https://play.example.org/docs/">API page</a>.
    <br>No more mails of this kind: <a class="link" href="https://play.example.org/unsubscribe?token=not-a-real-token">one click</a>
    </div>
    "#);
}

#[test]
fn an_invitation_says_who_asks_and_what_for() {
    assert_snapshot!(card(Content::Invitation(samples::invitation())), @r#"
    <p>Hello alice,</p>
    <h1>bob invites you to a game of Pip•Pip by mail</h1>
    <p>It is a game for 3 players. carol has joined already. Each player has 7 days for each move.</p>
    <p><a class="button" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">Join the game</a></p>
    <p class="quiet">Or open <a class="link" href="https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token">https://play.example.org/games/019a9f00-0000-7000-8000-00000000000a?token=not-a-real-token</a></p><div class="quiet rule">
    You get this mail because bob, who plays at <a class="link" href="https://play.example.org">https://play.example.org</a>, named your address. If you do not want to play, you need not do anything.
    <br>No more mails of this kind: <a class="link" href="https://play.example.org/unsubscribe?token=not-a-real-token">one click</a>
    </div>
    "#);
}

#[test]
fn an_address_is_confirmed_by_a_link_that_says_how_long_it_works() {
    assert_snapshot!(card(Content::Account(samples::account(AccountLetterKind::ConfirmEmail))), @r#"
    <p>Hello alice,</p>
    <h1>Please confirm your address</h1>
    <p>Please confirm that this is your address. Then <a class="link" href="https://play.example.org">https://play.example.org</a> can tell you by mail when it is your turn.</p>
    <p><a class="button" href="https://play.example.org/confirm-email?token=not-a-real-token">Confirm this address</a></p>
    <p class="quiet">Or open <a class="link" href="https://play.example.org/confirm-email?token=not-a-real-token">https://play.example.org/confirm-email?token=not-a-real-token</a></p><p>The link works until Sunday 22 November 2026, 09:06 UTC.</p>
    <div class="quiet rule">
    You get this mail because somebody gave your address for the account <strong>alice</strong>. If it was not you, you need not do anything: without your confirmation no mails about games will come.
    </div>
    "#);
}

#[test]
fn a_new_password_is_set_by_a_link_that_says_how_long_it_works() {
    assert_snapshot!(card(Content::Account(samples::account(AccountLetterKind::ResetPassword))), @r#"
    <p>Hello alice,</p>
    <h1>Set a new password</h1>
    <p>You can set a new password for your account at <a class="link" href="https://play.example.org">https://play.example.org</a>.</p>
    <p><a class="button" href="https://play.example.org/reset-password?token=not-a-real-token">Set a new password</a></p>
    <p class="quiet">Or open <a class="link" href="https://play.example.org/reset-password?token=not-a-real-token">https://play.example.org/reset-password?token=not-a-real-token</a></p><p>The link works once, until Sunday 22 November 2026, 09:06 UTC.</p>
    <div class="quiet rule">
    You get this mail because somebody asked for a new password for the account <strong>alice</strong>. If it was not you, you need not do anything: your password stays as it is.
    </div>
    "#);
}
