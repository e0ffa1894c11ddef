//! The bearer token of a request.

use actix_web::http::header::AUTHORIZATION;
use actix_web::test::TestRequest;
use pippost::accounts::MAX_TOKEN_BYTES;
use pippost::api::access::bearer_token;
use pippost::api::problem::Code;

fn token(headers: &[&str]) -> Result<Option<String>, Code> {
    let with = |request: TestRequest, header: &&str| request.append_header((AUTHORIZATION, *header));
    let request = headers.iter().fold(TestRequest::default(), with).to_http_request();
    let token = bearer_token(&request).map(|token| token.map(str::to_owned));
    token.map_err(|problem| problem.code())
}

#[test]
fn a_bearer_token_is_read_whatever_the_case_of_the_scheme() {
    for header in ["Bearer abc", "bearer abc", "BEARER  abc"] {
        assert_eq!(token(&[header]), Ok(Some("abc".into())), "{header}");
    }
    assert_eq!(token(&[]), Ok(None));
}

#[test]
fn anything_else_in_the_header_is_refused() {
    let long = format!("Bearer {}", "x".repeat(MAX_TOKEN_BYTES + 1));
    for header in ["", "Bearer", "Bearer ", "abc", "Basic YTpi", "Bearer \u{e4}", &long] {
        assert_eq!(token(&[header]), Err(Code::Unauthenticated), "{header:?}");
    }
    assert_eq!(token(&["Bearer abc", "Bearer def"]), Err(Code::Unauthenticated));
}
