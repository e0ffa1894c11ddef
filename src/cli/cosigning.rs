//! Has the server's own checkpoints signed by witnesses.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use futures_util::future::join_all;
use tokio::sync::Mutex;

use super::record_log::{body, http_client, read_key};
use crate::app::App;
use crate::games::Games;
use crate::games::transparency::{self, WitnessPolicy};
use crate::log::checkpoint::cosignatures;
use crate::log::note::{KeyKind, Note, Signature, VerifierKey};
use crate::log::witness::Request;
use crate::settings::RecordLogSettings;
use crate::worker::{StopSignal, run_loop};

/// The largest answer of a witness, in bytes.
const MAX_ANSWER_BYTES: usize = 16 * 1024;

/// How often one witness is asked about one checkpoint: once more after it has said what it signed last.
const MAX_TRIES: usize = 2;

/// The longest names of all witnesses, in bytes of JSON: every receipt holds them.
const MAX_NAMED_BYTES: usize = 600;

/// A witness, by its address and its public key.
struct Witness {
    url: String,
    key: VerifierKey,
}

impl Witness {
    /// Reads `URL#KEY`.
    fn read(text: &str) -> anyhow::Result<Self> {
        let (url, key) = text.split_once('#').context("a witness is named as URL#KEY")?;
        let key = read_key(key).map_err(anyhow::Error::msg)?;
        if key.kind != KeyKind::Witness {
            bail!("the key of {} is no witness's", key.name);
        }
        Ok(Self { url: url.trim_end_matches('/').to_owned(), key })
    }
}

/// What a witness answers.
enum Answer {
    Signed(Signature),
    /// It has signed a checkpoint of this size last.
    OtherSize(u64),
}

/// The witnesses of this server's log.
pub struct Witnesses {
    client: reqwest::Client,
    all: Vec<Witness>,
    needed: usize,
    /// By name, the size that each has signed last, as far as it is known here.
    sizes: Mutex<HashMap<String, u64>>,
}

impl Witnesses {
    /// The witnesses that the settings name; `None` if they name none.
    fn new(settings: &RecordLogSettings) -> anyhow::Result<Option<Self>> {
        let all: Vec<Witness> =
            settings.log_witnesses.iter().map(|text| Witness::read(text)).collect::<Result<_, _>>()?;
        if all.is_empty() {
            return Ok(None);
        }
        let needed = usize::from(settings.log_witnesses_needed);
        if needed > all.len() {
            bail!("PIPPOST_LOG_WITNESSES_NEEDED is more than there are witnesses");
        }
        Ok(Some(Self { client: http_client()?, all, needed, sizes: Mutex::default() }))
    }

    /// As [`Witnesses::new`], once no witness knows more of the log than this database.
    pub async fn checked(settings: &RecordLogSettings, games: &Games) -> anyhow::Result<Option<Arc<Self>>> {
        let Some(witnesses) = Self::new(settings)? else { return Ok(None) };
        witnesses.check(games).await?;
        let keys = witnesses.all.iter().map(|witness| witness.key.to_string()).collect();
        let policy = WitnessPolicy { needed: witnesses.needed, keys };
        if serde_json::to_vec(&policy.brief())?.len() > MAX_NAMED_BYTES {
            bail!("PIPPOST_LOG_WITNESSES has too many or too long names for receipts");
        }
        transparency::name_witnesses(games, policy);
        Ok(Some(Arc::new(witnesses)))
    }

    /// Refuses a log that is behind what a witness has signed: it goes back to an older backup. A witness that does not answer is left
    /// out.
    async fn check(&self, games: &Games) -> anyhow::Result<()> {
        let Some(newest) = transparency::newest(games).await? else { return Ok(()) };
        let note = Note::read(&newest.note)?;
        for witness in &self.all {
            let asked =
                self.send(witness, &Request { old: 0, proof: Vec::new(), checkpoint: note.clone() }).await;
            match asked {
                Ok(Answer::OtherSize(size)) if size > newest.size() => bail!(
                    "the witness {} has signed {size} entries of this log, and the database has {}: it comes from an older backup. \
                     Restore a newer one, with the write-ahead log up to the end (docs/OPERATIONS.md)",
                    witness.key.name,
                    newest.size()
                ),
                Ok(_) => {}
                Err(error) => tracing::warn!(witness = witness.key.name, %error, "a witness does not answer"),
            }
        }
        Ok(())
    }

    /// Has the newest checkpoint signed, if it is not yet; returns how many witnesses signed it now.
    pub async fn step(&self, games: &Games) -> anyhow::Result<usize> {
        let Some(newest) = transparency::newest(games).await? else { return Ok(0) };
        if newest.size() == 0 || newest.cosigned_size() == newest.size() {
            return Ok(0);
        }
        let mut note = Note::read(&newest.note)?;
        let asked = self.all.iter().map(|witness| self.ask(games, witness, &note, newest.size()));
        let mut signed = Vec::new();
        for (witness, answered) in self.all.iter().zip(join_all(asked).await) {
            match answered {
                Ok(signature) => signed.push(signature),
                Err(error) => tracing::warn!(witness = witness.key.name, %error, "a witness has not signed"),
            }
        }
        let count = signed.len();
        if count >= self.needed.max(1) {
            note.signatures.extend(signed);
            transparency::keep_cosigned(games, newest.size(), &note.to_string()).await?;
        }
        // The next checkpoint comes after the interval.
        Ok(count)
    }

    async fn ask(
        &self,
        games: &Games,
        witness: &Witness,
        note: &Note,
        size: u64,
    ) -> anyhow::Result<Signature> {
        for _ in 0..MAX_TRIES {
            let old = self.sizes.lock().await.get(&witness.key.name).copied().unwrap_or(0);
            let proof = transparency::consistency(games, old, size).await?;
            let proof =
                proof.with_context(|| format!("it has signed {old} entries, and there are {size}"))?;
            let request = Request { old, proof, checkpoint: note.clone() };
            let (answer, known) = match self.send(witness, &request).await? {
                Answer::Signed(signature) => (Some(signature), size),
                Answer::OtherSize(other) => (None, other),
            };
            self.sizes.lock().await.insert(witness.key.name.clone(), known);
            if let Some(signature) = answer {
                let signed = Note { signatures: vec![signature.clone()], text: note.text.clone() };
                let found = cosignatures(&signed, std::slice::from_ref(&witness.key))?;
                anyhow::ensure!(!found.is_empty(), "what it answered is not its signature");
                return Ok(signature);
            }
        }
        bail!("it signs checkpoints that others send meanwhile")
    }

    async fn send(&self, witness: &Witness, request: &Request) -> anyhow::Result<Answer> {
        let url = format!("{}/add-checkpoint", witness.url);
        let response = self.client.post(url).body(request.text()).send().await?;
        let status = response.status();
        let body = String::from_utf8(body(response, MAX_ANSWER_BYTES).await?)?;
        match status {
            reqwest::StatusCode::OK => {
                let mut signatures = body.lines().filter_map(Signature::read);
                let own = signatures.find(|signature| witness.key.is_of(signature));
                own.map(Answer::Signed).context("its answer has no signature of its key")
            }
            reqwest::StatusCode::CONFLICT => {
                let size = crate::log::number(body.trim_end_matches('\n'));
                size.map(Answer::OtherSize).context("its answer names no size")
            }
            other => bail!("it answered {other}"),
        }
    }
}

/// How often to have a new checkpoint signed by witnesses.
const WITNESS_INTERVAL: Duration = Duration::from_secs(2);

/// Has each new checkpoint signed, until the worker stops.
pub async fn keep_signed(app: App, witnesses: Arc<Witnesses>, stop: StopSignal) {
    let step = || async {
        let signed = witnesses.step(&app.games).await?;
        app.metrics.count_worker("log", "cosignatures", signed);
        // A newer checkpoint is sent after the interval, not at once.
        Ok::<_, anyhow::Error>(0)
    };
    run_loop("witnesses", WITNESS_INTERVAL, Arc::default(), stop, step).await;
}
