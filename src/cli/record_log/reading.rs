//! Reads a log over HTTP: bounded answers, and nothing is believed that its checkpoint does not cover.

use std::time::Duration;

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;

use crate::log::note::{MAX_NOTE_BYTES, Note, VerifierKey};
use crate::log::tiles::{self, TILE_WIDTH, Tile, Tiles, read_bundle, wanted};
use crate::log::tree::{self, Hash};
use crate::log::{Checkpoint, Entry};

/// The time limit for an answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The largest tile or bundle, in bytes: 256 entries of 68 bytes and their lengths.
const MAX_TILE_BYTES: usize = 32 * 1024;

/// A log, by the address of its server.
pub struct Log {
    client: reqwest::Client,
    base: String,
}

/// A client that trusts public certificates.
pub fn http_client() -> anyhow::Result<reqwest::Client> {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = std::sync::Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(reqwest::Client::builder().use_preconfigured_tls(tls).timeout(REQUEST_TIMEOUT).build()?)
}

/// The body of an answer, at most so many bytes; `None` if there is nothing at that address.
pub async fn get(client: &reqwest::Client, url: &str, limit: usize) -> anyhow::Result<Option<Vec<u8>>> {
    let response = client.get(url).send().await?;
    if response.status() == reqwest::StatusCode::NOT_FOUND {
        return Ok(None);
    }
    body(response.error_for_status()?, limit).await.map(Some)
}

/// The body of a response, at most so many bytes.
pub async fn body(mut response: reqwest::Response, limit: usize) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > limit {
            bail!("the answer has more than {limit} bytes");
        }
    }
    Ok(body)
}

impl Log {
    /// The log of a server, by the server's address or the log's.
    pub fn at(url: &str) -> anyhow::Result<Self> {
        let url = url.trim_end_matches('/');
        let base = if url.ends_with("/log") { url.to_owned() } else { format!("{url}/log") };
        Ok(Self { client: http_client()?, base })
    }

    /// What lies at a path of the log.
    pub async fn get(&self, path: &str, limit: usize) -> anyhow::Result<Option<Vec<u8>>> {
        let url = format!("{}/{path}", self.base);
        get(&self.client, &url, limit).await.context(url)
    }

    /// What the server of the log answers at one of its addresses, in JSON; `None` if there is nothing.
    pub async fn of_server<T: DeserializeOwned>(
        &self,
        path: &str,
        limit: usize,
    ) -> anyhow::Result<Option<T>> {
        let url = format!("{}{path}", self.base.trim_end_matches("/log"));
        let body = get(&self.client, &url, limit).await.with_context(|| url.clone())?;
        body.map(|body| serde_json::from_slice(&body)).transpose().context(url)
    }

    /// The key that the log says it has. Who wants proof against the server knows the key from elsewhere.
    pub async fn own_key(&self) -> anyhow::Result<VerifierKey> {
        let text = self.get("key", MAX_NOTE_BYTES).await?.context("the server has no log")?;
        VerifierKey::read(String::from_utf8(text)?.trim()).context("what the log gives as its key is none")
    }

    /// The newest checkpoint, if the log of that key has signed it.
    pub async fn checkpoint(&self, key: &VerifierKey) -> anyhow::Result<(Checkpoint, Note)> {
        let text = self.get("checkpoint", MAX_NOTE_BYTES).await?.context("the server has no log")?;
        let note = Note::read(&String::from_utf8(text)?)?;
        Ok((Checkpoint::open(&note, key)?, note))
    }

    /// A tile, or the whole one, of which it is a part.
    async fn tile(&self, tile: Tile) -> anyhow::Result<Vec<u8>> {
        if let Some(bytes) = self.get(&format!("tile/{}", tile.path()), MAX_TILE_BYTES).await? {
            return Ok(bytes);
        }
        let whole = Tile { width: TILE_WIDTH, ..tile };
        let bytes = self.get(&format!("tile/{}", whole.path()), MAX_TILE_BYTES).await?;
        bytes.with_context(|| format!("the log lacks the tile {}", tile.path()))
    }

    /// The tiles that are needed for something in a tree of that size.
    async fn tiles(&self, needed: Vec<Tile>) -> anyhow::Result<Tiles> {
        let mut found = Tiles::default();
        for tile in needed {
            let bytes = self.tile(tile).await?;
            let width = (bytes.len() / size_of::<Hash>()) as u64;
            let hashes = tiles::hashes(&bytes, width).filter(|_| width >= tile.width);
            let hashes = hashes.with_context(|| format!("the tile {} is damaged", tile.path()))?;
            found.insert(tile.level.unwrap_or_default(), tile.index, hashes);
        }
        Ok(found)
    }

    /// The proof that the tree of `new` entries continues that of `old`. What the tiles say is for the caller to verify.
    pub async fn consistency(&self, old: u64, new: u64) -> anyhow::Result<Option<Vec<Hash>>> {
        let needed = wanted(new, |ask| {
            let _asked = tree::prove_consistency(&|level, at| ask(level, at), old, new);
        });
        Ok(tree::prove_consistency(&self.tiles(needed).await?, old, new))
    }

    /// The entries of a bundle in a tree of that size, from the one that holds `first` on.
    pub async fn bundle(&self, first: u64, size: u64) -> anyhow::Result<Vec<Entry>> {
        let tile = Tile::holding(None, first, size).context("the log is shorter")?;
        let bytes = self.tile(tile).await?;
        let whole = read_bundle(&bytes, tile.width).or_else(|| read_bundle(&bytes, TILE_WIDTH));
        let mut entries = whole.with_context(|| format!("the bundle {} is damaged", tile.path()))?;
        entries.truncate(usize::try_from(tile.width)?);
        Ok(entries)
    }
}
