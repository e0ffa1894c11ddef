//! The memory of the server's process, looked at again and again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::cpu;

/// How often it is looked at.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);

/// Looks at the memory of a process from a thread of its own.
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

    /// Forgets what was seen.
    pub fn begin(&mut self) {
        self.most.store(0, Ordering::Relaxed);
    }

    /// The most that was seen since, in bytes.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }

    /// The most that the process has ever had, in bytes, as the system knows it.
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
