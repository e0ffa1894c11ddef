//! Registers players and confirms e-mail addresses.

use std::net::IpAddr;

use time::Duration;
use uuid::Uuid;

use super::secret_token::{COOKIE_PREFIX, REFRESH_PREFIX, SecretToken};
use super::server_invitations::{Admitted, NotAdmitted};
use super::sessions::{LoggedIn, REFRESH_TOKEN_LIFETIME};
use super::{
    AccountError, Accounts, ChosenPassword, EmailAddress, Handle, NotificationPreferences, Profile,
    email_key, mailbox_key,
};
use pippost_clock::Zone;
use pippost_keys::Purpose;
use pippost_language::Language;
use pippost_store::guests;
use pippost_store::mail_links::{self, LinkPurpose, NewMailLink};
use pippost_store::notices::{NewNotice, NoticeKind};
use pippost_store::players::{self, NewPlayer, PlayerRow, Registered, Registration};
use pippost_store::preferences::PreferencesRow;
use pippost_store::sessions::{Holder, NewSession};
use pippost_store::stored_responses::RequestKey;

/// How long a link that confirms an address is valid.
const CONFIRMATION_LIFETIME: Duration = Duration::days(7);

/// The data of a new account.
#[derive(Clone, Debug)]
pub struct NewAccount {
    pub handle: Handle,
    pub email: EmailAddress,
    pub password: ChosenPassword,
    /// Whether a program will play on it. Then no mails are sent to it.
    pub bot: bool,
    /// The language of mails, until another one is chosen.
    pub language: Language,
    /// The zone of times in mails, until another one is chosen.
    pub zone: Zone,
    /// The token of an invitation to this server, or of one to a game that went to this address.
    pub invitation: Option<String>,
}

impl NewAccount {
    /// What is stored of the preferences; nothing if they are those of everybody.
    fn preferences(&self, player_id: Uuid) -> Option<PreferencesRow> {
        let (language, zone) = (self.language, self.zone.clone());
        let preferences = NotificationPreferences { language, zone, ..NotificationPreferences::default() };
        (preferences != NotificationPreferences::default()).then(|| preferences.row(player_id, None))
    }
}

/// The ids of what a registration writes.
struct Ids {
    player: Uuid,
    session: Uuid,
    link: Uuid,
}

impl Ids {
    fn new() -> Self {
        Self { player: Uuid::now_v7(), session: Uuid::now_v7(), link: Uuid::now_v7() }
    }
}

/// What a registration writes, at the time at which its session is opened.
fn registration<'a>(
    new: &'a NewAccount,
    email_key: &'a str,
    password_hash: &'a str,
    ids: &Ids,
    session: NewSession<'a>,
) -> Registration<'a> {
    let now = session.now;
    let link = NewMailLink {
        id: ids.link,
        player_id: ids.player,
        purpose: LinkPurpose::ConfirmEmail,
        email: new.email.as_str(),
        email_key,
        created_at: now,
        expires_at: now + CONFIRMATION_LIFETIME,
    };
    let notice = NewNotice::to_player(NoticeKind::ConfirmEmail, ids.player, now).with_link(ids.link);
    Registration {
        admission: None,
        player: NewPlayer {
            id: ids.player,
            handle: new.handle.as_typed(),
            email: new.email.as_str(),
            email_key,
            password_hash,
            mail_enabled: !new.bot,
            created_at: now,
            bot: new.bot,
        },
        session,
        confirmation: (!new.bot).then_some((link, notice)),
        preferences: new.preferences(ids.player),
        stored: None,
    }
}

impl Accounts {
    /// Registers a player, starts a session, and queues the mail that asks to confirm the address; returns the response that `respond`
    /// makes of it. A repeated request with the same key gets that response again. If somebody else has confirmed
    /// that address, only the mail says so (decided when it is claimed), so the caller cannot find out.
    ///
    /// # Errors
    /// [`AccountError::NotAdmitted`], [`AccountError::HandleTaken`], [`AccountError::EmailRefused`], [`AccountError::EmailNotCarried`],
    /// [`AccountError::TooManyTries`], or a failure.
    pub async fn register(
        &self,
        new: &NewAccount,
        peer: IpAddr,
        key: Option<RequestKey>,
        respond: impl FnOnce(LoggedIn) -> String,
    ) -> Result<String, AccountError> {
        let key = self.sealed_key(key);
        let (password_hash, admitted) = self.admit_registration(new, peer).await?;
        let refresh_token = SecretToken::draw(REFRESH_PREFIX)?;
        let ids = Ids::new();
        let now = self.0.clock.now();
        let token_hash = refresh_token.hash();
        let session = NewSession {
            id: ids.session,
            player_id: ids.player,
            holder: Holder::Program,
            token_hash: &token_hash,
            expires_at: now + REFRESH_TOKEN_LIFETIME,
            now,
            peer_key: &self.peer_key(peer),
        };
        let email_key = new.email.key();
        let mut registration = registration(new, &email_key, &password_hash, &ids, session);
        let profile = Profile { player: PlayerRow::from(&registration.player), pending_email: None };
        let response = respond(self.logged_in(ids.session, refresh_token, profile).await);
        registration.admission = admitted.as_ref().map(Admitted::admission);
        registration.stored = self.sealed_response(key.as_ref(), ids.player, &response);
        let registered = players::register(&self.0.database, &registration).await;
        let refused = match registered.map_err(AccountError::from) {
            Ok(Registered::NotAdmitted | Registered::NoGuest) => AccountError::from(NotAdmitted::Invitation),
            Ok(Registered::Done) => {
                self.0.outbox_signal.notify();
                tracing::info!(player_id = %ids.player, "registered");
                return Ok(response);
            }
            Err(AccountError::HandleTaken) => AccountError::HandleTaken,
            Err(error) => return Err(error),
        };
        self.registered_before(&new.handle, key.as_ref(), refused).await
    }

    /// As [`register`](Self::register), for a browser: the session's token is the returned cookie. A guest keeps the games.
    ///
    /// # Errors
    /// [`AccountError::NotAdmitted`], [`AccountError::HandleTaken`], [`AccountError::EmailRefused`], [`AccountError::EmailNotCarried`],
    /// [`AccountError::TooManyTries`], [`AccountError::SessionEnded`] if the guest is gone, or a failure.
    pub async fn register_in_browser(
        &self,
        new: &NewAccount,
        guest: Option<Uuid>,
        peer: IpAddr,
        device: &str,
    ) -> Result<SecretToken, AccountError> {
        let (password_hash, admitted) = self.admit_registration(new, peer).await?;
        let ids = Ids { player: guest.unwrap_or_else(Uuid::now_v7), ..Ids::new() };
        let cookie = SecretToken::draw(COOKIE_PREFIX)?;
        let (token_hash, peer_key) = (cookie.hash(), self.peer_key(peer));
        let session = self.browser_session(ids.session, ids.player, device, &token_hash, &peer_key);
        let email_key = new.email.key();
        let mut registration = registration(new, &email_key, &password_hash, &ids, session);
        registration.admission = admitted.as_ref().map(Admitted::admission);
        let registered = if guest.is_some() {
            guests::register(&self.0.database, &registration).await?
        } else {
            players::register(&self.0.database, &registration).await?
        };
        match registered {
            Registered::Done => self.forget_tokens_of(ids.player),
            Registered::NotAdmitted => return Err(NotAdmitted::Invitation.into()),
            Registered::NoGuest => return Err(AccountError::SessionEnded),
        }
        self.0.outbox_signal.notify();
        tracing::info!(player_id = %ids.player, guest = guest.is_some(), "registered");
        Ok(cookie)
    }

    /// Counts a registration, and hashes its password; returns the hash, and what the registration uses up. Whether an invitation is open
    /// shows only after both, when it is used.
    async fn admit_registration(
        &self,
        new: &NewAccount,
        peer: IpAddr,
    ) -> Result<(String, Option<Admitted>), AccountError> {
        let admitted = self.admitted(new)?;
        if new.handle.is_of_guest() {
            return Err(AccountError::HandleTaken);
        }
        self.check_address(&new.email)?;
        self.0.registration.pass(peer, &new.email.mailbox_key())?;
        self.check_carried(&new.email).await?;
        Ok((self.0.hasher.hash(&new.password, self.asker(peer)).await?, admitted))
    }

    /// The response to a registration that is refused because its handle is taken or its invitation was used, if this request is the
    /// one that took or used it. Anybody else is told why it is refused.
    async fn registered_before(
        &self,
        handle: &Handle,
        key: Option<&RequestKey>,
        refused: AccountError,
    ) -> Result<String, AccountError> {
        let Some(player) = players::player_by_handle(&self.0.database, handle.key()).await? else {
            return Err(refused);
        };
        match self.response_before(key, player.id).await {
            Ok(Some(response)) => Ok(response),
            Ok(None) | Err(AccountError::KeyReused) => Err(refused),
            Err(error) => Err(error),
        }
    }

    /// Confirms the address that the link was sent to. A new address replaces the old one, which gets a mail about it.
    ///
    /// # Errors
    /// [`AccountError::LinkInvalid`]; [`AccountError::EmailTaken`] if somebody else has confirmed the address meanwhile.
    pub async fn confirm_email(&self, token: &str, peer: IpAddr) -> Result<(), AccountError> {
        self.0.confirmation.pass_peer(peer)?;
        let id = self.0.secret.read_link_token(Purpose::ConfirmEmail, token);
        let id = id.ok_or(AccountError::LinkInvalid)?;
        self.confirm_by_mail(id).await
    }

    /// As [`confirm_email`](Self::confirm_email), for whoever has answered the mail with the link of this id.
    ///
    /// # Errors
    /// As for the link.
    pub async fn confirm_by_mail(&self, id: Uuid) -> Result<(), AccountError> {
        let now = self.0.clock.now();
        let confirmed = mail_links::confirm_email(&self.0.database, id, now).await?;
        let player_id = confirmed.ok_or(AccountError::LinkInvalid)?;
        self.0.outbox_signal.notify();
        tracing::info!(%player_id, "e-mail address confirmed");
        Ok(())
    }

    /// Sends another link to the address that waits for confirmation, if there is one.
    ///
    /// # Errors
    /// [`AccountError::TooManyTries`], or a failure.
    pub async fn resend_confirmation(&self, player_id: Uuid, peer: IpAddr) -> Result<(), AccountError> {
        let profile = self.profile(player_id).await?;
        let unconfirmed = profile.player.email_confirmed_at.is_none().then_some(profile.player.email);
        let Some(email) = profile.pending_email.or(unconfirmed) else { return Ok(()) };
        self.ask_for_confirmation(player_id, &email, peer).await
    }

    /// Queues the mail that asks to confirm `email`.
    pub(super) async fn ask_for_confirmation(
        &self,
        player_id: Uuid,
        email: &str,
        peer: IpAddr,
    ) -> Result<(), AccountError> {
        let email_key = email_key(email);
        self.0.confirmation.pass(peer, &mailbox_key(email))?;
        self.0.confirmation_players.pass(player_id)?;
        let now = self.0.clock.now();
        let link = NewMailLink {
            id: Uuid::now_v7(),
            player_id,
            purpose: LinkPurpose::ConfirmEmail,
            email,
            email_key: &email_key,
            created_at: now,
            expires_at: now + CONFIRMATION_LIFETIME,
        };
        let notice = NewNotice::to_player(NoticeKind::ConfirmEmail, player_id, now).with_link(link.id);
        mail_links::ask_for_confirmation(&self.0.database, &link, &notice).await?;
        self.0.outbox_signal.notify();
        Ok(())
    }
}
