//! The players' browsers, which take messages by web push.

use std::collections::{BTreeMap, BTreeSet};

use support::push_service::{Browser, Pushed};

use super::caller::{Caller, Request};
use super::chance::Dice;
use super::world::World;

/// The status of a message that the push service has taken.
const TAKEN: u16 = 201;

/// The browsers by the handles of their players.
#[derive(Default)]
pub struct Browsers(BTreeMap<String, Browser>);

/// Whom a message was about which game: the handle, the game and the kind.
pub type Told = BTreeSet<(String, String, String)>;

impl Browsers {
    pub async fn subscribe(&mut self, player: &Caller, world: &World, dice: &mut Dice) {
        let browser = Browser::at(&world.push_endpoint(&player.handle));
        let request = Request::post("/api/v1/me/push-subscriptions", &browser.subscription());
        let (status, made) = player.insist(dice, &request).await;
        assert!(made["id"].is_string(), "{status} {made}");
        self.0.insert(player.handle.clone(), browser);
    }

    pub fn has(&self, handle: &str) -> bool {
        self.0.contains_key(handle)
    }

    /// What the push service has taken for these browsers; fails if one of them cannot read its message.
    pub fn read(&self, pushed: &[Pushed]) -> Told {
        let taken = pushed.iter().filter(|pushed| pushed.status == TAKEN);
        let told = taken.filter_map(|pushed| {
            let handle = pushed.path.strip_prefix("/send/")?;
            let message = self.0.get(handle)?.read(pushed);
            let member = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
            Some((handle.to_owned(), member("game"), member("kind")))
        });
        told.collect()
    }
}
