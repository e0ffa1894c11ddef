//! The receiving mail server's findings about senders, read from mails over LMTP: forged answers get a warning or are refused,
//! as configured.

use pippost::keys::SharedSecret;
use pippost::replies::AuthenticationPolicy;
use pippost::settings::ForgedSenders;

use super::{Got, Post, Sent};
use support::games::pip_pip;
use support::lmtp::Lmtp;
use support::{INBOUND_SECRET, REPLY_ADDRESS, TestApp};

/// The name of the receiving server.
const AUTHSERV_ID: &str = "mx.example.org";

/// The outcome of an answer `store` with such fields above its own.
struct Outcome {
    moved: bool,
    told: Got,
}

/// Delivers an answer of ann's to a server with this policy for forged senders.
async fn deliver(authserv_id: Option<&str>, forged: ForgedSenders, fields: &str) -> Outcome {
    let mut app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let policy = AuthenticationPolicy { authserv_id: authserv_id.map(str::to_owned), forged };
    let address = Some(REPLY_ADDRESS.parse().expect("an address"));
    app.app = app.app.clone().with_replies(address, SharedSecret::new(INBOUND_SECRET), policy);
    let post = Post::of(&app);
    let sent = Sent { headers: String::new(), ..Sent::answer("ann", &post.last("ann").await, "store") };
    let lmtp = Lmtp::start(&app);
    let raw = format!("{fields}{}", sent.raw());
    assert_eq!(lmtp.deliver("ann@example.org", &sent.to, &raw).await, "250 2.0.0 taken");
    let mails = post.all("ann").await;
    let told = mails.into_iter().rfind(|mail| mail.kind == "answer").expect("an answer");
    Outcome { moved: ann.get(&game).await.ok()["seq"] == 1, told }
}

/// Whether the mail mentions the mail server's findings.
fn speaks_of_the_sender(told: &Got) -> bool {
    let said = told.text.split_whitespace().collect::<Vec<_>>().join(" ");
    said.contains("the mail server says that the sender is forged")
        || said.contains("The mail server doubts that this mail came from you")
}

/// Fields that state that the sender is forged: with the trusted server's name, in the forms that servers write.
const FORGED: [&str; 6] = [
    "Authentication-Results: mx.example.org; dmarc=fail (p=reject dis=none) header.from=example.org\r\n",
    "authentication-results: MX.example.org 1;\r\n\tspf=fail (not allowed; see mx.example.org) smtp.mailfrom=ann@example.org\r\n",
    "Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=eve.example; dmarc=fail header.from=example.org\r\n",
    "Authentication-Results: \"mx.example.org\"; dkim=fail header.d=example.org; spf=softfail\r\n",
    // The lower field came with the mail from outside.
    "Authentication-Results: mx.example.org; dmarc=fail\r\nAuthentication-Results: mx.example.org; dmarc=pass\r\n",
    "Authentication-Results: elsewhere.example; dmarc=pass\r\nAuthentication-Results: mx.example.org; dmarc=fail\r\n",
];

/// Fields that state nothing against the sender.
const NOT_FORGED: [&str; 6] = [
    "",
    "Authentication-Results: mx.example.org; none\r\n",
    "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n",
    "Authentication-Results: mx.example.org; dkim=pass header.d=example.org; spf=softfail\r\n",
    // Anybody can write these.
    "Authentication-Results: elsewhere.example; dmarc=fail\r\n",
    "X-Authentication-Results: mx.example.org; dmarc=fail\r\n",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_sender_is_refused_where_that_is_set_and_the_player_is_told() {
    for fields in FORGED {
        let Outcome { moved, told } = deliver(Some(AUTHSERV_ID), ForgedSenders::Refuse, fields).await;
        assert!(!moved, "{fields}");
        assert!(told.subject.contains("a mail with a forged sender"), "{fields}: {}", told.subject);
        assert!(speaks_of_the_sender(&told), "{fields}: {}", told.text);
    }
}

/// What the mail server hears about a stranger's mail to the common address.
async fn strangers_mail(envelope: &str, fields: &str) -> String {
    let mut app = TestApp::start().await;
    let policy =
        AuthenticationPolicy { authserv_id: Some(AUTHSERV_ID.to_owned()), forged: ForgedSenders::Warn };
    let address = Some(REPLY_ADDRESS.parse().expect("an address"));
    app.app = app.app.clone().with_replies(address, SharedSecret::new(INBOUND_SECRET), policy);
    let raw = format!("{fields}From: eve@example.net\r\nMessage-ID: <1@example.net>\r\n\r\nhello");
    Lmtp::start(&app).deliver(envelope, REPLY_ADDRESS, &raw).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_is_refused_only_where_the_refusal_reaches_whoever_wrote() {
    let passed = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net\r\n";
    assert!(strangers_mail("eve@example.net", passed).await.starts_with("550 5.1.1"));
    for (envelope, fields) in
        [("eve@example.net", ""), ("eve@example.net", FORGED[0]), ("ann@example.org", passed), ("", passed)]
    {
        let answer = strangers_mail(envelope, fields).await;
        assert_eq!(answer, "250 2.0.0 taken, and nothing done", "{envelope} {fields}");
    }
    // What is no mail at all has nobody to be told.
    let app = TestApp::start().await;
    let nothing = Lmtp::start(&app).deliver("eve@example.net", REPLY_ADDRESS, "").await;
    assert_eq!(nothing, "250 2.0.0 taken, and nothing done");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_forged_sender_the_player_is_warned_where_that_is_set() {
    for fields in [FORGED[0], FORGED[4]] {
        let Outcome { moved, told } = deliver(Some(AUTHSERV_ID), ForgedSenders::Warn, fields).await;
        assert!(moved && speaks_of_the_sender(&told), "{fields}: {}", told.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_said_of_a_sender_that_nobody_trusted_calls_forged() {
    for fields in NOT_FORGED {
        let Outcome { moved, told } = deliver(Some(AUTHSERV_ID), ForgedSenders::Refuse, fields).await;
        assert!(moved && !speaks_of_the_sender(&told), "{fields}: {}", told.text);
    }
    for (authserv_id, forged) in [(None, ForgedSenders::Refuse), (Some(AUTHSERV_ID), ForgedSenders::Off)] {
        let Outcome { moved, told } = deliver(authserv_id, forged, FORGED[0]).await;
        assert!(moved && !speaks_of_the_sender(&told), "{}", told.text);
    }
}
