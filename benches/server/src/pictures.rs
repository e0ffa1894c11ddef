//! What pictures are asked for.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use anyhow::Context;
use uuid::Uuid;

use super::client::{self, Connection};
use super::load::{self, Source};
use super::rounds::Lab;
use super::server::Process;

/// Ways in which each board is asked for; each is a picture of its own.
const FORMS: [&str; 4] = ["theme=light", "theme=dark", "theme=light&language=de", "theme=dark&language=de"];

/// Pictures a second that boards are kept ready for.
const READY_FOR: f64 = 2_000.0;

/// Boards that are asked for again: few enough to be remembered.
pub const KEPT: usize = 50;

/// Requests that are sent once.
pub struct Once(RefCell<VecDeque<Vec<u8>>>);

impl Source for Once {
    fn next(&self) -> Option<Vec<Vec<u8>>> {
        Some(vec![self.0.borrow_mut().pop_front()?])
    }
}

/// Pictures of new games that the server has in memory, none of them twice.
///
/// # Errors
/// The games could not be written or loaded.
pub async fn new(lab: &mut Lab) -> anyhow::Result<Rc<dyn Source>> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let count = (READY_FOR * lab.args.seconds) as usize / FORMS.len() + 1;
    let games = lab.games_in_play(count).await?;
    let views = games.iter().map(|game| client::get(&format!("/api/v1/games/{game}"), None)).collect();
    load::send(lab.server.address, 16, f64::from(u16::MAX), Rc::new(Once(RefCell::new(views)))).await?;
    let of = |form: &'static str| {
        games.iter().map(move |game| client::get(&format!("{}?{form}", path(*game)), None))
    };
    Ok(Rc::new(Once(RefCell::new(FORMS.into_iter().flat_map(of).collect()))))
}

/// Where the board of a game is.
#[must_use]
pub fn path(game: Uuid) -> String {
    format!("/api/v1/games/{game}/board.png")
}

/// The tag of the answer at `path`.
///
/// # Errors
/// It has none.
pub async fn tag(server: &Process, path: &str) -> anyhow::Result<String> {
    let mut connection = Connection::open(server.address).await?;
    connection.expect(&client::get(path, None)).await?;
    connection.tag.clone().context("a picture has a tag")
}
