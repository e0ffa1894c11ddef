//! The program's memory under requests that once cost it gigabytes.

use reqwest::Method;

use super::bodies::bomb;
use support::Client;
use support::process::Server;

/// The limit of the program's peak memory, in MiB. Without requests it is some fifty.
const MAX_MEMORY_MIB: u64 = 300;

/// The process's peak memory so far, in MiB.
fn peak_memory_mib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    let kib: u64 = peak.trim().trim_end_matches(" kB").trim().parse().expect("a number");
    kib / 1024
}

#[tokio::test(flavor = "multi_thread")]
async fn bombs_of_gzip_take_no_memory() {
    let server = tokio::task::spawn_blocking(Server::start).await.expect("a server");
    let stranger = Client::new(&server.url(), None).unchecked();
    let packed = bomb(60 << 20);
    assert!(packed.len() < 64 * 1024, "{}", packed.len());
    let throwing = (0..60).map(|number| {
        let path = ["/api/v1/accounts", "/api/v1/sessions", "/api/v1/receipts"][number % 3];
        let (stranger, packed) = (stranger.clone(), packed.clone());
        async move {
            let headers = [("Content-Encoding", "gzip")];
            stranger
                .send_bytes(Method::POST, path, Some(packed), &headers)
                .await
                .problem(415, "unsupported_encoding");
        }
    });
    futures_util::future::join_all(throwing).await;
    let peak = peak_memory_mib(server.pid());
    assert!(peak < MAX_MEMORY_MIB, "{peak} MiB");
}
