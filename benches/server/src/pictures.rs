//! The requests for pictures.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use anyhow::Context;
use uuid::Uuid;

use super::client::{self, Connection};
use super::load::{self, Source};
use super::rounds::Setup;
use super::server::Process;

/// The variants of each board; each is a picture of its own.
const FORMS: [&str; 4] = ["theme=light", "theme=dark", "theme=light&language=de", "theme=dark&language=de"];

/// The rate of pictures for which boards are kept ready, per second.
const READY_FOR: f64 = 2_000.0;

/// The number of boards that are requested again: few enough for the cache.
pub const KEPT: usize = 50;

/// Requests that are sent once.
pub struct Once(RefCell<VecDeque<Vec<u8>>>);

impl Source for Once {
    fn next(&self) -> Option<Vec<Vec<u8>>> {
        Some(vec![self.0.borrow_mut().pop_front()?])
    }
}

/// Pictures of new games in the server's memory, without repetition.
///
/// # Errors
/// The games could not be written or loaded.
pub async fn new(setup: &mut Setup) -> anyhow::Result<Rc<dyn Source>> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let count = (READY_FOR * setup.args.seconds) as usize / FORMS.len() + 1;
    let games = setup.games_in_play(count).await?;
    let views = games.iter().map(|game| client::get(&format!("/api/v1/games/{game}"), None)).collect();
    load::send(setup.server.address, 16, f64::from(u16::MAX), Rc::new(Once(RefCell::new(views)))).await?;
    let of = |form: &'static str| {
        games.iter().map(move |game| client::get(&format!("{}?{form}", path(*game)), None))
    };
    Ok(Rc::new(Once(RefCell::new(FORMS.into_iter().flat_map(of).collect()))))
}

/// The path of a game's board.
#[must_use]
pub fn path(game: Uuid) -> String {
    format!("/api/v1/games/{game}/board.png")
}

/// The `ETag` of the answer at `path`.
///
/// # Errors
/// The answer has none.
pub async fn tag(server: &Process, path: &str) -> anyhow::Result<String> {
    let mut connection = Connection::open(server.address).await?;
    connection.expect(&client::get(path, None)).await?;
    connection.tag.clone().context("a picture has a tag")
}
