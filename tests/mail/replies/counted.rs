//! Mails that come in are counted for operators.

use super::bouncing::{bounce, complain};
use super::refusing::Table;
use super::{Post, Sent, deliver};

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_in_is_counted_by_what_became_of_it() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    for (from, headers, text, outcome) in [
        ("ann", "", "Do not\nstore", "taken"),
        ("ann", "", "blargh", "taken"),
        ("eve", "", "store", "taken"),
        ("ann", "Auto-Submitted: auto-replied\r\n", "store", "ignored"),
        ("ann", "", "store", "taken"),
    ] {
        let from = format!("{from}@example.org");
        let sent = Sent { from, headers: headers.to_owned(), ..Sent::answer("ann", &turn, text) };
        assert_eq!(deliver(&table.app, &sent).await, outcome, "{text}");
    }
    let back = turn.bounce_to.clone().expect("a way back");
    assert_eq!(bounce(&table.app, &back, "bounce-hard").await, "taken");
    assert_eq!(complain(&table.app, &turn).await, "taken");
    let metrics = table.app.metrics().await;
    for line in [
        "pippost_mail_answers_total{verdict=\"asked\"} 1",
        "pippost_mail_answers_total{verdict=\"refused\"} 1",
        "pippost_mail_answers_total{verdict=\"stranger\"} 1",
        "pippost_mail_answers_total{verdict=\"done\"} 1",
        "pippost_mails_received_total{outcome=\"taken\"} 6",
        "pippost_mails_received_total{outcome=\"Auto-Submitted\"} 1",
        "pippost_mail_reports_total{kind=\"bounce\"} 1",
        "pippost_mail_reports_total{kind=\"complaint\"} 1",
    ] {
        assert!(metrics.lines().any(|counted| counted == line), "{line}\n{metrics}");
    }
}
