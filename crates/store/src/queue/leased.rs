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
