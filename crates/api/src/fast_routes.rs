//! Fast routes for the two most frequent requests: showing a game, and moving in it. They compare bytes before the routing table
//! with its regular expressions is tried. The routing table leads all other requests to the same handlers.

use std::future::{Ready, ready};

use actix_web::dev::{AppService, HttpServiceFactory, Payload, ResourceDef};
use actix_web::http::Method;
use actix_web::{FromRequest, HttpRequest, Route, guard};
use uuid::Uuid;
use uuid::fmt::Hyphenated;

use pippost_http::{Code, Problem};

/// The prefix of the addresses of games.
const GAMES: &str = "/api/v1/games";

/// A route `/api/v1/games/{id}`, or one below it.
pub struct FastRoute {
    method: Method,
    /// The route's name in the log and the metrics.
    route: &'static str,
    /// The path after the id.
    rest: &'static str,
    handler: Route,
}

impl FastRoute {
    /// A fast route to `handler`, which takes the game's id as [`GameId`].
    ///
    /// # Panics
    /// If `route` is not below a game.
    #[must_use]
    pub fn new(method: Method, route: &'static str, handler: Route) -> Self {
        let rest = route.strip_prefix(GAMES).and_then(|route| route.strip_prefix("/{id}"));
        Self { method, route, rest: rest.expect("a route of a game"), handler }
    }
}

impl HttpServiceFactory for FastRoute {
    fn register(self, config: &mut AppService) {
        let Self { method, route, rest, handler } = self;
        let mut games = ResourceDef::prefix(GAMES);
        games.set_name(route);
        let looks_right = guard::fn_guard(move |asked| {
            let head = asked.head();
            head.method == method && id_in(head.uri.path(), rest).is_some()
        });
        config.register_service(games, Some(vec![Box::new(looks_right)]), handler, None);
    }
}

/// The text in place of the game's id, if `path` is like the path of a game with `rest` at its end.
fn id_in<'a>(path: &'a str, rest: &str) -> Option<&'a str> {
    let id = path.strip_prefix(GAMES)?.strip_prefix('/')?.strip_suffix(rest)?;
    let is_plain = id.len() == Hyphenated::LENGTH && !id.bytes().any(|byte| matches!(byte, b'/' | b'%'));
    is_plain.then_some(id)
}

/// The name of the route, if a fast route matched the request.
pub fn route_of(request: &HttpRequest) -> Option<&str> {
    // Other routes are named after their handlers.
    request.match_name().filter(|name| name.starts_with(GAMES))
}

/// The id of the game in the path, whichever route matched.
#[must_use]
pub fn game_id(request: &HttpRequest) -> Option<Uuid> {
    let path = request.match_info();
    let id = path.get("id").or_else(|| path.unprocessed().get(1..=Hyphenated::LENGTH));
    id.and_then(|id| Uuid::try_parse(id).ok())
}

/// The game in the path of a request.
#[derive(Clone, Copy, Debug)]
pub struct GameId(pub Uuid);

impl FromRequest for GameId {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        // An invalid id belongs to no game.
        ready(game_id(request).map(Self).ok_or_else(|| Problem::new(Code::NotFound)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_exactly_like_a_game_takes_a_fast_route() {
        let id = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";
        assert_eq!(id_in(&format!("/api/v1/games/{id}"), ""), Some(id));
        assert_eq!(id_in(&format!("/api/v1/games/{id}/moves"), "/moves"), Some(id));
        for (path, rest) in [
            (format!("/api/v1/games/{id}/moves"), ""),
            (format!("/api/v1/games/{id}/"), ""),
            (format!("/api/v1/games/{id}/moves/"), "/moves"),
            (format!("/api/v1/games/{}/moves", &id[1..]), "/moves"),
            (format!("/api/v1/games/%30{}", &id[3..]), ""),
            (format!("/api/v1/games/a/{}", &id[2..]), ""),
            (format!("/api/v1/gamesx{id}"), ""),
            ("/api/v1/games".to_owned(), ""),
            ("/api/v1/games/".to_owned(), ""),
        ] {
            assert_eq!(id_in(&path, rest), None, "{path}");
        }
    }
}
