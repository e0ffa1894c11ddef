//! The name of a log.

use pippost::games::transparency::origin;

#[test]
fn a_log_is_called_after_host_and_path_of_its_server() {
    assert_eq!(origin("https://games.example.org/"), "games.example.org/log");
    assert_eq!(origin("http://127.0.0.1:8080"), "127.0.0.1:8080/log");
    assert_eq!(origin("https://example.org/play"), "example.org/play/log");
}
