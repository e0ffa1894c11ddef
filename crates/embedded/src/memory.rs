//! Warns if there is too little memory for PostgreSQL.

use std::fs;

use super::settings::SHARED_BUFFERS_MIB;

/// The memory that the processes of a small cluster need beside the shared buffers.
const PROCESSES_MIB: u64 = 128;

/// Logs a warning if the machine or the container has too little free memory: PostgreSQL might start, and be killed by the
/// kernel later.
pub(super) fn warn_when_short() {
    let needed_mib = SHARED_BUFFERS_MIB + PROCESSES_MIB;
    if let Some(free_mib) = free_mib()
        && free_mib < needed_mib
    {
        tracing::warn!(free_mib, needed_mib, "memory is short for the embedded PostgreSQL");
    }
}

/// The memory free for new processes, by the kernel's estimate and the container's control group.
fn free_mib() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available_mib(&text));
    let group_file = |name| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let group = group_file("memory.max")
        .zip(group_file("memory.current"))
        .and_then(|(limit, used)| left_in_group_mib(&limit, &used));
    machine.into_iter().chain(group).min()
}

fn available_mib(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

/// `None` for a group without a limit, written as `max`.
fn left_in_group_mib(limit: &str, used: &str) -> Option<u64> {
    let bytes = |text: &str| text.trim().parse::<u64>().ok();
    Some(bytes(limit)?.saturating_sub(bytes(used)?) / (1024 * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_tells_what_is_available() {
        let text = "MemTotal:       24683664 kB\nMemFree:        22406744 kB\nMemAvailable:   24266752 kB\n";
        assert_eq!(available_mib(text), Some(23698));
        assert_eq!(available_mib("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn a_group_has_what_its_limit_leaves_or_no_limit() {
        assert_eq!(left_in_group_mib("536870912\n", "435159040\n"), Some(97));
        assert_eq!(left_in_group_mib("1048576\n", "2097152\n"), Some(0));
        assert_eq!(left_in_group_mib("max\n", "435159040\n"), None);
    }
}
