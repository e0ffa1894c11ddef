//! The daily dumps of public games, for everybody.

use actix_files::NamedFile;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, ContentEncoding, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, get, web};
use minijinja::{Value, context};
use serde::Deserialize;
use time::Date;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use super::page::page;
use super::site::Site;
use super::visitor::Visitor;
use pippost_games::dumps::{self, DumpFile, Manifest};
use pippost_http::{Code, Problem};
use pippost_language::{Language, words};

/// How whoever has downloaded days checks them.
const CHECK: &str = "pippost dump --check pippost-*.json";

/// The days of a page.
const PAGE: usize = 31;

/// What is written of a day never changes.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// How days are written in names and addresses.
const DAY: &[BorrowedFormatItem<'static>] = format_description!("[year]-[month]-[day]");

#[derive(Debug, Deserialize)]
pub struct DumpsQuery {
    /// Shows the days before this one.
    #[serde(default)]
    before: Option<String>,
}

/// Which days there are, the newest first.
#[get("/dumps")]
pub async fn dumps_page(
    visitor: Visitor,
    site: web::Data<Site>,
    query: web::Query<DumpsQuery>,
) -> Result<HttpResponse, Problem> {
    let folder = folder(&site)?.to_owned();
    let before = query.into_inner().before.map(|day| Date::parse(&day, DAY));
    let before = before.transpose().map_err(|_| Problem::new(Code::InvalidValue))?;
    let read = web::block(move || dumps::manifests(&folder, before, PAGE)).await;
    let read = read.map_err(|error| Problem::new(Code::Internal).cause(error))?;
    let (manifests, more) = read.map_err(|error| Problem::new(Code::Internal).cause(error))?;
    let next = manifests.last().filter(|_| more).map(|oldest| oldest.day.clone());
    let days: Vec<Value> = manifests.iter().map(|manifest| shown(manifest, visitor.language)).collect();
    page(StatusCode::OK, "dumps.html", visitor, context! { days, next, command => CHECK })
}

/// The units of sizes, each a thousand of the one before.
const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];

/// So many bytes in round words: `12 MB`.
fn size(bytes: u64) -> String {
    let (mut size, mut unit) = (bytes.div_ceil(1000), 0);
    while size >= 1000 && unit + 1 < UNITS.len() {
        (size, unit) = (size.div_ceil(1000), unit + 1);
    }
    format!("{size} {}", UNITS[unit])
}

fn shown(manifest: &Manifest, language: Language) -> Value {
    let day = Date::parse(&manifest.day, DAY).map(|day| words::date(day, language));
    let file = |file: &DumpFile| context! { name => &file.name, size => size(file.bytes) };
    context! {
        day => day.unwrap_or_else(|_| manifest.day.clone()),
        games => manifest.games,
        left_out => manifest.left_out,
        records => file(&manifest.records),
        index => file(&manifest.index),
        manifest => format!("pippost-{}.json", manifest.day),
    }
}

fn folder(site: &Site) -> Result<&std::path::Path, Problem> {
    site.dumps().ok_or_else(|| Problem::new(Code::NotFound).detail("this server has no dumps"))
}

/// A file of a day, whole or a range of it.
#[get("/dumps/{name}")]
pub async fn dump_file(
    request: HttpRequest,
    site: web::Data<Site>,
    name: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let folder = folder(&site)?;
    let missing = || Problem::new(Code::NotFound).detail("there is no such dump");
    let path = Some(name.as_str()).filter(|name| dumps::is_dump_file(name)).map(|name| folder.join(name));
    let file = NamedFile::open_async(path.ok_or_else(missing)?).await.map_err(|_| missing())?;
    // Compressed on the way it would have no length, and no ranges.
    let mut answer = file.set_content_encoding(ContentEncoding::Identity).into_response(&request);
    answer.headers_mut().insert(CACHE_CONTROL, FOR_EVER);
    answer.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_round_words() {
        for (bytes, told) in [
            (0, "0 kB"),
            (1, "1 kB"),
            (999_000, "999 kB"),
            (999_001, "1 MB"),
            (12_000_001, "13 MB"),
            (5_000_000_000_000_000, "5000 TB"),
        ] {
            assert_eq!(size(bytes), told);
        }
    }
}
