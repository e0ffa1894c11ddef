//! Addresses of databases.

use pippost::store::Address;
use tokio_postgres::config::SslMode;

#[test]
fn addresses_that_hosted_databases_hand_out_are_understood() {
    for text in [
        "postgres://app:secret@db.example.org:5432/pippost?sslmode=verify-full&sslrootcert=system",
        "postgresql://app@db.example.org/pippost?sslmode=verify-ca&pgbouncer=true",
        "host=db.example.org user=app sslmode=verify-full",
    ] {
        let address = Address::parse(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(address.config().get_ssl_mode(), SslMode::Require, "{text}");
        assert!(address.tls().is_some());
    }
}

#[test]
fn a_unix_socket_needs_no_tls() {
    let address =
        Address::parse("host='/var/run/some dir' user=app dbname=pippost", None).expect("an address");
    assert!(address.tls().is_none());
}

#[test]
fn a_database_shares_this_machine_if_all_its_addresses_are_here() {
    for (text, here) in [
        ("host=/var/run/postgresql user=app", true),
        ("postgres://app@localhost/pippost", true),
        ("postgres://app@127.0.0.1,[::1]/pippost", true),
        ("postgres://app@db.example.org/pippost", false),
        ("host=localhost,db.example.org user=app", false),
        ("host=192.0.2.1 user=app", false),
    ] {
        let address = Address::parse(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(address.is_on_this_machine(), here, "{text}");
    }
}

#[test]
fn who_names_an_authority_wants_tls_unless_another_mode_is_named() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let key = rcgen::KeyPair::generate().expect("a key");
    let params = rcgen::CertificateParams::new(Vec::new()).expect("parameters");
    std::fs::write(file.path(), params.self_signed(&key).expect("a certificate").pem()).expect("written");
    let in_url = format!("postgres://db.example.org/x?sslrootcert={}", file.path().display());
    for (text, authority, mode) in [
        ("postgres://db.example.org/x", true, SslMode::Require),
        ("host=db.example.org user=app", true, SslMode::Require),
        ("host=/var/run,db.example.org user=app", true, SslMode::Require),
        (in_url.as_str(), false, SslMode::Require),
        ("postgres://db.example.org/x?sslmode=prefer", true, SslMode::Prefer),
        ("host=db.example.org sslmode=disable", true, SslMode::Disable),
        ("host=/var/run/postgresql user=app", true, SslMode::Prefer),
        ("postgres://db.example.org/x", false, SslMode::Prefer),
    ] {
        let address = Address::parse(text, authority.then(|| file.path().to_owned()));
        let address = address.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(address.config().get_ssl_mode(), mode, "{text}");
    }
}

#[test]
fn an_unreadable_address_is_not_shown() {
    let error =
        Address::parse("postgres://app:secret@db.example.org/x?speed=high", None).err().expect("unreadable");
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[test]
fn a_missing_certificate_file_is_named() {
    let text = "postgres://db.example.org/x?sslmode=verify-full&sslrootcert=/does/not/exist.pem";
    let error = Address::parse(text, None).err().expect("no such file");
    assert!(error.to_string().contains("/does/not/exist.pem"), "{error}");
}

#[test]
fn a_certificate_file_without_a_certificate_is_refused() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let text = "postgres://db.example.org/x?sslmode=require";
    let error = Address::parse(text, Some(file.path().to_owned())).err().expect("nothing in it");
    assert!(error.to_string().contains("it holds no certificate"), "{error}");
}

#[test]
fn a_file_in_a_url_may_be_escaped() {
    let text = "postgres://db.example.org/x?sslrootcert=%2Fdoes%2Fnot%2Fexist%20yet.pem";
    let error = Address::parse(text, None).err().expect("no such file");
    assert!(error.to_string().contains("/does/not/exist yet.pem"), "{error}");
}

#[test]
fn white_space_in_a_password_is_kept() {
    let text = "host=db.example.org password='two  spaces' sslmode=verify-full gssencmode=disable user=app";
    let address = Address::parse(text, None).expect("an address");
    assert_eq!(address.config().get_password(), Some(b"two  spaces".as_slice()));
    assert_eq!(address.config().get_user(), Some("app"));
}
