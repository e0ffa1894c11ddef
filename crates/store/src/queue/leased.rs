//! The statements of a queue, made from what tells it from others.

/// A table whose entries, `q`, are claimed for the time of a lease, oldest first and so many of each account at once.
#[derive(Clone, Copy, Debug)]
pub struct LeasedTable {
    pub name: &'static str,
    /// A further table that is read and locked with it.
    pub join: &'static str,
    pub key: &'static [&'static str],
    /// When an entry is due.
    pub due_at: &'static str,
    /// Which entries the index of `due_at` has.
    pub indexed: &'static str,
    /// Which of them nobody has claimed at `$1`.
    pub free: &'static str,
    /// Whose entries take turns.
    pub account: &'static str,
    /// How many entries of `{account}` are claimed at `$1`.
    pub claimed: &'static str,
    /// The most of an account that are claimed at once.
    pub at_once: i64,
    /// What a claim sets.
    pub lease: &'static str,
}

impl LeasedTable {
    /// The tables of a statement that claims: `claimed` has the keys of what is claimed. `$1` now, `$2` the end of the lease, `$3` how
    /// many, `$4` from what time on.
    #[must_use]
    pub fn claim(&self) -> String {
        let Self { name, join, due_at, indexed, free, account, at_once, lease, .. } = self;
        let keys = |table: &str| self.key.iter().map(|key| format!("{table}.{key}")).collect::<Vec<_>>();
        let (of_queue, of_due) = (keys("q").join(", "), keys("due").join(", "));
        let same: Vec<String> = self.key.iter().map(|key| format!("q.{key} = r.{key}")).collect();
        let same = same.join(" and ");
        let claimed = |account: &str| self.claimed.replace("{account}", account);
        let (of_entry, of_account) = (claimed(&format!("q.{account}")), claimed("due.account"));
        format!(
            "with due as (
                select {of_queue}, q.{account} as account, q.{due_at} as due_at from {name} q {join}
                where {indexed} and q.{due_at} <= $1 and q.{due_at} >= $4 and {free} and {of_entry} < {at_once}
                order by q.{due_at} limit $3 for no key update skip locked
            ), ranked as (
                select due.*, row_number() over (partition by due.account order by due.due_at, {of_due}) + {of_account} as place from due
            ), claimed as (
                update {name} q set {lease} from ranked r where r.place <= {at_once} and {same} returning {of_queue}
            )"
        )
    }

    /// When the first of all entries is due, from `$1` on.
    #[must_use]
    pub fn look(&self) -> String {
        let Self { name, due_at, indexed, .. } = self;
        format!(
            "select q.{due_at} as oldest from {name} q where {indexed} and q.{due_at} >= $1 order by q.{due_at} limit 1"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
