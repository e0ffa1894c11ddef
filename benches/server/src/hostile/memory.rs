//! Samples the memory of the server's process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::cpu;

/// The interval between samples.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);

/// Samples a process's memory on a thread of its own.
pub struct Watch {
    pid: u32,
    most: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    #[must_use]
    pub fn start(pid: u32) -> Self {
        let (most, ended) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (seen, over) = (Arc::clone(&most), Arc::clone(&ended));
        let thread = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                seen.fetch_max(cpu::memory(pid).0, Ordering::Relaxed);
                std::thread::sleep(SAMPLE_INTERVAL);
            }
        });
        Self { pid, most, ended, thread: Some(thread) }
    }

    /// Forgets the samples.
    pub fn begin(&mut self) {
        self.most.store(0, Ordering::Relaxed);
    }

    /// The largest sample since then, in bytes.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }

    /// The process's peak memory according to the system, in bytes.
    #[must_use]
    pub fn peak(&self) -> u64 {
        cpu::memory(self.pid).1
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
