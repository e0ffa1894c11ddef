//! Request and response bodies about apps.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use pippost_accounts::Scope;
use pippost_accounts::apps::{App, AppRequest, Grant};
use pippost_record::record::Timestamp;
use pippost_record::rules::schema::{self, named_schema};

/// An app to register.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAppBody {
    /// What players read on the consent page, without invisible characters.
    #[schema(
        min_length = 1,
        max_length = 64,
        example = "Board at hand",
        pattern = "^[^\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb][^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]*$"
    )]
    name: String,
    /// Where players read about the app.
    #[schema(
        max_length = 512,
        example = "https://app.example.org/",
        pattern = "^https://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\\.[a-z]([a-z0-9-]*[a-z0-9])?(:[1-5]?[1-9][0-9]{3})?/([A-Za-z0-9_~-][A-Za-z0-9_.~-]*(/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*/?)?(\\?[A-Za-z0-9_.~=&-]+)?$"
    )]
    homepage: String,
    /// Where players may be sent back to, 1 to 10, each once.
    #[schema(value_type = RedirectUris, example = json!(["https://app.example.org/done", "http://127.0.0.1/done"]))]
    redirect_uris: Vec<String>,
}

/// The redirect URIs of an app, for the document.
pub enum RedirectUris {}

named_schema!(RedirectUris, "RedirectUris", schema::set_of::<RedirectUriText>(1..=10, "Redirect URIs."), with RedirectUriText);

/// One of them.
pub enum RedirectUriText {}

named_schema!(
    RedirectUriText,
    "RedirectUri",
    schema::text(
        "^(https://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\\.[a-z]([a-z0-9-]*[a-z0-9])?(:[1-5]?[1-9][0-9]{3})?/([A-Za-z0-9_~-][A-Za-z0-9_.~-]*(/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*/?)?(\\?[A-Za-z0-9_.~=&-]+)?\
     |http://(127\\.0\\.0\\.1|\\[::1\\])(:[1-5]?[1-9][0-9]{3})?/([A-Za-z0-9_~-][A-Za-z0-9_.~-]*(/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*/?)?(\\?[A-Za-z0-9_.~=&-]+)?\
     |[a-z][a-z0-9-]*(\\.[a-z0-9-]+)+:/([A-Za-z0-9_~-][A-Za-z0-9_.~-]*(/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*/?)?(\\?[A-Za-z0-9_.~=&-]+)?)$",
        "`https` with a host name, `http` to `127.0.0.1` or `[::1]`, or a scheme of your own with a dot \
     in it. Written as browsers write it, of plain characters, at most 512; without user, password and fragment.",
    )
);

impl From<NewAppBody> for AppRequest {
    fn from(body: NewAppBody) -> Self {
        let NewAppBody { name, homepage, redirect_uris } = body;
        Self { name, homepage, redirect_uris }
    }
}

/// An app that you have registered.
#[derive(Serialize, ToSchema)]
pub struct AppAnswer {
    /// The app's `client_id`. It is public, and apps have no secret.
    id: Uuid,
    name: String,
    homepage: String,
    redirect_uris: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<App> for AppAnswer {
    fn from(app: App) -> Self {
        let App { id, name, homepage, redirect_uris, created_at } = app;
        Self { id, name, homepage, redirect_uris, created_at: Timestamp::new(created_at) }
    }
}

/// The apps that you have registered.
#[derive(Serialize, ToSchema)]
pub struct AppsAnswer {
    /// Newest first.
    pub apps: Vec<AppAnswer>,
}

/// An app that may act for you.
#[derive(Serialize, ToSchema)]
pub struct GrantAnswer {
    /// What you allow the app, for `DELETE /me/grants/{id}`. The same app may stand here more than once, such as from two devices.
    id: Uuid,
    /// The app's `client_id`.
    app: Uuid,
    name: String,
    homepage: String,
    scopes: Vec<Scope>,
    /// The only game that it is for; null for all.
    game: Option<Uuid>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The day (UTC) of its last request; null if there was none.
    #[schema(value_type = Option<String>, format = Date)]
    last_used_on: Option<String>,
}

impl From<Grant> for GrantAnswer {
    fn from(grant: Grant) -> Self {
        Self {
            id: grant.id,
            app: grant.app_id,
            name: grant.name,
            homepage: grant.homepage,
            scopes: grant.scopes.scopes.iter().collect(),
            game: grant.scopes.game_id,
            created_at: Timestamp::new(grant.since),
            last_used_on: grant.last_used_on.map(|day| day.to_string()),
        }
    }
}

/// The apps that may act for you.
#[derive(Serialize, ToSchema)]
pub struct GrantsAnswer {
    /// Newest first.
    pub grants: Vec<GrantAnswer>,
}
