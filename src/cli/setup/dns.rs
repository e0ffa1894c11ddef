//! What the domain name system says of the server and of the sender of its mails. Asked by `dig`: a resolver of our own would bring
//! fifteen libraries for five questions.

use std::fmt;
use std::process::{Command, Stdio};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    Well(String),
    /// With what to do.
    Wrong(String),
    /// Nobody could look.
    Unknown(String),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Well(text) => write!(f, "well: {text}"),
            Self::Wrong(text) => write!(f, "WRONG: {text}"),
            Self::Unknown(text) => write!(f, "not checked: {text}"),
        }
    }
}

/// Looks at the public name, and at what receivers of mail look at.
pub fn check(host: &str, domain: &str, dkim_selector: Option<&str>) -> Vec<Finding> {
    if asked("A", "localhost").is_none() {
        let how = "names in the domain name system: `dig` is missing (apt-get install bind9-dnsutils) or gets no answer";
        return vec![Finding::Unknown(how.to_owned())];
    }
    vec![address(host), sender_policy(domain), signature(domain, dkim_selector), policy(domain)]
}

/// The records, a line each; `None` if nobody could be asked.
fn asked(kind: &str, name: &str) -> Option<Vec<String>> {
    let mut dig = Command::new("dig");
    // The name cannot be an option: it follows its own flag.
    dig.args(["+short", "+time=3", "+tries=2", "-t", kind, "-q", name]);
    let output = dig.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';'));
    Some(lines.map(joined).collect())
}

/// A long text stands in several pieces, each in double quotes.
fn joined(line: &str) -> String {
    line.replace("\" \"", "").trim_matches('"').to_owned()
}

fn records(kind: &str, name: &str) -> Vec<String> {
    asked(kind, name).unwrap_or_default()
}

fn texts(name: &str, beginning: &str) -> Vec<String> {
    let begins = |text: &String| {
        text.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
    };
    records("TXT", name).into_iter().filter(begins).collect()
}

fn address(host: &str) -> Finding {
    let host = host.trim_matches(['[', ']']);
    if host == "localhost" || host.parse::<std::net::IpAddr>().is_ok() {
        return Finding::Unknown(format!("the address of {host}, which is no public name"));
    }
    let found = [records("A", host), records("AAAA", host)].concat();
    if found.is_empty() {
        return Finding::Wrong(format!(
            "nobody finds {host}: give it an A or AAAA record with this machine's address"
        ));
    }
    Finding::Well(format!("{host} leads to {}", found.join(", ")))
}

fn sender_policy(domain: &str) -> Finding {
    match texts(domain, "v=spf1").as_slice() {
        [] => Finding::Wrong(format!(
            "{domain} has no SPF record, so receivers do not know who may send for it: add a TXT record, as in `v=spf1 mx -all` \
             or what your mail server's documentation gives"
        )),
        [one] if one.to_ascii_lowercase().ends_with("+all") => {
            Finding::Wrong(format!("the SPF record of {domain} lets everybody send for it: end it with -all"))
        }
        [one] => Finding::Well(format!("SPF of {domain}: {one}")),
        several => Finding::Wrong(format!(
            "{domain} has {} SPF records, and receivers then heed none: make them one",
            several.len()
        )),
    }
}

fn signature(domain: &str, selector: Option<&str>) -> Finding {
    let Some(selector) = selector else {
        return Finding::Unknown("DKIM: say --dkim-selector, the name of your mail server's key".to_owned());
    };
    let name = format!("{selector}._domainkey.{domain}");
    let holds_key = |text: &String| {
        let fields = text.split(';').map(str::trim);
        fields.filter_map(|field| field.strip_prefix("p=")).any(|key| !key.trim().is_empty())
    };
    if records("TXT", &name).iter().any(holds_key) {
        return Finding::Well(format!("DKIM: {name} holds a key"));
    }
    Finding::Wrong(format!("{name} holds no DKIM key: add the TXT record that your mail server shows"))
}

fn policy(domain: &str) -> Finding {
    let name = format!("_dmarc.{domain}");
    match texts(&name, "v=DMARC1").as_slice() {
        [one] => Finding::Well(format!("DMARC of {domain}: {one}")),
        [] => Finding::Wrong(format!(
            "{domain} has no DMARC record, without which large receivers refuse mail: add the TXT record `v=DMARC1; p=none` \
             at {name}"
        )),
        _ => Finding::Wrong(format!("{name} has several DMARC records: keep one")),
    }
}
