//! The preferences of a player: the sessions, with what ends them.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post, web};
use minijinja::context;
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Posted, see_other};
use super::page::page;
use super::visitor::SignedIn;
use crate::accounts::{AccountError, Accounts};
use crate::api::Problem;
use crate::language::words;

const ADDRESS: &str = "/preferences";

#[get("/preferences")]
pub async fn preferences(
    signed_in: SignedIn,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    let SignedIn { visitor, account } = signed_in;
    let sessions = accounts.open_sessions(account.player_id).await?;
    let sessions: Vec<_> = sessions
        .into_iter()
        .map(|session| {
            context! {
                id => session.id.to_string(),
                device => session.device,
                since => words::date_time(session.created_at, &visitor.zone, visitor.language),
                used_on => session.last_used_on.to_string(),
                is_this => Some(session.id) == account.session_id,
            }
        })
        .collect();
    page(StatusCode::OK, "preferences.html", visitor, context! { sessions })
}

#[derive(Deserialize)]
pub struct SessionForm {
    id: Uuid,
}

#[post("/preferences/end-session")]
pub async fn end_session(
    signed_in: SignedIn,
    accounts: web::Data<Accounts>,
    form: Posted<SessionForm>,
) -> Result<HttpResponse, Problem> {
    match accounts.end_session(signed_in.account.player_id, form.into_inner().id).await {
        // It may have ended meanwhile.
        Ok(()) | Err(AccountError::NotFound) => Ok(see_other(&format!("{ADDRESS}#sessions"))),
        Err(error) => Err(error.into()),
    }
}
