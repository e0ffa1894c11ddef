//! What pages need to know of a player whom a link names.

use uuid::Uuid;

use super::{AccountError, Accounts};
use crate::clock::Zone;
use crate::language::Language;
use crate::store::players;

/// A player whom a page has recognised; nobody else sees what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The language that the player has chosen; `None` if it is the one that everybody has at first.
    pub language: Option<Language>,
    pub zone: Zone,
    /// Mails to the player's address came back, so none is sent any more.
    pub bounced: bool,
}

impl Accounts {
    /// How pages speak to a player.
    ///
    /// # Errors
    /// The database failed.
    pub async fn recognised(&self, player_id: Uuid) -> Result<Recognised, AccountError> {
        let preferences = self.preferences(player_id).await?;
        let player = players::player_by_id(&self.0.database, player_id).await?;
        Ok(Recognised {
            language: Some(preferences.language).filter(|language| *language != Language::default()),
            zone: preferences.zone,
            bounced: player.is_some_and(|player| player.email_bounced_at.is_some()),
        })
    }
}
