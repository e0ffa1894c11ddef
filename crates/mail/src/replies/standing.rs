//! Orders for later in a mail: gives, shows and cancels them.

use super::ReplyError;
use super::deciding::Case;
use super::receiving::Replies;
use pippost_games::standing_orders::{self, NotTaken, Standing};
use pippost_language::Language;
use pippost_notices::{OrdersFate, Verdict};
use pippost_store::replies::ReplyRow;

/// The most lines of orders in an answer.
const MAX_LINES: usize = 20;

impl Replies {
    /// Does what the mail says about orders for later, after its moves; the lines are those that hold then.
    pub(super) async fn standing(
        &self,
        case: &Case<'_>,
        row: &ReplyRow,
        verdict: &Verdict,
    ) -> Result<(OrdersFate, Vec<String>), ReplyError> {
        let orders = case.orders;
        if !orders.asks_about_standing() {
            return Ok((OrdersFate::None, Vec::new()));
        }
        // A mail that is too old or whose seat is somebody else's by now changes nothing.
        if matches!(verdict, Verdict::Expired | Verdict::Left) {
            return Ok((OrdersFate::NotTaken, Vec::new()));
        }
        let Ok(claim) = self.seat(row).await? else { return Ok((OrdersFate::NotTaken, Vec::new())) };
        let changes = orders.cancels_standing || !orders.standing.is_empty();
        if changes && orders.requests_doubted {
            return Ok((OrdersFate::Unsure, Vec::new()));
        }
        if orders.cancels_standing {
            standing_orders::cancel(self.games(), &claim).await?;
        }
        if orders.standing.is_empty() {
            let standing = standing_orders::show(self.games(), &claim).await?;
            let fate = if orders.cancels_standing { OrdersFate::Cancelled } else { OrdersFate::Shown };
            return Ok((fate, standing.map(|standing| lines(&standing, case.language)).unwrap_or_default()));
        }
        let is_whole = orders.broken.is_none()
            && matches!(verdict, Verdict::Told | Verdict::Moved { stopped: None, .. });
        if !is_whole {
            return Ok((OrdersFate::NotTaken, Vec::new()));
        }
        let seq = case.seq_after(verdict);
        let given = standing_orders::give_at(self.games(), &claim, orders.standing.clone(), seq).await?;
        Ok(match given {
            Ok(standing) => (OrdersFate::Given, lines(&standing, case.language)),
            Err(NotTaken::Late) => (OrdersFate::Late, Vec::new()),
            Err(NotTaken::YourTurn) => (OrdersFate::YourTurn, Vec::new()),
            Err(NotTaken::TooMany) => (OrdersFate::TooMany, Vec::new()),
        })
    }
}

/// The first lines of the orders that may still be played.
fn lines(standing: &Standing, language: Language) -> Vec<String> {
    if !standing.is_active {
        return Vec::new();
    }
    let all = standing.progress.orders.lines(language);
    let more = all.len() > MAX_LINES;
    all.into_iter().take(MAX_LINES).chain(more.then(|| "…".to_owned())).collect()
}
