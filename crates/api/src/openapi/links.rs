//! Where an answer leads: what it holds that another operation takes in its address. Generators refuse links with bodies.

use utoipa::openapi::link::LinkBuilder;
use utoipa::openapi::{OpenApi, RefOr};

use crate::declared;

/// A link from an answer to an operation. Its name is made of both operations' names.
struct Link {
    from: &'static str,
    status: &'static str,
    to: &'static str,
    /// Parameters, each with the expression of its value.
    parameters: &'static [(&'static str, &'static str)],
}

const ID: &[(&str, &str)] = &[("id", "$response.body#/id")];
const SAME_ID: &[(&str, &str)] = &[("id", "$request.path.id")];

const fn link(
    from: &'static str,
    status: &'static str,
    to: &'static str,
    parameters: &'static [(&'static str, &'static str)],
) -> Link {
    Link { from, status, to, parameters }
}

const LINKS: &[Link] = &[
    link("create_game", "201", "view_game", ID),
    link("create_game", "201", "join_game", ID),
    link("create_game", "201", "set_entropy", ID),
    link("create_game", "201", "invite", ID),
    link("list_games", "200", "view_game", &[("id", "$response.body#/games/0/id")]),
    link("join_game", "200", "view_game", ID),
    link("join_game", "200", "legal_actions", ID),
    link("view_game", "200", "legal_actions", ID),
    link("view_game", "200", "make_move", ID),
    link("view_game", "200", "preview_move", ID),
    link("view_game", "200", "list_events", ID),
    link("view_game", "200", "follow_game", ID),
    link("view_game", "200", "export_record", ID),
    link("view_game", "200", "list_messages", ID),
    link("legal_actions", "200", "make_move", SAME_ID),
    link("make_move", "200", "view_game", SAME_ID),
    link("make_move", "200", "show_news", SAME_ID),
    link("register_webhook", "201", "show_webhook", ID),
    link("create_tournament", "201", "enter_tournament", ID),
];

/// Adds all links.
///
/// # Panics
/// If one names an operation or an answer that the document does not have.
pub fn add(document: &mut OpenApi) {
    let mut known: Vec<String> = Vec::new();
    for operation in document.paths.paths.values_mut().flat_map(declared::operations) {
        known.extend(operation.operation_id.clone());
        let own = LINKS.iter().filter(|link| operation.operation_id.as_deref() == Some(link.from));
        for link in own {
            let answer = operation.responses.responses.get_mut(link.status);
            let Some(RefOr::T(answer)) = answer else {
                panic!("{} has no answer {}", link.from, link.status)
            };
            answer.links.insert(link.to.to_owned(), RefOr::T(written(link)));
        }
    }
    for link in LINKS {
        for name in [link.from, link.to] {
            assert!(known.iter().any(|known| known == name), "there is no operation {name}");
        }
    }
}

fn written(link: &Link) -> utoipa::openapi::link::Link {
    let mut written = LinkBuilder::new().operation_id(link.to);
    for (name, value) in link.parameters {
        written = written.parameter(*name, *value);
    }
    written.build()
}
