//! Who may register: everybody, who is invited, or nobody. An invitation is a token, good for one account; the server stores its hash.

use time::Duration;
use uuid::Uuid;

use super::secret_token::{INVITATION_PREFIX, SecretToken};
use super::{AccountError, Accounts, INVITATION_MEMORY, NewAccount};
use pippost_keys::Purpose;
use pippost_keys::secret::sha256;
use pippost_store::server_invitations::{self as store, Admission, NewServerInvitation, OpenInvitation};

/// The most open invitations to this server that one player has.
pub const MAX_OPEN_INVITATIONS: i64 = 5;

/// How long an invitation to this server can be used.
pub const SERVER_INVITATION_LIFETIME: Duration = Duration::days(30);

/// Who may register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegistrationPolicy {
    /// Everybody.
    #[default]
    Open,
    /// Who was invited, by a link of a player or the operator, or by a mail to a game.
    Invited,
    /// Nobody: the operator makes all accounts.
    Closed,
}

impl RegistrationPolicy {
    /// Its name in settings.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Invited => "invited",
            Self::Closed => "closed",
        }
    }
}

/// Why somebody may not register here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    #[error(
        "this server is by invitation: send `invitation`, the token of a link that a player or the operator has made"
    )]
    NoInvitation,
    #[error(
        "the invitation was used, has expired, or never was one; one to a game is good for the address that it was sent to"
    )]
    Invitation,
    #[error("on this server the operator makes all accounts")]
    Closed,
}

/// What a registration uses up.
pub(super) enum Admitted {
    Invitation([u8; 32]),
    ToGame { mailbox_key: String, game_id: Uuid, since: time::OffsetDateTime },
}

impl Admitted {
    pub(super) fn admission(&self) -> Admission<'_> {
        match self {
            Self::Invitation(token_hash) => Admission::Invitation(token_hash),
            Self::ToGame { mailbox_key, game_id, since } => {
                Admission::ToGame { mailbox_key, game_id: *game_id, since: *since }
            }
        }
    }
}

impl Accounts {
    /// Who may register.
    #[must_use]
    pub fn registration_policy(&self) -> RegistrationPolicy {
        self.0.registration_policy
    }

    /// What a registration uses up; nothing where everybody may register.
    pub(super) fn admitted(&self, new: &NewAccount) -> Result<Option<Admitted>, NotAdmitted> {
        match self.registration_policy() {
            RegistrationPolicy::Open => return Ok(None),
            RegistrationPolicy::Closed => return Err(NotAdmitted::Closed),
            RegistrationPolicy::Invited => {}
        }
        let token = new.invitation.as_deref().ok_or(NotAdmitted::NoInvitation)?;
        Ok(Some(match self.0.secret.read_link_token(Purpose::Invitation, token) {
            Some(game_id) => Admitted::ToGame {
                mailbox_key: new.email.mailbox_key(),
                game_id,
                since: self.0.clock.now() - INVITATION_MEMORY,
            },
            None => Admitted::Invitation(sha256(token.as_bytes())),
        }))
    }

    /// Makes an invitation of a player, or of the operator.
    ///
    /// # Errors
    /// [`AccountError::NotAdmitted`] if nobody may register; of a player [`AccountError::AddressNotConfirmed`] or
    /// [`AccountError::TooManyInvitations`]; or a failure.
    pub async fn invite_to_server(&self, player_id: Option<Uuid>) -> Result<SecretToken, AccountError> {
        if let Some(player_id) = player_id {
            if self.registration_policy() == RegistrationPolicy::Closed {
                return Err(NotAdmitted::Closed.into());
            }
            if self.profile(player_id).await?.player.email_confirmed_at.is_none() {
                return Err(AccountError::AddressNotConfirmed);
            }
        }
        let token = SecretToken::draw(INVITATION_PREFIX)?;
        let now = self.0.clock.now();
        let new = NewServerInvitation {
            id: Uuid::now_v7(),
            token_hash: &token.hash(),
            player_id,
            created_at: now,
            expires_at: now + SERVER_INVITATION_LIFETIME,
        };
        if !store::insert(&self.0.database, &new, MAX_OPEN_INVITATIONS).await? {
            return Err(AccountError::TooManyInvitations { most: MAX_OPEN_INVITATIONS });
        }
        tracing::info!(invitation_id = %new.id, player_id = ?player_id, "invitation to this server made");
        Ok(token)
    }

    /// The open invitations of a player to this server, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn invitations_to_server(&self, player_id: Uuid) -> Result<Vec<OpenInvitation>, AccountError> {
        let now = self.0.clock.now();
        Ok(store::of_player(&self.0.database, player_id, now, MAX_OPEN_INVITATIONS).await?)
    }

    /// Withdraws an invitation of a player to this server.
    ///
    /// # Errors
    /// [`AccountError::NotFound`] if there is none, or a failure.
    pub async fn withdraw_invitation(&self, player_id: Uuid, id: Uuid) -> Result<(), AccountError> {
        let withdrawn = store::withdraw(&self.0.database, player_id, id).await?;
        if withdrawn { Ok(()) } else { Err(AccountError::NotFound) }
    }
}
