//! Mails over real SMTP conversations.

use std::path::Path;
use std::sync::Arc;

use futures_util::future::join_all;
use mail_parser::MessageParser;
use pippost::mail::{Mailer, OutgoingMail, SendErrorKind};
use pippost::settings::MailSettings;
use uuid::Uuid;

use support::START;
use support::smtp_sink::{SmtpSink, Treatment};

fn mailer(url: String, connections: u16) -> Mailer {
    let mail_from = "pippost <pippost@example.org>".to_owned();
    let settings = MailSettings {
        smtp_url: Some(url),
        mail_from,
        smtp_connections: connections,
        ..MailSettings::default()
    };
    Mailer::new(&settings, Path::new("not-used")).expect("a mailer")
}

pub fn mail(number: u128) -> OutgoingMail {
    let id = Uuid::from_u128(number);
    OutgoingMail {
        notice_id: id,
        player_id: None,
        kind: "turn",
        from: "pippost <pippost@example.org>".parse().expect("a mailbox"),
        to: "alice <alice@example.org>".parse().expect("a mailbox"),
        subject: format!("Pip•Pip against bob: your turn {number}"),
        text: "Hello alice,\n.a dot at the beginning\n".to_owned(),
        html: "<p>Hello alice,".to_owned(),
        picture: None,
        message_id: format!("<{id}@play.example.org>"),
        thread_id: None,
        unsubscribe: None,
        list: None,
        shown_event: None,
        date: START,
        reply_to: None,
        bounce_to: None,
        checkpoint: None,
    }
}

/// What came of a mail: `Err` has why.
type Sent = Result<(), (SendErrorKind, String)>;

async fn send(mailer: &Mailer, mail: &OutgoingMail) -> Sent {
    mailer.send(mail).await.map_err(|error| (error.kind, error.reason))
}

fn temporary(reason: &str) -> Sent {
    Err((SendErrorKind::Temporary, reason.to_owned()))
}

fn unreached(reason: &str) -> Sent {
    Err((SendErrorKind::Unreached, reason.to_owned()))
}

fn permanent(reason: &str) -> Sent {
    Err((SendErrorKind::Permanent, reason.to_owned()))
}

fn no_such_address(reason: &str, code: &str) -> Sent {
    Err((SendErrorKind::NoSuchAddress { code: code.to_owned() }, reason.to_owned()))
}

#[tokio::test]
async fn a_mail_arrives_whole_and_its_envelope_names_sender_and_recipient() {
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    mailer(sink.url(), 1).send(&mail(1)).await.expect("sent");
    let received = sink.received();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].from, "pippost@example.org");
    assert_eq!(received[0].to, ["alice@example.org"]);
    let read = MessageParser::default().parse(received[0].data.as_bytes()).expect("a mail");
    assert_eq!(read.subject(), Some("Pip•Pip against bob: your turn 1"));
    assert_eq!(read.message_id(), Some("00000000-0000-0000-0000-000000000001@play.example.org"));
    let text = read.body_text(0).expect("a text").replace("\r\n", "\n");
    assert_eq!(text, "Hello alice,\n.a dot at the beginning\n");
}

#[tokio::test]
async fn many_mails_share_the_connections_that_the_setting_allows() {
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let mailer = Arc::new(mailer(sink.url(), 3));
    let sent = join_all((0..60).map(|number| {
        let mailer = mailer.clone();
        async move { mailer.send(&mail(number)).await }
    }));
    assert!(sent.await.into_iter().all(|sent| sent.is_ok()));
    assert_eq!(sink.received().len(), 60);
    assert!((1..=3).contains(&sink.connections()), "{} connections", sink.connections());
}

#[tokio::test]
async fn what_the_server_puts_off_may_be_sent_later_and_what_it_refuses_never() {
    refusals_are_understood(SmtpSink::start).await;
}

#[tokio::test]
async fn a_server_that_takes_commands_one_by_one_is_understood_as_well() {
    refusals_are_understood(SmtpSink::start_old).await;
}

async fn refusals_are_understood<S: Future<Output = SmtpSink>>(
    start: impl FnOnce(fn(usize) -> Treatment) -> S,
) {
    const TREATMENTS: [Treatment; 9] = [
        Treatment::RefuseRecipient("450 4.2.1 <alice@example.org>: mailbox busy"),
        Treatment::RefuseMessage("451 try again"),
        Treatment::RefuseRecipient("550 5.1.1 <alice@example.org>: no such user"),
        Treatment::RefuseRecipient("550 5.7.1 <alice@example.org>: we do not like you"),
        Treatment::RefuseMessage("550 5.1.1 one of them, and too late to say which"),
        Treatment::RefuseMessage("554 5.7.1 we do not like alice@example.org"),
        Treatment::RefuseRecipient("530 5.7.0 log in first"),
        Treatment::RefuseMessage("421 4.3.2 closing"),
        Treatment::Accept,
    ];
    let sink = start(|number| TREATMENTS[number]).await;
    let mailer = mailer(sink.url(), 1);
    let expected = [
        temporary("the mail server put it off: 450 4.2.1"),
        temporary("the mail server put it off: 451"),
        no_such_address("the mail server refused it: 550 5.1.1", "5.1.1"),
        permanent("the mail server refused it: 550 5.7.1"),
        permanent("the mail server refused it: 550 5.1.1"),
        permanent("the mail server refused it: 554 5.7.1"),
        temporary("the mail server put it off: 530 5.7.0"),
        temporary("the mail server closed the connection: 421 4.3.2"),
        Ok(()),
    ];
    for (number, expected) in (0..).zip(expected) {
        assert_eq!(send(&mailer, &mail(number)).await, expected, "mail {number}");
    }
    assert_eq!(sink.received().len(), 1);
    assert!(sink.received()[0].data.contains("\r\n.a dot at the beginning\r\n"));
}

#[tokio::test]
async fn the_servers_words_are_kept_without_the_address() {
    let refusal =
        Treatment::RefuseRecipient("550-5.7.1 <alice@example.org>: we do not\r\n550 5.7.1 like alice");
    let sink = SmtpSink::start(move |_| refusal).await;
    let refused = mailer(sink.url(), 1).send(&mail(1)).await.expect_err("refused");
    assert_eq!(refused.reason, "the mail server refused it: 550 5.7.1");
    let said = refused.said.expect("words");
    assert!(said.contains("<…@example.org>: we do not") && said.ends_with("like …"), "{said}");
    assert!(!said.contains("alice") && !said.contains('\n'), "{said}");
}

#[tokio::test]
async fn a_connection_that_is_opened_to_see_whether_it_can_be_takes_the_next_mail() {
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let mailer = mailer(sink.url(), 1);
    mailer.reach().await.expect("reached");
    assert_eq!(send(&mailer, &mail(1)).await, Ok(()));
    assert_eq!((sink.received().len(), sink.connections()), (1, 1));
}

#[tokio::test]
async fn a_connection_that_the_server_has_closed_costs_no_attempt() {
    let sink = SmtpSink::start(|_| Treatment::AcceptAndClose).await;
    let mailer = mailer(sink.url(), 1);
    for number in 0..3 {
        assert_eq!(send(&mailer, &mail(number)).await, Ok(()), "mail {number}");
    }
    assert_eq!((sink.received().len(), sink.connections()), (3, 3));
}

#[tokio::test]
async fn a_mail_given_up_in_its_middle_leaves_no_answer_for_the_next() {
    let refusal = Treatment::RefuseMessage("554 5.6.0 refused");
    let sink = SmtpSink::start(move |number| if number == 0 { Treatment::Hold } else { refusal }).await;
    let mailer = mailer(sink.url(), 1);
    let first = mail(0);
    tokio::select! {
        sent = mailer.send(&first) => panic!("the sink has not answered: {sent:?}"),
        () = sink.holding() => {}
    }
    sink.let_go().await;
    let second = send(&mailer, &mail(1)).await;
    assert_eq!(second, permanent("the mail server refused it: 554 5.6.0"));
    assert_eq!(sink.connections(), 2);
}

#[tokio::test]
async fn a_log_in_that_is_refused_is_not_the_fault_of_the_mail() {
    let sink = SmtpSink::with_log_in("535 5.7.8 wrong password").await;
    let mailer = mailer(sink.url_for("pippost", "secret"), 1);
    let refused = mailer.send(&mail(1)).await.expect_err("no log-in");
    assert_eq!(refused.said.as_deref(), Some("5.7.8 wrong password"));
    assert_eq!(refused.kind, SendErrorKind::Unreached);
    assert_eq!(refused.reason, "the mail server does not let us in: 535 5.7.8");
    assert_eq!(mailer.reach().await, Err(refused), "and so nobody else's mail");
}

#[tokio::test]
async fn mails_are_sent_after_a_log_in_where_the_setting_names_a_user() {
    let sink = SmtpSink::with_log_in("235 welcome").await;
    let mailer = mailer(sink.url_for("pippost", "secret"), 1);
    assert_eq!(mailer.send(&mail(1)).await, Ok(()));
    assert_eq!(sink.received().len(), 1);
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_tried_later() {
    let url = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        format!("smtp://{}", listener.local_addr().expect("an address"))
    };
    let mailer = mailer(url, 1);
    assert_eq!(send(&mailer, &mail(1)).await, unreached("the mail server cannot be reached"));
    mailer.reach().await.expect_err("nobody there");
}

#[tokio::test]
async fn a_server_without_the_tls_that_was_asked_for_gets_no_mail() {
    let sink = SmtpSink::start(|_| Treatment::Accept).await;
    let mailer = mailer(format!("{}?tls=required", sink.url()), 1);
    let expected = unreached("the mail server offers no TLS, or no log-in that we know");
    assert_eq!(send(&mailer, &mail(1)).await, expected);
    assert!(sink.received().is_empty());
}
