//! Fetches rounds from drand endpoints over HTTP. Each round's signature is checked, so endpoints need not be trusted.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use serde::Deserialize;
use time::OffsetDateTime;
use url::Url;

use super::chain::{Chain, RoundRefused};
use pippost_record::record::Beacon;

/// The most endpoints.
pub const MAX_URLS: usize = 8;

/// The longest accepted response, in bytes.
const MAX_ANSWER_BYTES: usize = 4096;

/// The time limit for a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

const MAX_REDIRECTS: usize = 3;

/// A chain and the endpoints that serve it.
pub struct Drand {
    chain: Chain,
    urls: Vec<Url>,
    http: reqwest::Client,
}

/// Why no round could be fetched.
#[derive(Debug, thiserror::Error)]
pub enum BeaconFailed {
    #[error("{0} is no address of a drand endpoint")]
    Url(String),
    #[error("1 to {MAX_URLS} drand endpoints can be named")]
    Urls,
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    #[error("{0} cannot be reached or does not answer as drand does: {1}")]
    Unreachable(String, String),
    #[error("the round that {0} gave is refused: {1}")]
    Refused(String, RoundRefused),
}

/// The response of an endpoint.
#[derive(Deserialize)]
struct Answer {
    round: u64,
    randomness: String,
    signature: String,
}

impl Drand {
    /// Fetches rounds of `chain` from the endpoints at `urls`, which are tried in order.
    ///
    /// # Errors
    /// There is no URL, there are too many, or one is invalid.
    pub fn new(chain: Chain, urls: &[String]) -> Result<Self, BeaconFailed> {
        if !(1..=MAX_URLS).contains(&urls.len()) {
            return Err(BeaconFailed::Urls);
        }
        let parse = |text: &String| match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
            _ => Err(BeaconFailed::Url(text.clone())),
        };
        let urls = urls.iter().map(parse).collect::<Result<_, _>>()?;
        let http = reqwest::Client::builder()
            .use_preconfigured_tls(tls()?)
            .redirect(Policy::limited(MAX_REDIRECTS))
            .timeout(REQUEST_TIMEOUT)
            .build()
            .map_err(|error| BeaconFailed::Tls(error.to_string()))?;
        Ok(Self { chain, urls, http })
    }

    /// The chain, for the times of its rounds.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Whether a round exists at `now`.
    #[must_use]
    pub fn is_due(&self, round: u64, now: OffsetDateTime) -> bool {
        round <= self.chain.round_at(now)
    }

    /// Fetches and checks a round. The endpoints are tried in order until one returns it.
    ///
    /// # Errors
    /// All endpoints failed: the failure of the last one.
    pub async fn fetch(&self, round: u64) -> Result<Beacon, BeaconFailed> {
        let mut failed = BeaconFailed::Urls;
        for url in &self.urls {
            match self.fetch_from(url, round).await {
                Ok(beacon) => return Ok(beacon),
                Err(error) => {
                    tracing::warn!(round, %error, "a drand endpoint failed");
                    failed = error;
                }
            }
        }
        Err(failed)
    }

    async fn fetch_from(&self, url: &Url, round: u64) -> Result<Beacon, BeaconFailed> {
        let host = url.host_str().unwrap_or_default().to_owned();
        let unreachable =
            |error: reqwest::Error| BeaconFailed::Unreachable(host.clone(), error.without_url().to_string());
        let base = url.as_str().trim_end_matches('/');
        let address = format!("{base}/{}/public/{round}", self.chain.hash());
        let answer = self.http.get(address).send().await.and_then(reqwest::Response::error_for_status);
        let body = bounded(answer.map_err(unreachable)?).await.map_err(unreachable)?;
        let given: Answer = serde_json::from_slice(&body)
            .map_err(|error| BeaconFailed::Unreachable(host.clone(), error.to_string()))?;
        if given.round != round {
            return Err(BeaconFailed::Refused(host, RoundRefused::OtherRound));
        }
        let checked = self.chain.check(round, &given.randomness, &given.signature);
        checked.map_err(|refused| BeaconFailed::Refused(host, refused))
    }
}

/// The body up to the limit. A longer one is not a drand response, and its beginning cannot be parsed.
async fn bounded(mut answer: reqwest::Response) -> Result<Vec<u8>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        body.extend_from_slice(&chunk[..chunk.len().min(MAX_ANSWER_BYTES - body.len())]);
        if body.len() == MAX_ANSWER_BYTES {
            break;
        }
    }
    Ok(body)
}

/// The TLS configuration with the certificate authorities of browsers.
fn tls() -> Result<rustls::ClientConfig, BeaconFailed> {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| BeaconFailed::Tls(error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
