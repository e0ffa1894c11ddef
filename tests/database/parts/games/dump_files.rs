//! Which files of dumps are given away.

use pippost::games::dumps::{LOCK, is_dump_file, part};

#[test]
fn only_files_of_dumps_are_given_to_everybody() {
    for kind in ["json", "index.ndjson", "ndjson.zst"] {
        assert!(is_dump_file(&format!("pippost-2026-11-28.{kind}")), "{kind}");
        assert!(!is_dump_file(&part(&format!("pippost-2026-11-28.{kind}"))), "a part of {kind}");
    }
    for name in
        ["", LOCK, "pippost-", "pippost-2026-11-28", "../pippost-2026-11-28.json", "pippost-2026/11/28.json"]
    {
        assert!(!is_dump_file(name), "{name}");
    }
}
