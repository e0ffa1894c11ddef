//! The files that pages need besides themselves: style sheet, scripts, pictures. Their address holds a hash over all of them, so browsers
//! keep them for good, and a new release has new addresses. Modules import each other by relative addresses.

use std::borrow::Cow;
use std::sync::LazyLock;

use actix_web::body::MessageBody;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, CROSS_ORIGIN_RESOURCE_POLICY,
};
use actix_web::{HttpResponse, get, web};
use aws_lc_rs::digest::{Context, SHA256};

use super::site::Site;
use pippost_http::{Code, Problem};
use pippost_record::board;

/// The bytes of the hash that addresses hold.
const HASH_BYTES: usize = 8;

/// How long browsers keep a file.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLES: &str = "text/css; charset=utf-8";

/// The style sheet with the colours of the operator. It comes after `site.css`.
pub(super) const COLOURS: &str = "colours.css";

const PICTURE: &str = "image/svg+xml";

const ICON: &str = include_str!("../../../templates/site/icon.svg");

/// A file: name, media type, content.
type Asset = (&'static str, &'static str, Cow<'static, [u8]>);

static STYLE: LazyLock<String> =
    LazyLock::new(|| format!("{}\n{}", include_str!("../../../templates/site/site.css"), board_colours()));

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let text = |name, kind, text: &'static str| (name, kind, Cow::Borrowed(text.as_bytes()));
    let png = |name, bytes: &'static [u8]| (name, "image/png", Cow::Borrowed(bytes));
    vec![
        text("site.css", STYLES, STYLE.as_str()),
        text("site.js", SCRIPT, include_str!("../../../templates/site/site.js")),
        text("browsers.js", SCRIPT, include_str!("../../../templates/site/browsers.js")),
        text("analysis.js", SCRIPT, include_str!("../../../templates/site/analysis.js")),
        text("game.css", STYLES, include_str!("../../../templates/site/game.css")),
        text("game.js", SCRIPT, include_str!("../../../templates/site/game.js")),
        text("news.js", SCRIPT, include_str!("../../../templates/site/news.js")),
        text("parts.js", SCRIPT, include_str!("../../../templates/site/parts.js")),
        text("queue.js", SCRIPT, include_str!("../../../templates/site/queue.js")),
        text("replay.js", SCRIPT, include_str!("../../../templates/site/replay.js")),
        text("waiting.js", SCRIPT, include_str!("../../../templates/site/waiting.js")),
        text("spots.js", SCRIPT, include_str!("../../../templates/site/spots.js")),
        text("icon.svg", PICTURE, ICON),
        png("icon-192.png", include_bytes!("../../../templates/site/icon-192.png")),
        png("icon-512.png", include_bytes!("../../../templates/site/icon-512.png")),
    ]
});

static HASH: LazyLock<String> = LazyLock::new(|| {
    let mut context = Context::new(&SHA256);
    for (name, kind, content) in ASSETS.iter() {
        for part in [name.as_bytes(), kind.as_bytes(), content] {
            context.update(&part.len().to_be_bytes());
            context.update(part);
        }
    }
    hex::encode(&context.finish().as_ref()[..HASH_BYTES])
});

/// The dark colours of boards inside pages. A board's own style sheet would follow the system's theme, not the page's, and pages allow
/// no styles of their own. Paper is white.
fn board_colours() -> String {
    let by_system = board::dark_colours(":root:not([data-theme=light])");
    let by_choice = board::dark_colours(":root[data-theme=dark]");
    format!(
        "@media screen and (prefers-color-scheme: dark) {{\n{by_system}}}\n@media screen {{\n{by_choice}}}"
    )
}

/// The address of a file.
///
/// # Panics
/// If there is no file of that name, which the first request of a page would show.
#[must_use]
pub fn address(name: &str) -> String {
    assert!(ASSETS.iter().any(|(known, ..)| *known == name), "no asset {name}");
    format!("/static/{}/{name}", *HASH)
}

/// The addresses of all files, which a page that is opened without a connection needs.
#[must_use]
pub fn addresses() -> Vec<String> {
    ASSETS.iter().map(|(name, ..)| address(name)).collect()
}

/// Sends a file. An address with another hash is that of another release: then nothing is kept for good.
#[get("/static/{hash}/{name}")]
pub async fn asset(
    site: web::Data<Site>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (hash, name) = path.into_inner();
    if let Some(colours) = site.branding().colours().filter(|_| name == COLOURS) {
        return Ok(file(STYLES, hash == colours.hash(), colours.css().to_owned()));
    }
    let found = ASSETS.iter().find(|(known, ..)| *known == name);
    let (_, kind, content) = found.ok_or_else(|| Problem::new(Code::NotFound))?;
    Ok(file(kind, hash == *HASH, content.as_ref()))
}

fn file(kind: &'static str, for_good: bool, content: impl MessageBody + 'static) -> HttpResponse {
    let caching = if for_good { FOR_GOOD } else { "no-store" };
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, kind))
        .insert_header((CACHE_CONTROL, caching))
        .insert_header((CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"))
        .insert_header((CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"))
        .body(content)
}

/// The picture that browsers ask for without being told.
#[get("/favicon.ico")]
pub async fn icon() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, PICTURE))
        .insert_header((CACHE_CONTROL, "public, max-age=86400"))
        .body(ICON)
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::{Color, Pixmap, Transform};
    use resvg::usvg::{Options, Tree};

    use super::*;

    /// What the icons of home screens stand on: the colour of the mark.
    const GROUND: [u8; 3] = [0x0a, 0x6c, 0x74];

    /// Their margin, as a fraction of the side: systems may cut a shape out of them, and so a fifth away.
    const MARGIN: f32 = 0.1;

    #[expect(clippy::cast_precision_loss, reason = "icons are small")]
    fn drawn(side_px: u32) -> Pixmap {
        let tree = Tree::from_str(ICON, &Options::default()).expect("an SVG");
        let mut pixels = Pixmap::new(side_px, side_px).expect("a size");
        let [red, green, blue] = GROUND;
        pixels.fill(Color::from_rgba8(red, green, blue, u8::MAX));
        let margin = side_px as f32 * MARGIN;
        let scale = (side_px as f32 - 2.0 * margin) / tree.size().width();
        let place = Transform::from_row(scale, 0.0, 0.0, scale, margin, margin);
        resvg::render(&tree, place, &mut pixels.as_mut());
        pixels
    }

    /// With `PIPPOST_WRITE_ICONS` set, it writes the files.
    #[test]
    fn the_icons_of_home_screens_show_the_mark_on_its_ground() {
        for side_px in [192, 512] {
            let (name, pixels) = (format!("icon-{side_px}.png"), drawn(side_px));
            if std::env::var_os("PIPPOST_WRITE_ICONS").is_some() {
                let path = format!("{}/../../templates/site/{name}", env!("CARGO_MANIFEST_DIR"));
                pixels.save_png(path).expect("a file");
                continue;
            }
            let (.., bytes) = ASSETS.iter().find(|(known, ..)| *known == name).expect("an icon");
            let shipped = Pixmap::decode_png(bytes).expect("a PNG");
            assert!(shipped == pixels, "{name}");
        }
    }
}
