//! Started games in memory: what is kept of one, the cache, and the one decision whether a cached game may be shown.

pub mod cache;
pub mod live;
pub mod locks;
pub mod version_check;
