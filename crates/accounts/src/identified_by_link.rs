//! Reads what pages need to know about a player whom a link identifies.

use uuid::Uuid;

use super::{AccountError, Accounts};
use pippost_clock::Zone;
use pippost_language::Language;
use pippost_store::players;

/// A player whom a page has recognised by a link. Its data is shown to nobody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentifiedByLink {
    /// The player's language; `None` if it is the default.
    pub language: Option<Language>,
    pub zone: Zone,
    /// Mails to the player's address bounced, so no more are sent.
    pub bounced: bool,
}

impl Accounts {
    /// The language, time zone and mail state of a player.
    ///
    /// # Errors
    /// The database failed.
    pub async fn recognised(&self, player_id: Uuid) -> Result<IdentifiedByLink, AccountError> {
        let preferences = self.preferences(player_id).await?;
        let player = players::player_by_id(&self.0.database, player_id).await?;
        Ok(IdentifiedByLink {
            language: Some(preferences.language).filter(|language| *language != Language::default()),
            zone: preferences.zone,
            bounced: player.is_some_and(|player| player.email_bounced_at.is_some()),
        })
    }
}
