//! The verifier for everybody: a record goes in, a verdict comes out. Nothing is looked up and nothing is kept.

use std::sync::Arc;

use actix_web::{HttpRequest, post, web};
use tokio::sync::Semaphore;
use utoipa_actix_web::service_config::ServiceConfig;

use super::accounts::refusals::{Failed, TooManyTries};
use super::admission::{Admitted, RecordBytes, Verifying};
use super::body::{self, expect_media_type};
use super::media::RecordText;
use super::peer::Peer;
use super::problem::{Code, Problem, ProblemBody};
use super::verdict::{Verdict, verdict};
use crate::accounts::Accounts;
use crate::traffic::compute;

/// The longest record that is taken, in bytes: some fifteen thousand events. `pippost verify` takes longer ones.
pub const MAX_VERIFIED_BYTES: usize = 8 * 1024 * 1024;

/// How many records are verified at once; others that were admitted wait. The longest takes a fraction of a second.
const VERIFIED_AT_ONCE: usize = 1;

/// The media type of a record.
const MEDIA_TYPE: &str = "application/x-ndjson";

/// Registers the handler; paths are relative to `/api/v1`.
pub fn configure(service: &mut ServiceConfig<'_>) {
    service.service(verify_record);
}

/// The processors that verify; one for each process.
#[derive(Clone)]
pub struct Processors(Arc<Semaphore>);

impl Default for Processors {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(VERIFIED_AT_ONCE)))
    }
}

/// A record as it comes, with its place among all bytes of records.
struct Received {
    record: Vec<u8>,
    counted: RecordBytes,
}

impl Received {
    fn new(counted: RecordBytes) -> Self {
        // Room that nothing was written to takes no memory; a buffer that grows would be copied, each time into a larger one.
        Self { record: Vec::with_capacity(MAX_VERIFIED_BYTES), counted }
    }

    fn push(&mut self, piece: &[u8]) -> Result<(), Problem> {
        self.counted.0.grow(piece.len() as u64)?;
        self.record.extend_from_slice(piece);
        Ok(())
    }
}

/// Verifies a record, finished or running, of this server or any other.
///
/// The checks are those of the protocol, each over the whole record before the next begins: form; hash chain and revealed seeds;
/// every action and what followed from it, played again; and for a finished game the secret that all chance came from. A record
/// that is refused is an answer like any other: the status is 200.
#[utoipa::path(tag = "history", request_body(content = RecordText, content_type = "application/x-ndjson",
    description = "The record as `/games/{id}/record` exports it, at most 8 MiB."), responses(
    (status = 200, description = "The verdict; where the record is refused, the first failing event and what is wrong there.", body = Verdict),
    (status = 400, description = "The body did not arrive whole: `malformed_body`.", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "The record is too long: `body_too_large`.", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "The body is not `application/x-ndjson`: `unsupported_media_type`.", body = ProblemBody, content_type = "application/problem+json"),
    TooManyTries, Failed,
))]
#[post("/verify")]
pub async fn verify_record(
    request: HttpRequest,
    accounts: web::Data<Accounts>,
    verifying: web::Data<Processors>,
    admitted: Admitted<Verifying>,
    bytes: RecordBytes,
    peer: Peer,
    payload: web::Payload,
) -> Result<web::Json<Verdict>, Problem> {
    // The limits come first, so that nobody has us read megabytes for nothing.
    accounts.count_verification(peer.0)?;
    expect_media_type(&request, MEDIA_TYPE, "a record is sent as application/x-ndjson")?;
    let too_large = || {
        let why = format!("at most {MAX_VERIFIED_BYTES} bytes; `pippost verify` takes longer records");
        Problem::new(Code::BodyTooLarge).detail(why)
    };
    let mut received = Received::new(bytes);
    body::read_pieces(payload, MAX_VERIFIED_BYTES, too_large, |piece| received.push(piece)).await?;
    // No more wait here than were admitted.
    let processor = Arc::clone(&verifying.0).acquire_owned().await.expect("never closed");
    let work = move || {
        // Held to the end of the work, also when nobody waits for it any more.
        let _held = (admitted, processor);
        verdict(&received.record)
    };
    let verdict = compute(work).await.map_err(|error| Problem::new(Code::Internal).cause(error))?;
    Ok(web::Json(verdict))
}
