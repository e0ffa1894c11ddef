//! Answers are compressed with gzip for clients that accept it.

use std::io::Read;

use reqwest::Method;

use support::client::Answer;
use support::games::pip_pip;
use support::{Client, TestApp};

async fn get(client: &Client, path: &str, accepted: &str) -> Answer {
    // What is compressed cannot be checked against the document.
    client.unchecked().send(Method::GET, path, None, &[("Accept-Encoding", accepted)]).await
}

fn encoding(answer: &Answer) -> Option<&str> {
    answer.headers.get("content-encoding").and_then(|value| value.to_str().ok())
}

fn unpacked(answer: &Answer) -> Vec<u8> {
    let (mut plain, body) = (Vec::new(), answer.body.as_slice());
    match encoding(answer) {
        Some("gzip") => flate2::read::GzDecoder::new(body).read_to_end(&mut plain),
        _ => Ok(0),
    }
    .expect("well packed");
    plain
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_packed_where_its_client_likes_it_and_says_the_same() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    for path in [game.as_str(), "/api/v1/rules/dominion", "/openapi.json", &format!("{game}/board.svg")] {
        let plain = ann.get(path).await;
        for accepted in ["gzip, deflate, br, zstd", "zstd, gzip;q=0.5", "gzip"] {
            let packed = get(&ann, path, accepted).await;
            assert_eq!(encoding(packed.expect_status(200)), Some("gzip"), "{path}");
            assert!(packed.headers.get_all("vary").iter().any(|vary| vary == "accept-encoding"), "{path}");
            assert_eq!(unpacked(&packed), plain.body, "{path} {accepted}");
            assert!(packed.body.len() < plain.body.len(), "{path}");
            assert_eq!(packed.headers.get("etag"), plain.headers.get("etag"), "tags are weak");
        }
        for accepted in ["br, zstd", "identity", "gzip;q=0", ""] {
            let answer = get(&ann, path, accepted).await;
            assert_eq!(encoding(answer.expect_status(200)), None, "{path} {accepted}");
            assert_eq!(answer.body, plain.body, "{path} {accepted}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_and_archives_stay_as_they_are_and_records_are_gzipped() {
    let app = TestApp::start().await;
    let (game, [ann, _]) = pip_pip(&app).await;
    let all = "br, zstd, gzip";
    for path in [format!("{game}/board.png"), "/api/v1/me/records.zip".to_owned()] {
        let answer = get(&ann, &path, all).await;
        let encoding = encoding(answer.expect_status(200));
        assert!(matches!(encoding, None | Some("identity")), "{path}: {encoding:?}");
    }
    let record = get(&ann, &format!("{game}/record"), "br, gzip;q=0.9").await;
    let plain = ann.get(&format!("{game}/record")).await;
    assert_eq!((encoding(&record), unpacked(&record)), (Some("gzip"), plain.body));
    let known = ann.get(&game).await.headers["etag"].to_str().expect("a tag").to_owned();
    let headers = [("Accept-Encoding", all), ("If-None-Match", known.as_str())];
    let answer = ann.send(Method::GET, &game, None, &headers).await;
    assert_eq!((encoding(answer.expect_status(304)), answer.body.len()), (None, 0));
}
