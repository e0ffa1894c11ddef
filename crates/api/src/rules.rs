//! The rule sets, with their options and actions.

use std::ops::RangeInclusive;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::routes::Routes;
use pippost_http::conditional::EntityTag;
use pippost_http::problem::{Code, Problem, ProblemBody};
use pippost_record::rules::schema::{self, RuleSetGivenOptions, RuleSetOptions, named_schema};
use pippost_record::rules::{self, RuleSet};

/// A rule set in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct RuleSetSummary {
    /// The name for programs: lower-case words joined by `-`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The version of new games.
    pub version: u32,
    /// The fewest players that any options allow.
    pub least_players: u8,
    /// The most players that any options allow.
    pub most_players: u8,
    /// The possible numbers of players by options. One entry without options if the number does not depend on them.
    pub players_by_options: Vec<PlayersByOptions>,
}

/// All rule sets.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesAnswer {
    pub rules: Vec<RuleSetSummary>,
}

/// The numbers of players with these options.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayersByOptions {
    #[schema(value_type = RuleSetGivenOptions)]
    pub options: Value,
    pub least_players: u8,
    pub most_players: u8,
}

/// A JSON Schema inside an answer.
#[derive(Debug)]
pub enum JsonSchema {}

named_schema!(JsonSchema, "JsonSchema", schema::free_object("A JSON Schema (2020-12)."));

/// A rule set with its schemas and rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct RuleSetDetails {
    #[serde(flatten)]
    pub summary: RuleSetSummary,
    /// JSON Schema (2020-12) of the options.
    #[schema(value_type = JsonSchema)]
    pub options_schema: Value,
    /// JSON Schema (2020-12) of the actions.
    #[schema(value_type = JsonSchema)]
    pub action_schema: Value,
    /// The default options.
    #[schema(value_type = RuleSetOptions)]
    pub default_options: Value,
    /// The rules for people, in Markdown.
    pub text: String,
}

/// The numbers of players that any options of a rule set allow.
pub fn seats_of(name: &str) -> Option<RangeInclusive<u8>> {
    let summary = summary(rules::find(name, None)?);
    Some(summary.least_players..=summary.most_players)
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service.service(list_rules).service(show_rules);
}

/// Lists the rule sets.
#[utoipa::path(tag = "rules", responses(
    (status = 200, description = "All rule sets.", body = RulesAnswer),
    (status = 304, description = "You have them already."),
))]
#[get("/rules")]
pub async fn list_rules(request: HttpRequest) -> HttpResponse {
    let all = RulesAnswer { rules: summaries() };
    EntityTag::of_json(&all).respond(&request, |mut answer| answer.json(all))
}

/// The newest version of each rule set.
fn summaries() -> Vec<RuleSetSummary> {
    let mut summaries: Vec<RuleSetSummary> = Vec::new();
    for rules in rules::all() {
        // The newest version of each rule set comes first; new games use it.
        if summaries.iter().all(|summary| summary.name != rules.name()) {
            summaries.push(summary(rules));
        }
    }
    summaries
}

/// Shows a rule set: options and actions as JSON Schema, and its rules.
#[utoipa::path(tag = "rules", params(("name" = String, Path, example = json!(rules::sample_name()))), responses(
    (status = 200, description = "The rule set.", body = RuleSetDetails),
    (status = 304, description = "You have it already."),
    (status = 404, description = "There is none of that name.", body = ProblemBody, content_type = "application/problem+json"),
))]
#[get("/rules/{name}")]
pub async fn show_rules(request: HttpRequest, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    let unknown = || Problem::new(Code::NotFound).detail("there is no rule set of that name");
    let rules = rules::find(&name, None).ok_or_else(unknown)?;
    let details = RuleSetDetails {
        summary: summary(rules),
        options_schema: rules.options_schema(),
        action_schema: rules.action_schema(),
        default_options: default_options(rules)?,
        text: rules.text().to_owned(),
    };
    Ok(EntityTag::of_json(&details).respond(&request, |mut answer| answer.json(details)))
}

fn default_options(rules: &dyn RuleSet) -> Result<Value, Problem> {
    let none = Value::Object(serde_json::Map::new());
    rules.complete_options(&none).map_err(|refused| Problem::new(Code::Internal).cause(refused))
}

fn summary(rules: &dyn RuleSet) -> RuleSetSummary {
    let players_by_options: Vec<PlayersByOptions> = rules
        .players_by_options()
        .into_iter()
        .map(|(options, seats)| PlayersByOptions {
            options,
            least_players: *seats.start(),
            most_players: *seats.end(),
        })
        .collect();
    RuleSetSummary {
        name: rules.name().to_owned(),
        title: rules.title().to_owned(),
        version: rules.version(),
        least_players: players_by_options.iter().map(|players| players.least_players).min().unwrap_or(1),
        most_players: players_by_options.iter().map(|players| players.most_players).max().unwrap_or(1),
        players_by_options,
    }
}
