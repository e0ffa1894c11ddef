//! Renders pages from templates.

use std::sync::LazyLock;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, ContentType, REFERRER_POLICY, X_FRAME_OPTIONS,
};
use minijinja::{Environment, HtmlEscape, State, Value, context};

use super::assets;
use super::branding::TextKind;
use super::colours::Colours;
use super::session::{Onward, leading_to};
use super::site::CookieName;
use super::visitor::Visitor;
use pippost_accounts::RegistrationPolicy;
use pippost_accounts::guests::GUEST_LIFETIME;
use pippost_http::{Code, Problem};
use pippost_language::functions;

/// Allows this server's style sheet, scripts and images, and forms to this server: nothing inside the page's own text, and nothing of
/// others.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../templates/web/", $name)))),*]
    };
}

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    functions::add(&mut templates, None);
    templates.add_function("asset", |name: &str| assets::address(name));
    templates.add_function("csrf_field", csrf_field);
    templates.add_function("leading_to", |path: &str, next: Option<&str>| leading_to(path, next));
    for (name, text) in templates!(
        "layout.html",
        "fields.html",
        "game_item.html",
        "game_card.html",
        "filter_fields.html",
        "look_form.html",
        "shared.html",
        "home.html",
        "log_in.html",
        "sign_up.html",
        "sign_up_fields.html",
        "forgot_password.html",
        "confirm.html",
        "reset.html",
        "message.html",
        "offline.html",
        "own_text.html",
        "error.html",
        "preferences.html",
        "preferences_page.html",
        "preferences_notices.html",
        "preferences_time.html",
        "preferences_look.html",
        "preferences_account.html",
        "preferences_access.html",
        "preferences_data.html",
        "preferences_invitations.html",
        "turns.xml",
        "webhooks.html",
        "webhook.html",
        "webhook_fields.html",
        "look.html",
        "lobby.html",
        "dumps.html",
        "search.html",
        "search_form.html",
        "my_games.html",
        "following.html",
        "week.html",
        "moderation.html",
        "moderation_mine.html",
        "moderation_act.html",
        "report.html",
        "player.html",
        "player_statistics.html",
        "ratings.html",
        "problems.html",
        "problem.html",
        "strength_field.html",
        "studies.html",
        "study.html",
        "study_list.html",
        "clubs.html",
        "ladder.html",
        "ladders.html",
        "club.html",
        "club_fields.html",
        "new_game_rules.html",
        "new_game.html",
        "option_fields.html",
        "control_fields.html",
        "tournaments.html",
        "tournament.html",
        "new_tournament.html",
        "waiting.html",
        "rules.html",
        "rules_of.html",
        "first_turns.html",
        "about.html",
        "api.html",
        "analysis.html",
        "analysis_board.html",
        "game.html",
        "game_board.html",
        "game_parts.html",
        "game_table.html",
        "embed.html",
        "moves.html",
        "replay.html",
        "replay_moment.html",
        "authorize.html",
        "authorize_refused.html",
        "authorized.html",
        "app_scopes.html",
        "device.html",
        "device_decided.html",
        "unsubscribe.html",
    ) {
        templates.add_template(name, text).expect("the templates are part of the program");
    }
    templates
});

/// The colour of the browser around the pages, and of installed ones.
pub const THEME_COLOUR: &str = "#0a6c74";

/// What the header of every page leads to: addresses and keys of texts.
const NAVIGATION: &[(&str, &str)] = &[
    ("/games", "layout-lobby"),
    ("/my-games", "layout-my-games"),
    ("/rules", "layout-rules"),
    ("/verifier", "layout-check"),
];

/// What the footer of every page leads to.
const FOOTER: &[(&str, &str)] = &[
    ("/ratings", "layout-ratings"),
    ("/problems", "problems-title"),
    ("/studies", "studies-title"),
    ("/clubs", "clubs-title"),
    ("/about", "layout-about"),
    ("/api", "layout-api"),
    ("/moderation", "moderation-title"),
    ("/look", "layout-look"),
];

fn entries(entries: &[(&'static str, &'static str)]) -> Vec<Value> {
    entries.iter().map(|(path, text)| context! { path => *path, text => *text }).collect()
}

/// As [`POLICY`], for pages where a player gives an app access: no script and no picture.
const BARE_POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The hidden field with which a form shows that it is from this server's page.
fn csrf_field(state: &State<'_, '_>) -> Value {
    let token = state.lookup("csrf").filter(|token| !token.is_undefined() && !token.is_none());
    let token = token.map(|token| token.to_string()).unwrap_or_default();
    let token = HtmlEscape(&token);
    Value::from_safe_string(format!("<input type=\"hidden\" name=\"csrf\" value=\"{token}\">"))
}

/// Renders a template in the visitor's language.
#[allow(clippy::needless_pass_by_value, reason = "a page is the last that is done for a visitor")]
pub fn page(
    status: StatusCode,
    template: &str,
    visitor: Visitor,
    values: Value,
) -> Result<HttpResponse, Problem> {
    render(status, template, &visitor, values, POLICY)
}

/// As [`page`], without scripts and pictures.
#[allow(clippy::needless_pass_by_value, reason = "a page is the last that is done for a visitor")]
pub fn bare_page(
    status: StatusCode,
    template: &str,
    visitor: Visitor,
    values: Value,
) -> Result<HttpResponse, Problem> {
    render(status, template, &visitor, context! { bare => true, ..values }, BARE_POLICY)
}

fn render(
    status: StatusCode,
    template: &str,
    visitor: &Visitor,
    values: Value,
    policy: &str,
) -> Result<HttpResponse, Problem> {
    let html = rendered(template, context! { ..values, ..layout(visitor) })?;
    let mut response = HttpResponse::build(status);
    response
        .content_type(ContentType::html())
        .insert_header((CONTENT_SECURITY_POLICY, policy))
        // For browsers that do not know `frame-ancestors`.
        .insert_header((X_FRAME_OPTIONS, "DENY"))
        .insert_header((CONTENT_LANGUAGE, visitor.language.tag()))
        // Without a referrer, browsers would not say in `Origin` where a form comes from.
        .insert_header((REFERRER_POLICY, "same-origin"));
    if let Some(key) = &visitor.forms.new_key {
        response.cookie(visitor.site.cookie(CookieName::Form, key.reveal().to_owned()));
    }
    Ok(response.body(html))
}

/// Renders a template that is no page.
///
/// # Errors
/// The template needs a value that it is not given.
pub fn rendered(template: &str, values: Value) -> Result<String, Problem> {
    let text = TEMPLATES.get_template(template).and_then(|template| template.render(values));
    text.map_err(|error| Problem::new(Code::Internal).cause(error))
}

/// What the layout says on every page.
fn layout(visitor: &Visitor) -> Value {
    let path = visitor.address.split('?').next().unwrap_or_default();
    let registration = visitor.registration();
    context! {
        language => visitor.language.tag(),
        dir => visitor.language.direction(),
        theme => visitor.theme.as_str(),
        bounced => visitor.bounced,
        sandbox => visitor.sandbox,
        handle => visitor.registered().map(|account| &account.handle),
        guest => visitor.is_guest(),
        guest_days => GUEST_LIFETIME.whole_days(),
        house_bot => visitor.site.house_bot().is_some() && (visitor.account.is_some() || registration == RegistrationPolicy::Open),
        registration => registration.as_str(),
        csrf => &visitor.forms.token,
        path,
        log_in => onward("/log-in", visitor),
        sign_up => onward("/sign-up", visitor),
        navigation => entries(NAVIGATION),
        footer => entries(FOOTER),
        own_pages => own_pages(visitor),
        site_name => visitor.site.branding().name(),
        colours => visitor.site.colours(),
        theme_colour => visitor.site.branding().colours().map_or(THEME_COLOUR, Colours::light),
    }
}

/// The pages with the operator's own texts.
fn own_pages(visitor: &Visitor) -> Vec<Value> {
    let shown = |kind: TextKind| {
        let text = visitor.site.branding().text(kind, visitor.language)?;
        let usual = || visitor.language.say(&format!("own-{}", kind.name()));
        let title = text.title().map_or_else(usual, str::to_owned);
        Some(context! { path => format!("/{}", kind.name()), title })
    };
    [TextKind::Terms, TextKind::Imprint].into_iter().filter_map(shown).collect()
}

/// The address of a page from which the visitor comes back here, or goes where this page leads to.
fn onward(path: &str, visitor: &Visitor) -> String {
    let next = visitor.address.split_once('?').and_then(|(_, query)| Onward::in_query(query));
    let here = next.as_deref().unwrap_or(&visitor.address);
    let is_worth_it = here != "/"
        && !["/log-in", "/sign-up", "/forgot-password", "/log-out"].iter().any(|path| here.starts_with(path));
    leading_to(path, is_worth_it.then_some(here))
}

/// A text as the value of a query's parameter.
pub fn encoded(text: &str) -> String {
    serde_urlencoded::to_string([("x", text)]).map(|pair| pair[2..].to_owned()).unwrap_or_default()
}

/// A page with one message; `title` and `text` are keys of the catalogue.
pub fn message(
    status: StatusCode,
    visitor: Visitor,
    title: &str,
    text: &str,
) -> Result<HttpResponse, Problem> {
    let language = visitor.language;
    page(
        status,
        "message.html",
        visitor,
        context! { title => language.say(title), text => language.say(text) },
    )
}
