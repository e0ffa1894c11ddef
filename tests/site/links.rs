//! Follows the links of a site that lies in a folder: each file and each anchor that a page names has to be there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use html5gum::{DefaultEmitter, Token, Tokenizer};
use percent_encoding::percent_decode_str;
use url::Url;

/// The attributes that name something else.
const NAMING: [&[u8]; 2] = [b"href", b"src"];

/// Schemes of links that lead out of the site; what they lead to is not asked.
const OUTSIDE: [&str; 3] = ["http", "https", "mailto"];

/// What a page names and what it can be named by.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

impl Page {
    fn read(html: &str) -> Self {
        let mut emitter = DefaultEmitter::<()>::default();
        // What stands in a script is no tag.
        emitter.naively_switch_states(true);
        let mut page = Self::default();
        for token in Tokenizer::new_with_emitter(html, emitter) {
            let Ok(Token::StartTag(tag)) = token else { continue };
            let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
            for (name, value) in &tag.attributes {
                if NAMING.contains(&name.as_slice()) {
                    page.links.push(text(value));
                } else if name.as_slice() == b"id" {
                    page.anchors.insert(text(value));
                }
            }
        }
        page
    }
}

/// The links of a site.
#[derive(Debug, Default)]
pub struct Followed {
    /// Pages by their path in the site.
    pub pages: BTreeSet<String>,
    /// How many links lead to something in the site.
    pub good: usize,
    /// Links out of the site.
    pub outside: BTreeSet<String>,
    /// Links that lead nowhere: the page, the link, and why.
    pub dead: Vec<String>,
}

/// Follows all links of all pages below the folder.
pub fn follow(site: &Path) -> Followed {
    let site = fs::canonicalize(site).expect("the site");
    let mut pages = BTreeMap::new();
    read(&site, &mut pages);
    let mut followed = Followed::default();
    for (path, page) in &pages {
        let name = path.strip_prefix(&site).expect("below the site").display().to_string();
        for link in &page.links {
            match target(&site, &pages, path, link) {
                Ok(Target::Inside) => followed.good += 1,
                Ok(Target::Outside) => drop(followed.outside.insert(link.clone())),
                Err(why) => followed.dead.push(format!("{name}: {link}: {why}")),
            }
        }
        followed.pages.insert(name);
    }
    followed
}

fn read(folder: &Path, pages: &mut BTreeMap<PathBuf, Page>) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            read(&path, pages);
        } else if path.extension().is_some_and(|ending| ending == "html") {
            let html = fs::read_to_string(&path).expect("a page");
            pages.insert(path, Page::read(&html));
        }
    }
}

enum Target {
    Inside,
    Outside,
}

/// Where a link of a page leads, as a browser understands it.
fn target(site: &Path, pages: &BTreeMap<PathBuf, Page>, page: &Path, link: &str) -> Result<Target, String> {
    let here = Url::from_file_path(page).map_err(|()| "the page has no path")?;
    let there = here.join(link).map_err(|error| error.to_string())?;
    if there.scheme() != "file" {
        let is_named = there.scheme() == "mailto" || there.host_str().is_some_and(|host| host.contains('.'));
        let is_right = OUTSIDE.contains(&there.scheme()) && is_named && !link.contains(char::is_whitespace);
        return if is_right { Ok(Target::Outside) } else { Err("this is no address".to_owned()) };
    }
    let path = there.to_file_path().map_err(|()| "this is no path")?;
    if !path.starts_with(site) {
        return Err("it leads out of the site".to_owned());
    }
    if !path.is_file() {
        return Err("there is no such file".to_owned());
    }
    let Some(anchor) = there.fragment().filter(|anchor| !anchor.is_empty()) else {
        return Ok(Target::Inside);
    };
    let anchor = percent_decode_str(anchor).decode_utf8_lossy();
    match pages.get(&path) {
        Some(page) if page.anchors.contains(&*anchor) => Ok(Target::Inside),
        Some(_) => Err("there is no such anchor".to_owned()),
        None => Err("only pages have anchors".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pages and a picture; the first has this link.
    fn with(link: &str) -> Followed {
        let site = tempfile::tempdir().expect("a folder");
        let first = format!("<script>'<a href=\"none\">'</script><p>A <a href=\"{link}\">link</a></p>");
        fs::create_dir(site.path().join("deep")).expect("makes");
        fs::write(site.path().join("deep/first.html"), first).expect("writes");
        fs::write(site.path().join("second.html"), "<!-- id=\"no\" --><h2 id=\"größe\">Größe</h2>")
            .expect("writes");
        fs::write(site.path().join("a picture.png"), "").expect("writes");
        follow(site.path())
    }

    #[test]
    fn links_that_lead_somewhere_are_good() {
        for link in [
            "",
            "#",
            "../second.html",
            "../second.html#größe",
            "../second.html#gr%C3%B6%C3%9Fe",
            "../a%20picture.png",
            "first.html",
            "../deep/./first.html?a=b",
        ] {
            let followed = with(link);
            assert_eq!((followed.good, followed.pages.len()), (1, 2), "{link}: {followed:?}");
            assert!(followed.dead.is_empty() && followed.outside.is_empty(), "{link}: {followed:?}");
        }
    }

    #[test]
    fn dead_links_are_found() {
        for (link, why) in [
            ("third.html", "no such file"),
            ("second.html", "no such file"),
            ("../second.md", "no such file"),
            ("../deep", "no such file"),
            ("../deep/", "no such file"),
            ("../second.html#groesse", "no such anchor"),
            ("../second.html#no", "no such anchor"),
            ("#größe", "no such anchor"),
            ("../a%20picture.png#top", "only pages have anchors"),
            ("../../second.html", "out of the site"),
            ("/second.html", "out of the site"),
            ("/etc/passwd", "out of the site"),
        ] {
            let followed = with(link);
            assert_eq!((followed.good, followed.dead.len()), (0, 1), "{link}: {followed:?}");
            let told = &followed.dead[0];
            assert!(told.starts_with("deep/first.html: ") && told.contains(why), "{told}");
        }
    }

    #[test]
    fn addresses_elsewhere_need_a_right_form() {
        for link in ["https://example.org/a#b", "http://example.org", "mailto:ann@example.org"] {
            assert_eq!(with(link).outside, BTreeSet::from([link.to_owned()]));
        }
        for link in [
            "https://",
            "https:// example.org",
            "http://example",
            "javascript:alert(1)",
            "htps://example.org",
        ] {
            let followed = with(link);
            assert_eq!((followed.outside.len(), followed.dead.len()), (0, 1), "{link}: {followed:?}");
        }
    }
}
