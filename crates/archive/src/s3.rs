//! Objects in a bucket of an S3-compatible store, by signed addresses.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};
use rusty_s3::actions::ListObjectsV2;
use rusty_s3::{Credentials, S3Action, UrlStyle};
use url::Url;

use super::{Access, ArchiveError, Cursor, Listed, MAX_OBJECT_BYTES, STORE_TIMEOUT, name_at, path_of};
use pippost_record::record::Hash;

/// How long a signed address is valid: a request begins at once.
const SIGNED_FOR: Duration = Duration::from_mins(1);

/// The largest page of a listing, in bytes; a thousand objects take about 300 KiB.
const MAX_LIST_BYTES: usize = 4 << 20;

/// How long an unused connection is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// A bucket.
pub(super) struct Bucket {
    address: rusty_s3::Bucket,
    credentials: Credentials,
    prefix: String,
    http: reqwest::Client,
}

/// Without the address, which holds a signature.
fn unreachable(error: reqwest::Error) -> ArchiveError {
    let error = error.without_url();
    let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
    ArchiveError::Unreachable(format!("{error}{cause}"))
}

impl Bucket {
    pub fn new(name: &str, prefix: &str, access: Access) -> Result<Self, ArchiveError> {
        let bad = |why: String| ArchiveError::Settings(why);
        let Access { endpoint, region, key } = access;
        let no_key = || bad("a bucket needs PIPPOST_ARCHIVE_KEY_ID and PIPPOST_ARCHIVE_KEY".to_owned());
        let (key_id, key) = key.ok_or_else(no_key)?;
        let endpoint = endpoint.unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com"));
        let endpoint =
            Url::parse(&endpoint).map_err(|error| bad(format!("PIPPOST_ARCHIVE_ENDPOINT: {error}")))?;
        let bucket = rusty_s3::Bucket::new(endpoint, UrlStyle::Path, name.to_owned(), region);
        let bucket = bucket.map_err(|error| bad(format!("PIPPOST_ARCHIVE_ENDPOINT: {error}")))?;
        let http = reqwest::Client::builder()
            .use_preconfigured_tls(tls()?)
            .redirect(Policy::none())
            .http1_only()
            .timeout(STORE_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build()
            .map_err(|error| bad(error.to_string()))?;
        let credentials = Credentials::new(key_id, key);
        Ok(Self { address: bucket, credentials, prefix: prefix.to_owned(), http })
    }

    fn key_of(&self, name: Hash) -> String {
        format!("{}{}", self.prefix, path_of(name))
    }

    pub async fn put(&self, name: Hash, object: Bytes) -> Result<(), ArchiveError> {
        let key = self.key_of(name);
        let address = self.address.put_object(Some(&self.credentials), &key).sign(SIGNED_FOR);
        let answer = self.http.put(address).body(object).send().await.map_err(unreachable)?;
        accepted(&answer)
    }

    pub async fn get(&self, name: Hash) -> Result<Vec<u8>, ArchiveError> {
        let key = self.key_of(name);
        let address = self.address.get_object(Some(&self.credentials), &key).sign(SIGNED_FOR);
        let answer = self.http.get(address).send().await.map_err(unreachable)?;
        if answer.status() == StatusCode::NOT_FOUND {
            return Err(ArchiveError::Missing(name));
        }
        accepted(&answer)?;
        let too_large = ArchiveError::Altered(name, "it is too large");
        body(answer, MAX_OBJECT_BYTES).await?.ok_or(too_large)
    }

    pub async fn list(&self, cursor: Cursor) -> Result<(Vec<Listed>, Cursor), ArchiveError> {
        let mut action = self.address.list_objects_v2(Some(&self.credentials));
        action.with_prefix(self.prefix.as_str());
        if let Some(token) = cursor {
            action.with_continuation_token(token);
        }
        let answer = self.http.get(action.sign(SIGNED_FOR)).send().await.map_err(unreachable)?;
        accepted(&answer)?;
        let unreadable = || ArchiveError::Unreachable("it answers with no list".to_owned());
        let text = body(answer, MAX_LIST_BYTES).await?.and_then(|body| String::from_utf8(body).ok());
        let page = ListObjectsV2::parse_response(&text.ok_or_else(unreadable)?).map_err(|_| unreadable())?;
        let listed = page.contents.into_iter().filter_map(|content| {
            let path = content.key.strip_prefix(&self.prefix)?;
            let bytes = content.size.unwrap_or_default();
            Some(Listed { name: name_at(path), bytes, path: path.to_owned() })
        });
        Ok((listed.collect(), page.next_continuation_token))
    }
}

fn accepted(answer: &Response) -> Result<(), ArchiveError> {
    let status = answer.status();
    let refused = || ArchiveError::Unreachable(format!("it answers with {status}"));
    if status == StatusCode::OK { Ok(()) } else { Err(refused()) }
}

/// The body, unless it is longer than `most` bytes.
async fn body(mut answer: Response, most: usize) -> Result<Option<Vec<u8>>, ArchiveError> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > most {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

fn tls() -> Result<rustls::ClientConfig, ArchiveError> {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ArchiveError::Settings(error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
