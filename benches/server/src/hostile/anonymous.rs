//! What nobody needs an account for: pages, guests, and the codes of devices.

use super::attack_data::AttackData;
use super::random::Random;
use super::request::Request;

/// How devices ask for their token (RFC 8628).
const DEVICE_GRANT: &str = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code";

/// The media type of forms.
pub const FORM: &str = "application/x-www-form-urlencoded";

/// The signs of the codes that people type.
const CODE_LENGTH: usize = 8;

/// A game against the house bot, begun without an account.
pub fn guest(data: &AttackData, random: &mut Random) -> Request {
    data.visitor.post("/play", &format!("rules={}", random.one_of(&data.rules)))
}

/// A code for a device, a question for its token, or a code that is guessed.
pub fn device(data: &AttackData, random: &mut Random) -> Request {
    let client = &data.client_id;
    match random.below(3) {
        0 => Request::new("POST", "/api/v1/oauth/device_authorization")
            .body(FORM, format!("client_id={client}&scope=read")),
        1 => {
            let code = random.word(43);
            let body = format!("grant_type={DEVICE_GRANT}&client_id={client}&device_code={code}");
            Request::new("POST", "/api/v1/oauth/token").body(FORM, body)
        }
        _ => data.member.post("/device", &format!("user_code={}", random.word(CODE_LENGTH))),
    }
}

/// A page, for a visitor or a member.
pub fn page(data: &AttackData, random: &mut Random) -> Request {
    let (game, seq) = (random.one_of(&data.played), random.below(40));
    let target = match random.below(12) {
        0 => "/".to_owned(),
        1 => "/games".to_owned(),
        2 => format!("/games/{game}/analysis?seq={seq}"),
        3 => format!("/games/{game}/replay?seq={seq}"),
        4 => format!("/games/{game}/check"),
        5 => format!("/games/{game}/table"),
        6 => format!("/games/{}", random.one_of(&data.public)),
        7 => format!("/players/player-{}", random.below(300)),
        8 => format!("/rules/{}", random.one_of(&data.rules)),
        9 => "/my-games".to_owned(),
        10 => format!("/games/{game}/news"),
        _ => format!("/games/{game}"),
    };
    let browser = if random.below(2) == 0 { &data.visitor } else { &data.member };
    browser.get(&target).header("Accept-Language", random.one_of(&["en", "de"]))
}
