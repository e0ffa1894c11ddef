//! The certificate authorities trusted for the SMTP server.

use std::io;
use std::path::Path;
use std::sync::Arc;

use lettre::transport::smtp::client::{Certificate, TlsParameters};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use crate::mailer::MailerError;

/// The trusted certificate authorities.
pub enum Trust {
    /// The public authorities that browsers trust.
    Public,
    /// Only these.
    Private(Vec<CertificateDer<'static>>),
}

impl Trust {
    #[must_use]
    pub fn public() -> Self {
        Self::Public
    }

    /// Reads the authorities in a PEM file.
    ///
    /// # Errors
    /// The file cannot be read, or contains none.
    pub fn of_authority(path: &Path) -> Result<Self, MailerError> {
        let refused = |why: String| MailerError::Authority { path: path.to_owned(), why };
        let pem = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
        let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
        match read {
            Ok(certificates) if !certificates.is_empty() => {
                for certificate in &certificates {
                    RootCertStore::empty()
                        .add(certificate.clone())
                        .map_err(|error| refused(error.to_string()))?;
                }
                Ok(Self::Private(certificates))
            }
            Ok(_) => Err(refused("it holds no certificate".to_owned())),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    /// The configuration for TLS from the first byte on.
    pub fn client_config(&self) -> io::Result<ClientConfig> {
        let mut roots = RootCertStore::empty();
        match self {
            Self::Public => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Self::Private(certificates) => {
                for certificate in certificates {
                    roots.add(certificate.clone()).map_err(io::Error::other)?;
                }
            }
        }
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(config)
    }

    /// The parameters for STARTTLS, which lettre performs.
    pub fn parameters(&self, host: &str) -> Result<TlsParameters, lettre::transport::smtp::Error> {
        let mut builder = TlsParameters::builder(host.to_owned());
        if let Self::Private(certificates) = self {
            builder = builder.certificate_store(lettre::transport::smtp::client::CertificateStore::None);
            for certificate in certificates {
                builder = builder.add_root_certificate(Certificate::from_der(certificate.to_vec())?);
            }
        }
        builder.build_rustls()
    }
}
