//! What a player orders.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::GameError;
use pippost_record::rules::{RuleSet, Unreadable};

/// The most branches of a tree, on all levels.
pub const MAX_BRANCHES: usize = 100;

/// The most levels of a tree.
pub const MAX_LEVELS: usize = 10;

/// The most actions in an `if` or a `then`.
pub const MAX_LISTED: usize = 20;

/// The most answers given in advance.
pub const MAX_ANSWERS: usize = 8;

/// The longest notation, in characters.
pub const MAX_NOTATION_CHARS: usize = 200;

/// Whether two notations are of the same action.
#[must_use]
pub fn is_same(ordered: &str, written: &str) -> bool {
    plain(ordered) == plain(written)
}

/// Notation in one case and spacing.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// One action in the rule set's notation, as in `occupy 2`; its rules describe it.
#[derive(ToSchema)]
#[schema(max_length = 200, pattern = "^[^;\\u0000]*[^; \\u0000][^;\\u0000]*$")]
pub struct ActionNotation(#[allow(dead_code, reason = "the document's only")] String);

/// An answer in words of the rule set, as in `occupy all`; its rules say which there are.
#[derive(ToSchema)]
#[schema(max_length = 200, pattern = "^[^\\u0000]*$")]
pub struct AdvanceAnswer(#[allow(dead_code, reason = "the document's only")] String);

const _: () = assert!(MAX_NOTATION_CHARS == 200, "the schemas say the same");

/// What to do after what the others may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = OrderBranch)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// What the others do, action by action, from your last move by these orders until it is your turn. Null or left out: whatever they do.
    #[serde(rename = "if", default)]
    #[schema(min_items = 1, max_items = 20, value_type = Option<Vec<ActionNotation>>)]
    pub condition: Option<Vec<String>>,
    /// What you do then, each a move of its own. Without any, the orders end here, and you decide.
    #[schema(max_items = 20, value_type = Vec<ActionNotation>)]
    pub then: Vec<String>,
    /// What follows when it is your turn again after that.
    #[serde(default)]
    #[schema(no_recursion, max_items = 100)]
    pub next: Vec<Branch>,
}

impl Branch {
    /// Whether the others have done this, in notation.
    #[must_use]
    pub fn fits(&self, seen: &[String]) -> bool {
        let Some(wanted) = &self.condition else { return true };
        wanted.len() == seen.len() && self.may_fit(seen)
    }

    /// Whether this is how the others have begun, so that they may do the rest.
    #[must_use]
    pub fn may_fit(&self, seen: &[String]) -> bool {
        let Some(wanted) = &self.condition else { return true };
        wanted.len() >= seen.len()
            && wanted.iter().zip(seen).all(|(wanted, written)| is_same(wanted, written))
    }
}

/// Moves in advance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandingOrders {
    /// True: play the only legal action, whenever there is just one.
    #[serde(default)]
    pub only_legal: bool,
    /// Answers to the turns of others, in words of the rule set, such as `occupy all`; its rules say which there are. The first that says
    /// something is taken.
    #[serde(default)]
    pub answers: Vec<String>,
    /// The branches of a tree, on ten levels and a hundred in all at most. The first that fits is taken.
    #[serde(default)]
    pub branches: Vec<Branch>,
}

impl StandingOrders {
    /// Whether nothing is ordered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.only_legal && self.answers.is_empty() && self.branches.is_empty()
    }

    /// Checks what can be known before the moves are made.
    ///
    /// # Errors
    /// [`GameError::InvalidValue`] names the member; [`GameError::OrdersNotPossible`].
    pub fn check(&self, rules: &dyn RuleSet) -> Result<(), GameError> {
        if self.is_empty() {
            return not_possible("nothing is ordered: give branches, answers or `only_legal`");
        }
        if self.answers.len() > MAX_ANSWERS {
            return malformed("answers", format!("at most {MAX_ANSWERS} answers"));
        }
        if self.answers.iter().any(|answer| answer.chars().count() > MAX_NOTATION_CHARS) {
            return malformed("answers", format!("an answer has at most {MAX_NOTATION_CHARS} characters"));
        }
        if self.branches.len() > MAX_BRANCHES {
            return malformed("branches", format!("at most {MAX_BRANCHES} branches"));
        }
        if let Some(answer) = self.answers.iter().find(|answer| !rules.is_advance_answer(answer)) {
            return not_possible(format!("{} has no such answer in advance: {answer}", rules.title()));
        }
        check_level(&self.branches, 1, &mut 0)
    }
}

impl StandingOrders {
    /// Checks that each action can be read, whether it will be legal or not.
    ///
    /// # Errors
    /// [`GameError::UnreadableOrder`] names the first one that cannot.
    pub fn check_notation(&self, read: impl Fn(&str) -> Result<(), Unreadable>) -> Result<(), GameError> {
        let mut left: Vec<&Branch> = self.branches.iter().collect();
        while let Some(branch) = left.pop() {
            for text in branch.condition.iter().flatten().chain(&branch.then) {
                let unreadable = |unreadable| GameError::UnreadableOrder { text: text.clone(), unreadable };
                read(text).map_err(unreadable)?;
            }
            left.extend(&branch.next);
        }
        Ok(())
    }
}

/// What no schema says.
fn not_possible<T>(why: impl Into<String>) -> Result<T, GameError> {
    Err(GameError::OrdersNotPossible(why.into()))
}

/// What the schema says, too.
fn malformed<T>(field: &'static str, why: impl Into<String>) -> Result<T, GameError> {
    Err(GameError::InvalidValue { field, why: why.into() })
}

fn check_level(branches: &[Branch], level: usize, count: &mut usize) -> Result<(), GameError> {
    *count += branches.len();
    if *count > MAX_BRANCHES {
        return not_possible(format!("at most {MAX_BRANCHES} branches in all"));
    }
    if !branches.is_empty() && level > MAX_LEVELS {
        return not_possible(format!("at most {MAX_LEVELS} levels"));
    }
    for branch in branches {
        check_actions(branch.condition.as_deref().unwrap_or_default())?;
        check_actions(&branch.then)?;
        if branch.condition.as_ref().is_some_and(Vec::is_empty) {
            return malformed("branches", "`if`: at least one action, or null for whatever they do");
        }
        if branch.then.is_empty() && !branch.next.is_empty() {
            return not_possible("`next` without a move before it");
        }
        check_level(&branch.next, level + 1, count)?;
    }
    Ok(())
}

fn check_actions(actions: &[String]) -> Result<(), GameError> {
    if actions.len() > MAX_LISTED {
        return malformed("branches", format!("at most {MAX_LISTED} actions in one list"));
    }
    for text in actions {
        // A semicolon would be two actions.
        if text.chars().all(|letter| letter == ' ')
            || text.contains(';')
            || text.chars().count() > MAX_NOTATION_CHARS
        {
            let why = format!("one action in notation has 1 to {MAX_NOTATION_CHARS} characters and no `;`");
            return malformed("branches", why);
        }
    }
    Ok(())
}
