//! Plays, follows, receives and verifies at a sandbox behind a network with faults, and prints what it has seen as JSON:
//! `drill URL FOLDER_OF_RECORDS`

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pippost_client::types::{Game, NewGame};
use pippost_client::{Client, Retries, any_action, receipt, record, webhook};
use serde_json::{Value, json};
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const RETRIES: Retries =
    Retries { attempts: 6, first_wait: Duration::from_millis(20), longest_wait: Duration::from_secs(5) };
const CHANGES: usize = 5;
const TOKEN_LIFETIME_SECONDS: u64 = 600;

async fn confirmed(url: &str, handle: &str) -> Outcome<Client> {
    let (email, password) = (format!("{handle}@example.org"), format!("a long password of {handle}"));
    let player = Client::register_with(url, handle, &email, &password, RETRIES).await?;
    let mails = player.get("/sandbox/mails").await?;
    let links = mails["mails"][0]["links"].as_array().ok_or("no links")?;
    let token = links.iter().find_map(|link| link["token"].as_str()).ok_or("no token")?;
    player.post("/email/confirm", &json!({"token": token}), Uuid::now_v7()).await?;
    Ok(player)
}

async fn play(mut game: Game, players: [&Client; 2]) -> Outcome<Vec<String>> {
    let mut receipts = Vec::new();
    while let Some(seat) = game.to_act {
        let player = players[usize::from(seat)];
        let legal = player.actions(game.id).await?;
        let action = any_action(&legal).ok_or("nothing is legal")?;
        let moved = player.act(game.id, &[action], legal.seq).await?;
        receipts.extend(moved.receipts);
        game = moved.game;
        if receipts.len() == 4 {
            // All access tokens expire.
            let body = json!({"advance_seconds": TOKEN_LIFETIME_SECONDS + 1});
            player.post("/sandbox/clock", &body, Uuid::now_v7()).await?;
        }
    }
    Ok(receipts)
}

async fn check_receipts(player: &Client, game: Uuid, receipts: &[String]) -> Outcome<()> {
    let (keys, bytes) = (player.keys().await?, player.record(game).await?);
    record::verify(&bytes)?;
    let text = String::from_utf8(bytes)?;
    for kept in receipts {
        let kept = receipt::verify(kept, &keys)?;
        let event: Value =
            serde_json::from_str(text.lines().nth(1 + usize::try_from(kept.seq)?).ok_or("no event")?)?;
        assert!(kept.game == game && event["hash"] == *kept.hash);
    }
    let parts: Vec<&str> = receipts[0].split('.').collect();
    let others = receipts[1].split('.').nth(1).ok_or("no claims")?;
    assert!(receipt::verify(&[parts[0], others, parts[2]].join("."), &keys).is_err());
    assert!(receipt::verify(&receipts[0], &json!({"keys": []})).is_err());
    Ok(())
}

fn headers(delivery: &Value) -> webhook::Headers<'_> {
    let text = |name: &str| delivery["headers"][name].as_str().unwrap_or_default();
    webhook::Headers {
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp"),
        signature: text("webhook-signature"),
    }
}

/// The secret of a webhook that is active: its challenge was met.
async fn active_webhook(player: &Client) -> Outcome<String> {
    let hook = json!({"url": "https://receiver.invalid/", "kinds": ["event"]});
    let hook = player.post("/me/webhooks", &hook, Uuid::now_v7()).await?;
    let (id, secret) = (hook["id"].as_str().ok_or("no id")?, hook["secret"].as_str().ok_or("no secret")?);
    player.post(&format!("/me/webhooks/{id}/challenge"), &json!({}), Uuid::now_v7()).await?;
    let sent = player.get("/sandbox/deliveries").await?["deliveries"][0].take();
    let body = sent["body"].as_str().ok_or("no body")?.as_bytes();
    let message = webhook::verify(secret, headers(&sent), body, SystemTime::now())?;
    let challenge = json!({"challenge": webhook::challenge_of(&message).ok_or("no challenge")?});
    let met = player.post(&format!("/me/webhooks/{id}/verify"), &challenge, Uuid::now_v7()).await?;
    assert_eq!(met["state"], "active");
    Ok(secret.to_owned())
}

async fn check_webhooks(player: &Client, secret: &str) -> Outcome<usize> {
    let sent = player.get("/sandbox/deliveries?limit=100").await?;
    let sent = sent["deliveries"].as_array().ok_or("no list")?;
    let now = SystemTime::now();
    for one in sent {
        let (headers, body) = (headers(one), one["body"].as_str().ok_or("no body")?.as_bytes());
        assert_eq!(webhook::verify(secret, headers, body, now)?, serde_json::from_slice::<Value>(body)?);
        let refused =
            |secret, headers, body: &[u8], now| webhook::verify(secret, headers, body, now).is_err();
        assert!(refused(secret, headers, &[body, b" "].concat(), now));
        assert!(refused("whsec_bm90IHRoZSBzZWNyZXQ=", headers, body, now));
        assert!(refused(secret, webhook::Headers { id: "another", ..headers }, body, now));
        assert!(refused(secret, headers, body, UNIX_EPOCH));
    }
    Ok(sent.len())
}

/// Records of the protocol are taken, and none with a changed byte.
fn check_records(folder: &Path) -> Outcome<usize> {
    let mut files = 0;
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_none_or(|end| end != "ndjson") {
            continue;
        }
        let bytes = std::fs::read(&path)?;
        record::verify(&bytes)?;
        for at in (0..bytes.len()).step_by(bytes.len() / CHANGES) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(record::verify(&changed).is_err(), "{path:?} {at}");
        }
        files += 1;
    }
    Ok(files)
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let [url, records] = std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "URL FOLDER")?;
    let (ann, bob) = (confirmed(&url, "rs-ann").await?, confirmed(&url, "rs-bob").await?);
    let secret = active_webhook(&ann).await?;
    let offer = NewGame { seating: Some("joined".into()), ..NewGame::of("pip-pip") };
    let game = bob.join(ann.create_game(&offer).await?.id, None).await?;
    let id = game.id;
    let following = async {
        let (mut feed, mut followed) = (bob.follow(id, None), Vec::new());
        while let Some(told) = feed.next().await? {
            followed.push(told.id);
        }
        Outcome::Ok(followed)
    };
    let (followed, receipts) = tokio::join!(following, play(game, [&ann, &bob]));
    check_receipts(&ann, id, &receipts?).await?;
    let late = ann.act(id, &[json!({"type": "store"})], 0).await.expect_err("the game is over");
    assert!(late.code().is_some(), "{late}");
    let (webhooks, records) = (check_webhooks(&ann, &secret).await?, check_records(Path::new(&records))?);
    println!("{}", json!({"game": id, "followed": followed?, "webhooks": webhooks, "records": records}));
    Ok(())
}
