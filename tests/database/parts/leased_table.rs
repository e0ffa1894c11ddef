//! The statements of queues with leases.

use pippost::store::queue::LeasedTable;

#[test]
fn a_claim_takes_the_oldest_of_each_account_by_all_its_keys() {
    let table = LeasedTable {
        name: "letters",
        join: "join boxes b on b.id = q.box",
        key: &["box", "number"],
        due_at: "due",
        indexed: "q.kept",
        free: "b.until <= $1",
        account: "box",
        claimed: "(select count(*) from letters o where o.box = {account})",
        at_once: 2,
        lease: "until = $2",
    };
    let claim = table.claim();
    let claim = claim.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "select q.box, q.number, q.box as account, q.due as due_at from letters q join boxes b on b.id = q.box",
        "and (select count(*) from letters o where o.box = q.box) < 2 order by q.due limit $3 for no key update skip locked",
        "(partition by due.account order by due.due_at, due.box, due.number) + (select count(*) from letters o where o.box = due.account)",
        "r.place <= 2 and q.box = r.box and q.number = r.number returning q.box, q.number",
    ] {
        assert!(claim.contains(part), "{part} is missing: {claim}");
    }
    assert!(table.look().ends_with("from letters q where q.kept and q.due >= $1 order by q.due limit 1"));
}
