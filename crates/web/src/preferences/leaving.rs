//! All that is stored of the player, and the end of the account.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;

use super::{PreferencesPage, Section, back, show};
use crate::form::Posted;
use crate::page::message;
use crate::session::too_many;
use crate::site::CookieName;
use crate::visitor::SignedIn;
use pippost_accounts::{AccountError, Password, PreferencesChange};
use pippost_games::{Games, departing, history};
use pippost_http::admission::{Admitted, Archiving, Hashing};
use pippost_http::peer::Peer;
use pippost_http::zip::{DATA_FILE, zip};
use pippost_http::{Code, Problem};

/// The player's data as one file.
#[get("/preferences/data.zip")]
pub async fn export_data(
    admitted: Admitted<Archiving>,
    signed_in: SignedIn,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    Ok(zip(admitted, DATA_FILE, history::everything_of(&games, signed_in.account.player_id)))
}

#[derive(Deserialize)]
pub struct DataForm {
    /// A box that is not ticked is not sent.
    #[serde(default)]
    in_dumps: Option<String>,
}

/// Says whether the player's games may be in dumps.
#[post("/preferences/data")]
pub async fn change_data(
    signed_in: SignedIn,
    accounts: PreferencesPage,
    form: Posted<DataForm>,
) -> Result<HttpResponse, Problem> {
    let in_dumps = Some(form.into_inner().in_dumps.is_some());
    let change = PreferencesChange { in_dumps, ..PreferencesChange::default() };
    accounts.change_preferences(signed_in.account.player_id, change).await?;
    Ok(back("data", Section::Data, "data"))
}

#[derive(Deserialize)]
pub struct DeletionForm {
    #[serde(default)]
    password: String,
    /// A box that is not ticked is not sent.
    #[serde(default)]
    sure: Option<String>,
}

/// Deletes the account.
#[post("/preferences/delete")]
pub async fn delete_account(
    _place: Admitted<Hashing>,
    signed_in: SignedIn,
    peer: Peer,
    accounts: PreferencesPage,
    games: web::Data<Games>,
    form: Posted<DeletionForm>,
) -> Result<HttpResponse, Problem> {
    let DeletionForm { password, sure } = form.into_inner();
    let language = signed_in.visitor.language;
    let deleted = match Password::try_from(password) {
        _ if sure.is_none() => Err(language.say("delete-not-sure")),
        Err(_) => Err(language.say("preferences-password-wrong")),
        Ok(password) => match accounts.delete(&signed_in.account, &password, peer.0).await {
            Ok(()) => Ok(()),
            Err(AccountError::WrongCredentials) => Err(language.say("preferences-password-wrong")),
            Err(AccountError::TooManyTries(reached)) => Err(too_many(language, reached.retry_after_seconds)),
            Err(error) => return Err(error.into()),
        },
    };
    if let Err(delete_problem) = deleted {
        let more = context! { delete_problem };
        return show(StatusCode::UNPROCESSABLE_ENTITY, Section::Data, signed_in, &accounts, more).await;
    }
    let SignedIn { visitor, account } = signed_in;
    departing::leave_soon(&games, account.player_id).await;
    let gone = visitor.site.no_cookie(CookieName::Session);
    let mut answer = message(StatusCode::OK, visitor.logged_out(), "deleted-title", "deleted-text")?;
    answer.add_cookie(&gone).map_err(|error| Problem::new(Code::Internal).cause(error))?;
    Ok(answer)
}
