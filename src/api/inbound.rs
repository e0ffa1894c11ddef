//! Mail coming in over HTTP: from a mail provider's webhook, or from a mail server's script.

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{FromRequest, HttpRequest, post, web};
use serde::{Deserialize, Serialize};
use std::future::{Ready, ready};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use super::problem::{Code, Problem, ProblemBody};
use crate::keys::SharedSecret;
use crate::replies::{Incoming, MAX_MAIL_BYTES, Receipt, Replies};

/// The header with the shared secret.
const HEADER: &str = "X-Inbound-Secret";

const MEDIA_TYPE: &str = "message/rfc822";

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut ServiceConfig<'_>) {
    service.service(receive_mail);
}

/// Whether mail is taken over HTTP at all, and from whom.
#[derive(Clone, Debug)]
pub struct Inbound(pub Option<SharedSecret>);

/// Somebody who knows the shared secret.
#[derive(Debug)]
pub struct Deliverer(());

impl FromRequest for Deliverer {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let secret = request.app_data::<web::Data<Inbound>>().and_then(|inbound| inbound.0.as_ref());
        let Some(secret) = secret else {
            return ready(Err(Problem::new(Code::NotFound).detail("this server takes no mail over HTTP")));
        };
        let given = request.headers().get(HEADER).map(actix_web::http::header::HeaderValue::as_bytes);
        ready(match given {
            Some(given) if secret.is(given) => Ok(Self(())),
            _ => Err(Problem::new(Code::Unauthenticated)
                .detail(format!("{HEADER} does not hold the shared secret"))),
        })
    }
}

/// The envelope of a mail, where it is known.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EnvelopeQuery {
    /// The address that the mail is for; by default those in its headers are tried.
    #[param(max_length = 320)]
    pub recipient: Option<String>,
    /// The address that it comes back to if it cannot be delivered; empty for reports, which are never answered.
    #[param(max_length = 320)]
    pub sender: Option<String>,
}

/// What became of a mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivedMail {
    /// `taken`: it is dealt with, and the answer goes to the player by mail; `repeated`: it was taken before; `ignored`: a machine
    /// has sent it.
    #[schema(value_type = String, example = "taken")]
    pub outcome: &'static str,
}

/// Takes a mail that a player has sent to the server. Only for mail systems that know the shared secret of this server.
#[utoipa::path(tag = "operations", security(("inbound" = [])), params(EnvelopeQuery),
    request_body(content = String, content_type = "message/rfc822", description = "The mail as it is, at most 256 KiB."),
    responses(
        (status = 200, description = "It needs not be delivered again.", body = ReceivedMail),
        (status = "4XX", description = "It should not be delivered again: it is for no address of this server \
            (`invalid_value`), too large, or no mail.", body = ProblemBody, content_type = "application/problem+json"),
        (status = "5XX", description = "It should be delivered again later.", body = ProblemBody,
            content_type = "application/problem+json"),
))]
#[post("/inbound/mail")]
pub async fn receive_mail(
    _deliverer: Deliverer,
    request: HttpRequest,
    replies: web::Data<Replies>,
    query: web::Query<EnvelopeQuery>,
    payload: web::Payload,
) -> Result<web::Json<ReceivedMail>, Problem> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(MEDIA_TYPE) {
        return Err(Problem::new(Code::UnsupportedMediaType).detail(format!("the body must be {MEDIA_TYPE}")));
    }
    let too_large = || Problem::new(Code::BodyTooLarge).detail(format!("at most {MAX_MAIL_BYTES} bytes"));
    let body = payload.to_bytes_limited(MAX_MAIL_BYTES).await.map_err(|_| too_large())?;
    let raw = body.map_err(|error| Problem::new(Code::MalformedBody).cause(error))?;
    let EnvelopeQuery { recipient, sender } = query.into_inner();
    let incoming = Incoming { sender: sender.as_deref(), recipient: recipient.as_deref(), raw: &raw };
    let outcome = match replies.receive(incoming).await? {
        Receipt::Taken => "taken",
        Receipt::Repeated => "repeated",
        Receipt::Ignored(_) => "ignored",
        Receipt::TooLarge => return Err(too_large()),
        Receipt::Unreadable => return Err(Problem::new(Code::MalformedBody).detail("this is no mail")),
        Receipt::UnknownAddress => {
            let why = "recipient: no address that this server has made";
            return Err(Problem::new(Code::InvalidValue).detail(why).with("field", "recipient"));
        }
    };
    Ok(web::Json(ReceivedMail { outcome }))
}
