//! Reads what the receiving mail server found out about a mail's sender: `Authentication-Results` (RFC 8601).

use crate::settings::ForgedSenders;

/// The most fields that are read. Each server on the way adds one above the others.
pub const MAX_FIELDS: usize = 10;

/// Which mail server is trusted, and what happens to mails with a forged sender.
#[derive(Clone, Debug, Default)]
pub struct AuthenticationPolicy {
    /// The name with which the receiving mail server marks its fields; `None`: no server is trusted.
    pub authserv_id: Option<String>,
    pub forged: ForgedSenders,
}

/// The receiving server's finding about the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    Genuine,
    Forged,
    /// No trusted field says whether the sender is genuine.
    Unknown,
}

impl AuthenticationPolicy {
    /// The finding of the trusted server in `fields`, which are in the mail's order.
    #[must_use]
    pub fn finding(&self, fields: &[String]) -> Finding {
        let Some(authserv_id) = self.authserv_id.as_deref().filter(|_| self.forged != ForgedSenders::Off)
        else {
            return Finding::Unknown;
        };
        let results = fields.iter().take(MAX_FIELDS).find_map(|field| results_of(field, authserv_id));
        results.map_or(Finding::Unknown, |results| judge(&results))
    }
}

/// A DMARC result decides (RFC 7489). Without one, a DKIM or SPF result does.
fn judge(results: &[(String, String)]) -> Finding {
    let has = |method: &str, result: &str| results.iter().any(|(of, is)| of == method && is == result);
    if has("dmarc", "pass") {
        Finding::Genuine
    } else if has("dmarc", "fail") {
        Finding::Forged
    } else if has("dkim", "pass") || has("spf", "pass") {
        Finding::Genuine
    } else if has("spf", "fail") || has("spf", "softfail") || has("dkim", "fail") {
        Finding::Forged
    } else {
        Finding::Unknown
    }
}

/// The methods and results of a field; `None` if `authserv_id` did not write it.
fn results_of(field: &str, authserv_id: &str) -> Option<Vec<(String, String)>> {
    let text = without_comments(field).to_ascii_lowercase();
    let mut parts = text.split(';').map(str::trim);
    let id = parts.next()?.split_whitespace().next()?;
    if !id.trim_matches('"').eq_ignore_ascii_case(authserv_id) {
        return None;
    }
    let result = |part: &str| {
        let (method, rest) = part.split_once('=')?;
        let method = method.split('/').next()?.trim().to_owned();
        let result = rest.split_whitespace().next()?.to_owned();
        Some((method, result))
    };
    Some(parts.filter_map(result).collect())
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
    use super::*;

    fn finding(fields: &[&str]) -> Finding {
        let policy = AuthenticationPolicy {
            authserv_id: Some("mx.example.org".to_owned()),
            forged: ForgedSenders::Refuse,
        };
        policy.finding(&fields.iter().map(|field| (*field).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_word_of_the_trusted_server_counts() {
        for (field, found) in [
            ("mx.example.org; dmarc=pass header.from=example.net", Finding::Genuine),
            (
                "mx.example.org 1; spf=pass smtp.mailfrom=a@b; dmarc=fail (p=reject; dis=none)",
                Finding::Forged,
            ),
            ("MX.example.org;\r\n dkim=pass header.d=example.net;\r\n spf=softfail", Finding::Genuine),
            ("mx.example.org; spf=fail (not; allowed) smtp.mailfrom=a", Finding::Forged),
            ("mx.example.org; none", Finding::Unknown),
            ("mx.example.org; dkim=neutral; spf=none", Finding::Unknown),
            ("elsewhere.example; dmarc=fail", Finding::Unknown),
            ("(comment) mx.example.org; dmarc=fail", Finding::Forged),
            ("", Finding::Unknown),
        ] {
            assert_eq!(finding(&[field]), found, "{field}");
        }
    }

    #[test]
    fn the_topmost_field_of_the_trusted_server_counts() {
        let (good, bad) = ("mx.example.org; dmarc=pass", "mx.example.org; dmarc=fail");
        assert_eq!(finding(&["other; dmarc=fail", good, bad]), Finding::Genuine);
        assert_eq!(finding(&[bad, good]), Finding::Forged);
    }

    #[test]
    fn without_a_trusted_server_nothing_counts() {
        let fields = ["mx.example.org; dmarc=fail".to_owned()];
        assert_eq!(AuthenticationPolicy::default().finding(&fields), Finding::Unknown);
    }
}
