//! A game that has not started: who is there, and joining, leaving and inviting.

use actix_web::http::StatusCode;
use actix_web::http::header::REFRESH;
use actix_web::{HttpResponse, post, web};
use minijinja::{Value, context};
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Deserialize;
use uuid::Uuid;

use super::form::{Posted, see_other};
use super::game::{card as card_of, path};
use super::lists::pace;
use super::page::{encoded, page};
use super::reliability::sentence;
use super::renewal;
use super::rules::card;
use super::session::MY_GAMES;
use super::statistics::{chance, own_chance};
use super::visitor::{SignedIn, Visitor};
use pippost_accounts::{AccountError, Accounts, EmailAddress, Handle, PlayerRequest};
use pippost_clock::TimeControl;
use pippost_games::lobby::inviting::Invitee;
use pippost_games::statistics::{self, Prospects};
use pippost_games::{GameError, GameView, Games, PlayerIdentity, lobby};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_language::{Arguments, Language, words};
use pippost_record::record::Seating;
use pippost_record::rules;
use pippost_store::GameStatus;

/// The narrowest border around a QR code that readers need is part of the picture; the whole has at least this width, in pixels.
const QR_PX: u32 = 160;

/// After how many seconds the page of a game that waits for the beacon is loaded again.
const RELOAD_SECONDS: u16 = 3;

/// Shows a game before its start. `token` is the invitation that the visitor came with.
///
/// # Errors
/// The page could not be filled.
pub async fn show(
    games: &Games,
    visitor: Visitor,
    view: &GameView,
    token: Option<&str>,
    notice: Notice,
) -> Result<HttpResponse, Problem> {
    let language = visitor.language;
    let prospects =
        statistics::prospects(games, view.id, visitor.registered().map(|account| account.player_id)).await?;
    let seated = seated(view, prospects.as_ref(), language);
    let renews = renewal::is_on(games, view.id, &visitor).await?;
    let handle = visitor.account.as_ref().map(|account| account.handle.clone());
    let is_member = handle
        .is_some_and(|handle| view.players.iter().any(|player| player.handle.eq_ignore_ascii_case(&handle)));
    let is_open = view.status == GameStatus::Open;
    let link = match (view.private, view.invitation.as_deref()) {
        (false, _) => Some(view.page.clone()),
        (true, Some(invitation)) => Some(format!("{}?token={}", view.page, encoded(invitation))),
        (true, None) => None,
    };
    let link = link.filter(|_| is_open && is_member);
    let expires = view.expires_at.filter(|_| view.status != GameStatus::Cancelled);
    let free = usize::from(view.seats).saturating_sub(view.players.len());
    let waits = language.say_with(
        "page-waiting",
        &Arguments::default().number("free", i64::try_from(free).unwrap_or(i64::MAX)),
    );
    let values = context! {
        id => view.id.to_string(),
        shared => is_open.then(|| card_of(games, view, view.game_title.as_deref().unwrap_or(view.title).to_owned(), &waits)).flatten(),
        game => rules::find(view.rules, None).map(|rules| card(rules, language)),
        title => view.title,
        game_title => &view.game_title,
        status => view.status.as_str(),
        players => view.players.iter().map(|player| words::player(&player.handle, player.bot)).collect::<Vec<_>>(),
        seated,
        own_chance => prospects.as_ref().and_then(|prospects| own_chance(prospects, language)),
        is_rated => prospects.is_some(),
        free,
        seats => view.seats,
        private => view.private,
        pace => pace(&view.time_control, language),
        stands_still => stands_still(&view.time_control, language),
        substitutes => view.substitutes,
        renews,
        random => view.seating == Seating::Random,
        expires => expires.map(|at| words::date_time(at.get(), &visitor.zone, language)),
        options => options_of(view.rules, view.options.get(), language),
        commitment => view.commitment.to_string(),
        token,
        is_member,
        is_open,
        qr => link.as_deref().and_then(qr_code).map(Value::from_safe_string),
        link,
        problem => &notice.problem,
        invited => notice.invited,
        invitee => notice.invitee,
    };
    let status = if notice.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let mut shown = page(status, "waiting.html", visitor, values)?;
    if view.status == GameStatus::Starting {
        shown.headers_mut().insert(REFRESH, RELOAD_SECONDS.into());
    }
    Ok(shown)
}

/// During what the clocks of this game stand still; `None` if nothing of calendars is heeded.
fn stands_still(control: &TimeControl, language: Language) -> Option<String> {
    let heeded = [
        (control.nights, "control-nights"),
        (control.rest_days, "control-rest_days"),
        (control.holidays, "control-holidays"),
    ];
    let heeded: Vec<String> =
        heeded.into_iter().filter(|(is_on, _)| *is_on).map(|(_, key)| language.say(key)).collect();
    (!heeded.is_empty() && !control.is_unlimited()).then(|| words::list(&heeded, language))
}

/// Who has sat down, how reliable they are, and how likely they are to win.
fn seated(view: &GameView, prospects: Option<&Prospects>, language: Language) -> Vec<Value> {
    let told = view.players.iter().enumerate().map(|(index, player)| {
        let prospect = prospects.and_then(|prospects| prospects.seated.get(index));
        context! {
            chance => prospect.and_then(|prospect| chance(prospect, language)),
            handle => &player.handle,
            name => words::player(&player.handle, player.bot),
            reliability => sentence(&player.reliability.unwrap_or_default(), language),
        }
    });
    told.collect()
}

/// What the page says about the form that was sent before.
#[derive(Debug, Default)]
pub struct Notice {
    problem: Option<String>,
    invited: Option<String>,
    /// What was typed, to be mended.
    invitee: Option<String>,
}

/// The options of a game, as JSON, with their names and values in words.
pub fn options_of(rules: &str, options: &str, language: Language) -> Vec<Value> {
    let options: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(options).unwrap_or_default();
    let told = |(name, value): (String, serde_json::Value)| {
        let key = format!("{rules}-option-{name}");
        let value = match value {
            serde_json::Value::Null => return None,
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        let label = language.find(&key).unwrap_or(name);
        Some(context! { label, value => language.find(&format!("{key}-{value}")).unwrap_or(value) })
    };
    options.into_iter().filter_map(told).collect()
}

/// The link as a picture that telephones read. It is part of the page, so it has no styles of its own.
fn qr_code(link: &str) -> Option<String> {
    let code = QrCode::new(link).ok()?;
    let picture = code
        .render::<svg::Color<'_>>()
        .min_dimensions(QR_PX, QR_PX)
        .dark_color(svg::Color("#000000"))
        .light_color(svg::Color("#ffffff"))
        .build();
    // Inside HTML there is no XML declaration.
    picture.find("<svg").map(|start| picture[start..].to_owned())
}

#[derive(Debug, Default, Deserialize)]
pub struct JoinForm {
    #[serde(default)]
    token: String,
}

#[post("/games/{id}/join")]
pub async fn join(
    signed_in: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<JoinForm>,
) -> Result<HttpResponse, Problem> {
    let SignedIn { visitor, account } = signed_in;
    accounts.count_request(PlayerRequest::Join, account.player_id, peer.0)?;
    let player = PlayerIdentity::of(&accounts, &account).await?;
    let token = form.into_inner().token;
    let invitation = (!token.is_empty()).then_some(token.as_str());
    match lobby::join(&games, *id, &player, String::new(), invitation).await {
        Ok(_) | Err(GameError::AlreadyJoined | GameError::Cancelled) => Ok(see_other(&path(*id))),
        Err(GameError::Full) => {
            super::page::message(StatusCode::CONFLICT, visitor, "join-full-title", "join-full-text")
        }
        Err(GameError::QuotaReached { .. }) => {
            super::page::message(StatusCode::CONFLICT, visitor, "new-game-quota-title", "new-game-quota")
        }
        Err(error) => Err(error.into()),
    }
}

#[post("/games/{id}/decline")]
pub async fn decline(
    signed_in: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Posted<JoinForm>,
) -> Result<HttpResponse, Problem> {
    match lobby::inviting::decline(&games, *id, signed_in.account.player_id).await {
        // Whoever declines twice has declined.
        Ok(()) | Err(GameError::NotFound) => Ok(see_other(MY_GAMES)),
        Err(error) => Err(error.into()),
    }
}

#[post("/games/{id}/leave")]
pub async fn leave(
    signed_in: SignedIn,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    _form: Posted<JoinForm>,
) -> Result<HttpResponse, Problem> {
    match lobby::leave(&games, *id, signed_in.account.player_id).await {
        Ok(()) | Err(GameError::NotJoined) => Ok(see_other(MY_GAMES)),
        Err(GameError::Started | GameError::Cancelled) => Ok(see_other(&path(*id))),
        Err(error) => Err(error.into()),
    }
}

#[derive(Debug, Default, Deserialize)]
pub struct InviteForm {
    #[serde(default)]
    invitee: String,
}

#[post("/games/{id}/invitations")]
pub async fn invite(
    signed_in: SignedIn,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<InviteForm>,
) -> Result<HttpResponse, Problem> {
    let SignedIn { visitor, account } = signed_in;
    let language = visitor.language;
    let wanted = form.into_inner().invitee;
    let refused = |why: String| Notice { problem: Some(why), invitee: Some(wanted.clone()), invited: None };
    let notice = match invitee(wanted.trim()) {
        None => refused(language.say("invite-unreadable")),
        Some(Invitee::Address(address)) if accounts.check_address(&address).is_err() => {
            refused(language.say("sign-up-email-refused"))
        }
        Some(invitee) => match accounts.count_request(PlayerRequest::Invite, account.player_id, peer.0) {
            Ok(()) => match lobby::invite(&games, *id, account.player_id, invitee, None).await {
                Ok(()) => Notice { invited: Some(wanted.trim().to_owned()), ..Notice::default() },
                Err(error) => match refusal(&error, language) {
                    Some(why) => refused(why),
                    None => return Err(error.into()),
                },
            },
            Err(AccountError::TooManyTries(_)) => refused(language.say("invite-too-many")),
            Err(error) => return Err(error.into()),
        },
    };
    shown_again(&games, *id, visitor, notice).await
}

async fn shown_again(
    games: &Games,
    id: Uuid,
    visitor: Visitor,
    notice: Notice,
) -> Result<HttpResponse, Problem> {
    let requester = pippost_games::viewing::view::Requester { player_id: visitor.player_id(), token: None };
    let view = pippost_games::viewing::view(games, id, &requester).await?;
    show(games, visitor, &view, None, notice).await
}

/// What holds an @ is an address, anything else a handle.
fn invitee(text: &str) -> Option<Invitee> {
    if text.contains('@') {
        EmailAddress::parse(text).ok().map(Invitee::Address)
    } else {
        Handle::parse(text).ok().map(Invitee::Player)
    }
}

fn refusal(error: &GameError, language: Language) -> Option<String> {
    let key = match error {
        GameError::UnknownPlayer(handle) => {
            let arguments = Arguments::default().text("handle", handle.clone());
            return Some(language.say_with("invite-unknown", &arguments));
        }
        GameError::AlreadyJoined => "invite-already",
        GameError::AddressNotConfirmed => "invite-not-confirmed",
        GameError::TooManyInvitations | GameError::TooManyInvitationsWait => "invite-too-many",
        _ => return None,
    };
    Some(language.say(key))
}
