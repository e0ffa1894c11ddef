//! Apps: programs of others that players let act for them, by OAuth 2.1 (authorization code with PKCE, public clients only).
//!
//! A player registers an app. The app sends a player to the consent page with a *request*; the player's log-in there makes a *code*,
//! which the app exchanges for a *grant* with tokens. On a device without a browser the app shows a *user code*, which the player types
//! on a page here.

mod authorization;
mod devices;
mod grants;
mod oauth_error;
mod parameters;
mod redirect_uri;
mod registering;
mod scope_list;
mod tokens;

use time::Duration;

pub use authorization::{Authorization, BackToApp, CODE_LIFETIME, CONSENT_LIFETIME, Consent};
pub use devices::{
    DEVICE_CODE_LIFETIME, DeviceAnswer, DeviceCodes, DeviceConsent, MAX_WAITING_OF_A_NETWORK,
    MAX_WAITING_OF_AN_APP, POLL_SECONDS, UserCode,
};
pub use grants::Grant;
pub use oauth_error::{OAuthCode, OAuthError};
pub use parameters::Parameters;
pub use redirect_uri::{Destination, MAX_REDIRECT_URI_BYTES, RedirectUri};
pub use registering::{App, AppRequest, MAX_APP_NAME_CHARS, MAX_APPS, MAX_REDIRECT_URIS};
pub use scope_list::ScopeList;
pub use tokens::{
    APP_ACCESS_LIFETIME, APP_REFRESH_LIFETIME, AppTokens, DEVICE_GRANT, MAX_GRANTS, MAX_GRANTS_OF_AN_APP,
};

/// How long a code is remembered after it has expired, so that a replay revokes what it gave.
pub const CODE_MEMORY: Duration = Duration::days(1);
