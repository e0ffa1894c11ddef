//! Mails over TLS, to a server whose certificate is signed by the test's own authority.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pippost::mail::{Mailer, MailerError, SendErrorKind};
use pippost::settings::MailSettings;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;

use crate::smtp::mail;
use support::smtp_sink::{SmtpSink, Tls};

/// A certificate for `name`, and the file of the authority that signed it.
fn certificate(folder: &Path, name: &str) -> (TlsAcceptor, PathBuf) {
    certificate_until(folder, name, 4096)
}

/// The same until the end of a year.
fn certificate_until(folder: &Path, name: &str, year: i32) -> (TlsAcceptor, PathBuf) {
    let mut params = CertificateParams::new(Vec::new()).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.distinguished_name.push(DnType::CommonName, "a private authority");
    let key = KeyPair::generate().expect("a key");
    let authority = CertifiedIssuer::self_signed(params, key).expect("an authority");

    let mut params = CertificateParams::new([name.to_owned()]).expect("parameters");
    params.not_after = rcgen::date_time_ymd(year, 12, 31);
    params.extended_key_usages.push(ExtendedKeyUsagePurpose::ServerAuth);
    let key = KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, &authority).expect("a certificate");

    let path = folder.join("authority.pem");
    std::fs::write(&path, authority.pem()).expect("a file");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let config =
        ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().and_then(
            |config| config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key),
        );
    (TlsAcceptor::from(Arc::new(config.expect("a configuration"))), path)
}

fn mailer(url: String, smtp_ca: Option<PathBuf>) -> Result<Mailer, MailerError> {
    let mail_from = "pippost <pippost@example.org>".to_owned();
    let settings = MailSettings { smtp_url: Some(url), mail_from, smtp_ca, ..MailSettings::default() };
    Mailer::new(&settings, Path::new("not-used"))
}

async fn sink(tls: Tls) -> SmtpSink {
    SmtpSink::with_tls(tls).await
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Why a mail was not sent, for all mails alike.
async fn fault(mailer: &Mailer) -> String {
    let refused = mailer.send(&mail(1)).await.expect_err("refused");
    assert_eq!(refused.kind, SendErrorKind::Unreached);
    refused.reason
}

const UNKNOWN_AUTHORITY: &str = "the certificate of the mail server is signed by no authority that this server trusts (SMTP_CA names one)";

#[tokio::test]
async fn mails_are_encrypted_from_the_start_after_starttls_and_where_it_is_offered() {
    let folder = folder();
    let (acceptor, authority) = certificate(folder.path(), "127.0.0.1");
    for (tls, scheme, query) in [
        (Tls::FromStart(acceptor.clone()), "smtps", ""),
        (Tls::Offered(acceptor.clone()), "smtp", "?tls=required"),
        (Tls::Offered(acceptor.clone()), "smtp", "?tls=opportunistic"),
    ] {
        let sink = sink(tls).await;
        let url = format!("{}{query}", sink.url().replace("smtp:", &format!("{scheme}:")));
        let mailer = mailer(url, Some(authority.clone())).expect("a mailer");
        for number in 0..3 {
            assert_eq!(mailer.send(&mail(number)).await, Ok(()), "{scheme} {query}");
        }
        assert_eq!(
            (sink.received().len(), sink.encrypted(), sink.connections()),
            (3, 3, 1),
            "{scheme} {query}"
        );
    }
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_gets_no_mail() {
    let folder = folder();
    let (acceptor, _) = certificate(folder.path(), "127.0.0.1");
    let other = tempfile::tempdir().expect("a folder");
    let (_, others) = certificate(other.path(), "127.0.0.1");
    for authority in [None, Some(others)] {
        let from_start = sink(Tls::FromStart(acceptor.clone())).await;
        let url = from_start.url().replace("smtp:", "smtps:");
        assert_eq!(fault(&mailer(url, authority.clone()).expect("a mailer")).await, UNKNOWN_AUTHORITY);
        for query in ["?tls=required", "?tls=opportunistic"] {
            let offered = sink(Tls::Offered(acceptor.clone())).await;
            let mailer = mailer(format!("{}{query}", offered.url()), authority.clone()).expect("a mailer");
            assert_eq!(fault(&mailer).await, UNKNOWN_AUTHORITY, "{query}");
            assert!(offered.received().is_empty(), "{query}");
        }
        assert!(from_start.received().is_empty());
    }
}

#[tokio::test]
async fn a_certificate_for_another_name_is_not_believed() {
    let folder = folder();
    let (acceptor, authority) = certificate(folder.path(), "mail.example.org");
    let sink = sink(Tls::FromStart(acceptor)).await;
    let url = sink.url().replace("smtp:", "smtps:");
    let mailer = mailer(url, Some(authority)).expect("a mailer");
    assert_eq!(fault(&mailer).await, "the certificate of the mail server is for another name");
    assert!(sink.received().is_empty());
}

#[tokio::test]
async fn a_certificate_that_has_expired_is_said_to_have() {
    let folder = folder();
    let (acceptor, authority) = certificate_until(folder.path(), "127.0.0.1", 2001);
    let from_start = sink(Tls::FromStart(acceptor.clone())).await;
    let offered = sink(Tls::Offered(acceptor)).await;
    for url in [from_start.url().replace("smtp:", "smtps:"), format!("{}?tls=required", offered.url())] {
        let mailer = mailer(url, Some(authority.clone())).expect("a mailer");
        assert_eq!(fault(&mailer).await, "the certificate of the mail server has expired");
    }
    assert!(from_start.received().is_empty() && offered.received().is_empty());
}

#[tokio::test]
async fn a_file_without_a_certificate_is_refused_at_the_start() {
    let folder = folder();
    let path = folder.path().join("authority.pem");
    let refusal = |path: &Path| {
        let made = mailer("smtps://mail.example.org".to_owned(), Some(path.to_owned()));
        made.err().expect("refused").to_string()
    };
    assert!(refusal(&path).contains("authority.pem"), "{}", refusal(&path));
    std::fs::write(&path, "no certificate").expect("a file");
    assert!(refusal(&path).ends_with("it holds no certificate"), "{}", refusal(&path));
}
