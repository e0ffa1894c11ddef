//! Names a browser for the list of sessions, by what it says of itself.

/// Browsers by a word in `User-Agent`: the first that fits. Most say that they are Chrome or Safari, too.
const BROWSERS: [(&str, &str); 8] = [
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// What nothing is known of.
const UNKNOWN: &str = "?";

/// The browser and the system, as in "Firefox, Linux". Only names from these lists, so a player sees no text of a stranger's.
#[must_use]
pub fn device(user_agent: &str) -> String {
    let first = |names: &[(&str, &'static str)]| {
        names.iter().find(|(word, _)| user_agent.contains(word)).map(|(_, name)| *name)
    };
    match (first(&BROWSERS), first(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser}, {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => UNKNOWN.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_named_and_nothing_else_is_repeated() {
        for (says, named) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36",
                "Chrome, Android",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge, Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604",
                "Safari, iPhone",
            ),
            ("curl/8.0 <script>", "?"),
            ("", "?"),
        ] {
            assert_eq!(device(says), named, "{says}");
        }
    }
}
