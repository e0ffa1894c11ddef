//! What the forms hold, as the bodies of the API.

use serde::Deserialize;
use uuid::Uuid;

use pippost_http::Problem;
use pippost_http::webhook_requests::bodies::{NewWebhookBody, WebhookChangeBody};
use pippost_store::{WebhookFormat, WebhookKind};
use pippost_webhooks::WebhookError;

/// A webhook as a form describes it; a box that is not ticked is not sent. Addresses of chats are secrets, so there is no `Debug`.
#[derive(Default, Deserialize)]
pub struct WebhookForm {
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub format: String,
    /// Empty: all games.
    #[serde(default)]
    pub game: String,
    #[serde(default)]
    turn: Option<String>,
    #[serde(default)]
    game_started: Option<String>,
    #[serde(default)]
    game_over: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    tournament: Option<String>,
    #[serde(default)]
    event: Option<String>,
}

impl WebhookForm {
    /// What most want.
    pub fn fresh() -> Self {
        let ticked = || Some("on".to_owned());
        Self { turn: ticked(), game_over: ticked(), ..Self::default() }
    }

    pub fn kinds(&self) -> Vec<WebhookKind> {
        let ticked = [
            (&self.turn, WebhookKind::Turn),
            (&self.game_started, WebhookKind::GameStarted),
            (&self.game_over, WebhookKind::GameOver),
            (&self.message, WebhookKind::Message),
            (&self.tournament, WebhookKind::Tournament),
            (&self.event, WebhookKind::Event),
        ];
        ticked.into_iter().filter_map(|(ticked, kind)| ticked.as_ref().map(|_| kind)).collect()
    }

    fn format(&self) -> WebhookFormat {
        match self.format.as_str() {
            "discord" => WebhookFormat::Discord,
            "slack" => WebhookFormat::Slack,
            _ => WebhookFormat::Standard,
        }
    }

    fn game(&self) -> Result<Option<Uuid>, Problem> {
        if self.game.is_empty() {
            return Ok(None);
        }
        self.game.parse().map(Some).map_err(|_| WebhookError::NoSuchGame.into())
    }

    pub fn new_webhook(&self) -> Result<NewWebhookBody, Problem> {
        Ok(NewWebhookBody {
            url: self.url.trim().to_owned(),
            format: Some(self.format()),
            kinds: self.kinds(),
            game: self.game()?,
            after: None,
        })
    }

    pub fn change(&self) -> Result<WebhookChangeBody, Problem> {
        Ok(WebhookChangeBody {
            url: Some(self.url.trim().to_owned()),
            format: Some(self.format()),
            kinds: Some(self.kinds()),
            game: Some(self.game()?),
            ..WebhookChangeBody::default()
        })
    }
}

#[derive(Deserialize)]
pub struct CodeForm {
    #[serde(default)]
    pub code: String,
}

#[derive(Deserialize)]
pub struct SwitchForm {
    /// Whether it shall be on.
    #[serde(default)]
    pub on: Option<String>,
}

#[derive(Deserialize)]
pub struct EventForm {
    #[serde(default)]
    pub event: String,
}

#[derive(Deserialize)]
pub struct Nothing {}
