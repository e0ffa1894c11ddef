//! Who may read the metrics, and that no client can make them grow.

use reqwest::Method;

use support::process::Server;
use support::{Client, METRICS_TOKEN, TestApp};

const METRICS: &str = "/metrics";

#[tokio::test(flavor = "multi_thread")]
async fn made_up_methods_and_addresses_do_not_make_the_numbers_grow() {
    let app = TestApp::start().await;
    let stranger = app.stranger().unchecked();
    let id = "01a1fe2a-89df-7515-9c5d-9fde96828ff2";
    let ask = async |number: usize| {
        let method: Method = format!("MADEUP{number}").parse().expect("a method");
        for path in [METRICS, "/", "/api/v1/games", &format!("/api/v1/games/{id}/moves")] {
            stranger.send(method.clone(), path, None, &[]).await;
        }
        for path in [format!("/no/{number}"), format!("/docs/{number}"), format!("/api/v1/players/p{number}")]
        {
            stranger.get(&path).await;
        }
    };
    ask(1000).await;
    // Requests for metrics are counted too, from the second on.
    app.metrics().await;
    let before = app.metrics().await;
    assert!(before.contains(r#"method="other",route="/metrics""#), "{before}");
    assert!(before.contains(r#"method="GET",route="none""#), "{before}");
    for number in 0..400 {
        ask(number).await;
    }
    let after = app.metrics().await;
    let series = |text: &str| text.lines().count();
    assert_eq!(series(&before), series(&after), "{after}");
    assert!(!after.contains("MADEUP"));
    assert!(after.len() < before.len() + 1000, "longer numbers only");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_numbers_are_for_those_who_know_the_token() {
    let app = TestApp::start().await;
    app.stranger().get(METRICS).await.problem(401, "unauthenticated");
    let mut wrong = app.stranger();
    wrong.token = Some(METRICS_TOKEN.to_uppercase());
    wrong.get(METRICS).await.problem(401, "unauthenticated");
    app.player("ann").await.get(METRICS).await.problem(401, "unauthenticated");
    assert!(app.metrics().await.contains("pippost_http_requests_total"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_setting_there_are_no_numbers_and_with_a_listener_they_are_there_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("metrics.sock");
    let endpoint = format!("unix:{}", socket.display());
    let start = move || Server::start_bare(&["--metrics-listen", &endpoint]);
    let mut server = tokio::task::spawn_blocking(start).await.expect("a server");
    let stranger = Client::new(&server.url(), None);
    stranger.get(METRICS).await.problem(404, "not_found");
    stranger.get("/healthz").await.expect_status(200);
    let operator = Client::by_socket(&socket).unchecked();
    let numbers = operator.get(METRICS).await;
    assert!(numbers.expect_status(200).text().contains("pippost_http_requests_total"), "{}", numbers.text());
    for path in ["/healthz", "/api/v1/rules", "/"] {
        operator.get(path).await.expect_status(404);
    }
    tokio::task::spawn_blocking(move || server.stop()).await.expect("a clean stop");
    assert!(!socket.exists());
}
