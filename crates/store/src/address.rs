//! The database's address: the forms of tokio-postgres, and those that hosted databases use.

use std::ffi::OsString;
use std::net::IpAddr;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::StoreError;
use pippost_embedded::EmbeddedStatus;

/// After so long without data, TCP checks that the peer is still there.
const KEEPALIVE_IDLE: Duration = Duration::from_mins(1);

/// A parsed database address with its TLS settings.
pub struct Address {
    config: Config,
    tls: Option<Arc<rustls::ClientConfig>>,
    /// The file of additional trusted roots.
    root_certificate: Option<PathBuf>,
    /// Known to lead to PostgreSQL itself.
    direct: bool,
    /// The state of that PostgreSQL, if this process runs it.
    embedded: Option<EmbeddedStatus>,
}

impl Address {
    /// Parses a URL or key/value address. `sslmode=verify-full` and `verify-ca` mean `require`, because certificates are always
    /// verified; `sslrootcert` and `certificate_authority` name a PEM file of additional trusted roots. An address with such a
    /// file and no `sslmode` requires TLS.
    ///
    /// # Errors
    /// The address or the certificate file cannot be read. The error never shows the address.
    pub fn parse(text: &str, certificate_authority: Option<PathBuf>) -> Result<Self, StoreError> {
        let Translated { text, root_certificate, names_ssl_mode } = translate(text);
        let root_certificate = root_certificate.or(certificate_authority);
        let mut config: Config = text.parse().map_err(|error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            StoreError::Address(format!("{error}: {cause}"))
        })?;
        if root_certificate.is_some() && !names_ssl_mode && !only_unix_sockets(&config) {
            config.ssl_mode(SslMode::Require);
        }
        let tls = match config.get_ssl_mode() {
            SslMode::Disable => None,
            // A Unix socket needs no encryption.
            SslMode::Prefer if only_unix_sockets(&config) => None,
            _ => Some(client_config(root_certificate.clone())?),
        };
        Ok(Self { config, tls, root_certificate, direct: false, embedded: None })
    }

    /// The same address, known to lead to PostgreSQL itself, so that no pooler is searched for.
    #[must_use]
    pub fn direct(self) -> Self {
        Self { direct: true, ..self }
    }

    /// The same address, of a PostgreSQL that this process runs.
    #[must_use]
    pub fn supervised(self, status: EmbeddedStatus) -> Self {
        Self { embedded: Some(status), ..self }
    }

    /// The state of the PostgreSQL that this process runs; `None` for another.
    #[must_use]
    pub fn embedded(&self) -> Option<&EmbeddedStatus> {
        self.embedded.as_ref()
    }

    /// Whether the address is on this machine: a Unix socket, or a loopback address by name or number.
    #[must_use]
    pub fn is_on_this_machine(&self) -> bool {
        self.config.get_hosts().iter().all(is_local)
    }

    /// Whether it is known to lead to PostgreSQL itself.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        self.direct
    }

    /// The same address for mostly idle connections: they notice within two minutes that the peer is gone.
    #[must_use]
    pub fn watchful(&self) -> Self {
        let mut config = self.config.clone();
        config
            .keepalives(true)
            .keepalives_idle(KEEPALIVE_IDLE)
            .keepalives_interval(KEEPALIVE_IDLE / 4)
            .keepalives_retries(4);
        let Self { tls, root_certificate, direct, embedded, .. } = self;
        let (tls, root_certificate, embedded) = (tls.clone(), root_certificate.clone(), embedded.clone());
        Self { config, tls, root_certificate, direct: *direct, embedded }
    }

    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The PEM file of trusted roots beside the public ones.
    #[must_use]
    pub fn root_certificate(&self) -> Option<&Path> {
        self.root_certificate.as_deref()
    }

    #[must_use]
    pub fn tls(&self) -> Option<rustls::ClientConfig> {
        self.tls.as_deref().cloned()
    }
}

fn only_unix_sockets(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)))
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback()),
    }
}

/// An address in the form of tokio-postgres.
struct Translated {
    text: String,
    root_certificate: Option<PathBuf>,
    names_ssl_mode: bool,
}

/// Removes options that libpq knows and tokio-postgres does not.
fn translate(text: &str) -> Translated {
    let is_url = text.starts_with("postgres://") || text.starts_with("postgresql://");
    let (mut root_certificate, mut names_ssl_mode) = (None, false);
    let mut keep = |pair: &str| {
        names_ssl_mode |= pair.starts_with("sslmode=");
        match pair.split_once('=') {
            Some(("sslrootcert", "system") | ("pgbouncer" | "gssencmode", _)) => None,
            Some(("sslrootcert", file)) => {
                root_certificate = Some(if is_url {
                    PathBuf::from(OsString::from_vec(percent_decode_str(file).collect()))
                } else {
                    PathBuf::from(file.trim_matches('\''))
                });
                None
            }
            Some(("sslmode", "verify-full" | "verify-ca")) => Some("sslmode=require".to_owned()),
            Some(("sslmode", "allow")) => Some("sslmode=prefer".to_owned()),
            _ => Some(pair.to_owned()),
        }
    };
    let text = if is_url {
        match text.split_once('?') {
            None => text.to_owned(),
            Some((base, query)) => {
                let pairs: Vec<_> = query.split('&').filter_map(&mut keep).collect();
                if pairs.is_empty() { base.to_owned() } else { format!("{base}?{}", pairs.join("&")) }
            }
        }
    } else {
        // White space is preserved, because it may belong to a password.
        let pieces = text.split_inclusive(char::is_whitespace).map(|piece| {
            let pair = piece.trim_end();
            keep(pair).unwrap_or_default() + &piece[pair.len()..]
        });
        pieces.collect()
    };
    Translated { text, root_certificate, names_ssl_mode }
}

fn client_config(root_certificate: Option<PathBuf>) -> Result<Arc<rustls::ClientConfig>, StoreError> {
    let mut roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(file) = root_certificate {
        let unusable = |error: &dyn std::fmt::Display| {
            StoreError::Certificate(file.display().to_string(), error.to_string())
        };
        let public = roots.len();
        for certificate in CertificateDer::pem_file_iter(&file).map_err(|error| unusable(&error))? {
            let certificate = certificate.map_err(|error| unusable(&error))?;
            roots.add(certificate).map_err(|error| unusable(&error))?;
        }
        if roots.len() == public {
            return Err(unusable(&"it holds no certificate"));
        }
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| StoreError::Address(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}
