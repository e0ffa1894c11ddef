//! Reads what the receiving mail server found out about a mail's sender: `Authentication-Results` (RFC 8601).

use pippost_games::letters::steps;

/// The most fields that are read. Each server on the way adds one or more above the others.
pub const MAX_FIELDS: usize = 24;

/// What to do with a mail whose sender seems forged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForgedSenders {
    /// Nothing is checked.
    Off,
    /// The mail is taken, and the answer warns the player.
    #[default]
    Warn,
    /// The mail is not carried out, and the player is told.
    Refuse,
}

/// A field that tells of a mail's way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trace {
    /// The value of an `Authentication-Results`.
    Results(String),
    /// A `Received`: what stands below was written before the mail came to that server.
    Received,
}

/// Which mail server is trusted, and what happens to mails with a forged sender.
#[derive(Clone, Debug, Default)]
pub struct AuthenticationPolicy {
    /// The name with which the receiving mail server marks its fields; `None`: no server is trusted.
    pub authserv_id: Option<String>,
    pub forged: ForgedSenders,
}

/// The receiving server's finding about the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderVerdict {
    Genuine,
    Forged,
    /// No trusted field says whether the sender is genuine.
    Unknown,
}

impl AuthenticationPolicy {
    /// The finding of the trusted server in `fields`, which are in the mail's order, about a mail from the address `from`.
    #[must_use]
    pub fn finding(&self, fields: &[Trace], from: Option<&str>) -> SenderVerdict {
        let Some(authserv_id) = self.authserv_id.as_deref().filter(|_| self.forged != ForgedSenders::Off)
        else {
            return SenderVerdict::Unknown;
        };
        // Each checker (OpenDKIM, OpenDMARC) writes a field of its own, in any order. They stand together; what stands below the
        // next server's `Received` came with the mail.
        let mut results = Vec::new();
        for field in fields.iter().take(MAX_FIELDS) {
            match field {
                Trace::Results(field) => results.extend(results_of(field, authserv_id).unwrap_or_default()),
                Trace::Received if !results.is_empty() => break,
                Trace::Received => {}
            }
        }
        let domain =
            from.and_then(|from| from.rsplit_once('@')).map(|(_, domain)| domain.to_ascii_lowercase());
        judge(&results, domain.as_deref().unwrap_or_default())
    }
}

/// A result of a method, such as `dkim=pass`, with the domain that it is about if the field names it.
#[derive(Debug)]
struct MethodResult {
    method: String,
    result: String,
    domain: Option<String>,
}

/// The topmost DMARC result decides (RFC 7489). Without one, a DKIM or SPF result does if it is about the sender's own domain:
/// anybody can sign for a domain of his own.
fn judge(results: &[MethodResult], from: &str) -> SenderVerdict {
    let dmarc =
        results.iter().find(|of| of.method == "dmarc" && matches!(of.result.as_str(), "pass" | "fail"));
    if let Some(dmarc) = dmarc {
        return if dmarc.result == "pass" { SenderVerdict::Genuine } else { SenderVerdict::Forged };
    }
    let checked = results.iter().filter(|of| matches!(of.method.as_str(), "dkim" | "spf"));
    let is = |of: &MethodResult, words: &[&str]| words.contains(&of.result.as_str());
    let passed = |of: &MethodResult| {
        is(of, &["pass"]) && of.domain.as_deref().is_some_and(|domain| is_aligned(domain, from))
    };
    let mut against = false;
    for of in checked {
        if passed(of) {
            return SenderVerdict::Genuine;
        }
        against |= is(of, &["pass", "fail", "softfail"]);
    }
    if against { SenderVerdict::Forged } else { SenderVerdict::Unknown }
}

/// Whether two domains are the same, or one is part of the other. A domain of one label, such as `com`, belongs to nobody.
fn is_aligned(one: &str, other: &str) -> bool {
    let is_part = |whole: &str, parent: &str| {
        parent.contains('.') && whole.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.'))
    };
    !one.is_empty() && (one == other || is_part(one, other) || is_part(other, one))
}

/// The results in a field; `None` if `authserv_id` did not write it.
fn results_of(field: &str, authserv_id: &str) -> Option<Vec<MethodResult>> {
    steps::count(field.len());
    let text = without_comments(field).to_ascii_lowercase();
    let mut parts = text.split(';').map(str::trim);
    let id = parts.next()?.split_whitespace().next()?;
    if !id.trim_matches('"').eq_ignore_ascii_case(authserv_id) {
        return None;
    }
    Some(parts.filter_map(result_of).collect())
}

/// One result, such as `dkim=pass header.d=example.org`.
fn result_of(part: &str) -> Option<MethodResult> {
    steps::count(part.len());
    let spaced = part.split('=').map(str::trim).collect::<Vec<_>>().join("=");
    let mut words = spaced.split_whitespace();
    let (method, result) = words.next()?.split_once('=')?;
    let method = method.split('/').next()?.trim().to_owned();
    let property = |name: &str| {
        let value = spaced.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
        let domain = value.trim_matches(['"', '<', '>']).rsplit('@').next()?.trim_end_matches('.');
        Some(domain.to_owned()).filter(|domain| !domain.is_empty())
    };
    let domain = match method.as_str() {
        "dkim" => property("header.d").or_else(|| property("header.i")),
        "spf" => property("smtp.mailfrom"),
        _ => None,
    };
    Some(MethodResult { method, result: result.to_owned(), domain })
}

/// Removes comments in parentheses, which may nest.
fn without_comments(field: &str) -> String {
    let mut depth = 0_u32;
    let keep = |character: &char| match character {
        '(' => {
            depth += 1;
            false
        }
        ')' if depth > 0 => {
            depth -= 1;
            false
        }
        _ => depth == 0,
    };
    field.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_field_of_twice_the_length_takes_at_most_twice_the_steps(
            unit in "(dkim=pass|header.d=a.b|spf=|[a-z=;()@. \"]{1,8}|;){1,9}",
        ) {
            let steps_of = |times| {
                let before = steps::taken();
                finding(&[&format!("mx.example.org; {}", unit.repeat(times))]);
                steps::taken() - before
            };
            let (once, twice) = (steps_of(200), steps_of(400));
            prop_assert!(once > 0 && twice <= 2 * once, "{once} and {twice} steps of {unit:?}");
        }
    }

    fn finding(fields: &[&str]) -> SenderVerdict {
        let policy = AuthenticationPolicy {
            authserv_id: Some("mx.example.org".to_owned()),
            forged: ForgedSenders::Refuse,
        };
        let trace = |field: &&str| match *field {
            "Received" => Trace::Received,
            field => Trace::Results(field.to_owned()),
        };
        policy.finding(&fields.iter().map(trace).collect::<Vec<_>>(), Some("ann@Mail.Example.NET"))
    }

    #[test]
    fn the_word_of_the_trusted_server_counts() {
        for (field, found) in [
            ("mx.example.org; dmarc=pass header.from=example.net", SenderVerdict::Genuine),
            (
                "mx.example.org 1; spf=pass smtp.mailfrom=a@mail.example.net; dmarc=fail (p=reject; dis=none)",
                SenderVerdict::Forged,
            ),
            ("MX.example.org;\r\n dkim=pass header.d=example.net;\r\n spf=softfail", SenderVerdict::Genuine),
            ("mx.example.org; spf=fail (not; allowed) smtp.mailfrom=a", SenderVerdict::Forged),
            ("mx.example.org; none", SenderVerdict::Unknown),
            ("mx.example.org; dkim=neutral; spf=none", SenderVerdict::Unknown),
            ("elsewhere.example; dmarc=fail", SenderVerdict::Unknown),
            ("(comment) mx.example.org; dmarc=fail", SenderVerdict::Forged),
            ("", SenderVerdict::Unknown),
        ] {
            assert_eq!(finding(&[field]), found, "{field}");
        }
    }

    #[test]
    fn without_dmarc_a_pass_counts_for_the_senders_own_domain_only() {
        for (results, found) in [
            ("dkim=pass header.d=mail.example.net", SenderVerdict::Genuine),
            ("dkim=pass header.i=@example.net header.s=x", SenderVerdict::Genuine),
            ("dkim=pass header.d=a.mail.example.net", SenderVerdict::Genuine),
            ("spf=pass smtp.mailfrom=bounces@mail.example.net", SenderVerdict::Genuine),
            ("spf=pass smtp.mailfrom=mail.example.net; dmarc=none", SenderVerdict::Genuine),
            ("dkim=pass header.d=list.example; dkim=pass header.d=example.net", SenderVerdict::Genuine),
            ("dkim=pass header.d=evil.example", SenderVerdict::Forged),
            ("dkim=pass header.d=evil.example header.from=mail.example.net", SenderVerdict::Forged),
            ("spf=pass smtp.mailfrom=eve@evil.example", SenderVerdict::Forged),
            ("spf=pass smtp.mailfrom=\"ann@mail.example.net\"@evil.example", SenderVerdict::Forged),
            ("dkim=pass header.d=net", SenderVerdict::Forged),
            ("dkim=pass header.d=evilexample.net", SenderVerdict::Forged),
            ("dkim=pass", SenderVerdict::Forged),
        ] {
            assert_eq!(finding(&[&format!("mx.example.org; {results}")]), found, "{results}");
        }
    }

    #[test]
    fn the_fields_of_the_trusted_server_count_together() {
        let (dkim, dmarc) = (
            "mx.example.org; dkim=pass header.d=evil.example",
            "mx.example.org; dmarc=fail header.from=example.net",
        );
        for fields in [[dkim, dmarc], [dmarc, dkim]] {
            assert_eq!(finding(&fields), SenderVerdict::Forged, "{fields:?}");
        }
        let own = "mx.example.org; dkim=pass header.d=example.net";
        assert_eq!(finding(&[own, "mx.example.org; dmarc=fail"]), SenderVerdict::Forged);
        assert_eq!(
            finding(&["Received", own, "Received", "mx.example.org; dmarc=fail"]),
            SenderVerdict::Genuine
        );
        assert_eq!(finding(&[dkim, "Received", "mx.example.org; dmarc=pass"]), SenderVerdict::Forged);
    }

    #[test]
    fn the_topmost_finding_of_the_trusted_server_counts() {
        let (good, bad) = ("mx.example.org; dmarc=pass", "mx.example.org; dmarc=fail");
        assert_eq!(finding(&["other; dmarc=fail", good, bad]), SenderVerdict::Genuine);
        assert_eq!(finding(&[bad, good]), SenderVerdict::Forged);
    }

    #[test]
    fn without_a_trusted_server_nothing_counts() {
        let fields = [Trace::Results("mx.example.org; dmarc=fail".to_owned())];
        assert_eq!(
            AuthenticationPolicy::default().finding(&fields, Some("ann@example.net")),
            SenderVerdict::Unknown
        );
    }
}
