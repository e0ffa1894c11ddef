//! Mails of which nothing, or only the beginning, can be read.

use pippost::replies::MAX_READ_BYTES;

use super::refusing::Table;
use super::requests::said;
use super::{Post, Sent, deliver_raw};

/// The header of the text in an answer.
const PLAIN: &str = "Content-Type: text/plain; charset=utf-8\r\n";

/// A part with a picture that fills what is read of a mail.
fn logo() -> String {
    let picture = "R0lGODlhAQABAAAAACw=".repeat(3).repeat(MAX_READ_BYTES / 60 + 100);
    format!("--b\nContent-Type: image/gif\n\n{picture}\n")
}

/// An answer of ann's to the turn mail, with this header in place of that of its text.
async fn answer(post: &Post, kind: &str, text: &str) -> String {
    Sent::answer("ann", &post.last("ann").await, text).raw().replace(PLAIN, &format!("{kind}\r\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_large_mail_the_beginning_is_read_and_what_is_beyond_is_said() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let turn = post.last("ann").await;
    let long = (0..400).map(|number| format!("Line {number} of a story")).collect::<Vec<_>>().join("\n");
    let told = table.refused(&post, &Sent::answer("ann", &turn, &long)).await;
    assert!(said(&told).contains("holds more than I read"), "{}", told.text);
    let mixed = "Content-Type: multipart/mixed; boundary=b";
    let text = "--b\nContent-Type: text/plain\n\nstore\n";
    let below = answer(&post, mixed, &format!("{}{text}--b--", logo())).await;
    assert_eq!(deliver_raw(&table.app, "", below).await.ok()["outcome"], "taken");
    let told = said(&post.last("ann").await);
    assert!(told.contains("in its first 256 kilobytes, pictures and files included"), "{told}");
    assert_eq!(table.seq().await, 0);
    let above = Sent::answer("ann", &turn, &format!("{text}{}--b--", logo())).raw();
    let above = above.replace(PLAIN, &format!("{mixed}\r\n"));
    assert_eq!(deliver_raw(&table.app, "", above).await.ok()["outcome"], "taken");
    assert_eq!(table.seq().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_mail_of_many_parts_the_first_hundred_are_read_and_what_is_beyond_is_said() {
    let table = Table::set().await;
    let post = Post::of(&table.app);
    let part = |text: &str| format!("--b\nContent-Type: text/plain\n\n{text}\n");
    let mixed = "Content-Type: multipart/mixed; boundary=b";
    for (before, is_read) in [(100, false), (99, true)] {
        let text = format!("{}{}--b--", part("").repeat(before), part("store"));
        let raw = answer(&post, mixed, &text).await;
        assert_eq!(deliver_raw(&table.app, "", raw).await.ok()["outcome"], "taken");
        assert_eq!(table.seq().await, i32::from(is_read), "{before} parts above");
        if !is_read {
            let told = said(&post.last("ann").await);
            assert!(told.contains("holds more than I read"), "{told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sealed_is_known_by_its_kind_its_name_or_the_line_above_it() {
    let armour = "-----BEGIN PGP MESSAGE-----\n\nhQEMA1PxoTQ\n=x1Yz\n-----END PGP MESSAGE-----";
    let in_parts = format!(
        "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\n{armour}\n--b--"
    );
    for (kind, text) in [
        ("Content-Type: application/pkcs7-mime", "MIIGMwYJ"),
        ("Content-Type: application/octet-stream; name=smime.p7m", "MIIGMwYK"),
        (
            "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=\"Smime.P7M\"",
            "MIIGMwYL",
        ),
        ("Content-Type: text/plain", armour),
        ("Content-Type: multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=b", &in_parts),
    ] {
        // Nothing is read of them, so they are alike, and the fourth would get no answer.
        let table = Table::set().await;
        let post = Post::of(&table.app);
        let raw = answer(&post, kind, text).await;
        assert_eq!(deliver_raw(&table.app, "", raw).await.ok()["outcome"], "taken", "{kind}");
        let told = post.last("ann").await;
        assert!(told.text.contains("is encrypted, or packed"), "{kind}: {}", told.text);
        assert_eq!(table.seq().await, 0, "{kind}");
    }
}
