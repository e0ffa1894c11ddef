//! One answer makes one move.

use super::{Post, Sent, deliver};
use support::TestApp;
use support::games::pip_pip;

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_a_turn_mail_moves_and_is_confirmed_with_the_new_position() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let post = Post::of(&app);
    let turn = post.last("ann").await;
    assert!(turn.text.contains("answer this mail"), "{}", turn.text);

    let sent =
        Sent::answer("ann", &turn, "store\n\nOn Sat, Nov 21, 2026, pippost wrote:\n> Hello ann,\n> pass\n");
    assert_eq!(deliver(&app, &sent).await, "taken");
    assert_eq!(ann.get(&game).await.ok()["seq"], 1);
    let answer = post.last("ann").await;
    assert_eq!(answer.kind, "answer");
    assert_eq!(answer.subject, "Pip•Pip against bob: store done (#1)");
    assert!(answer.text.contains("Done: store."), "{}", answer.text);
    assert!(answer.text.contains(" into the store."), "{}", answer.text);
    assert!(answer.reply_to.is_some_and(|to| to != turn.reply_to.expect("an address")));

    // The same mail again does nothing and gets no answer.
    let before = post.all("ann").await.len();
    assert_eq!(deliver(&app, &sent).await, "repeated");
    assert_eq!(ann.get(&game).await.ok()["seq"], 1);
    assert_eq!(post.all("ann").await.len(), before);
}
