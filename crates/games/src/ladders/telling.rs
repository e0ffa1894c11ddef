//! What the mail about a challenge tells.

use uuid::Uuid;

use super::load;
use super::working::answer_by;
use crate::Games;
use crate::error::GameError;
use pippost_language::words;
use pippost_notices::ChallengeContent;
use pippost_record::rules;
use pippost_store::ladders as store;
use pippost_store::players;
use pippost_tournaments::ladder::MAX_UNANSWERED;

/// The challenge that a notice tells; `None` if it need not be answered any more.
pub(crate) async fn challenge_content(
    games: &Games,
    notice_id: Uuid,
) -> Result<Option<ChallengeContent>, GameError> {
    let Some(row) = store::told_by(&games.database, notice_id).await? else { return Ok(None) };
    let ladder = load(games, &row.rules).await?;
    let challenge = u32::try_from(row.number).ok().and_then(|number| ladder.challenge(number));
    let Some(challenge) = challenge.filter(|challenge| challenge.game.is_none()) else { return Ok(None) };
    let until = answer_by(games, challenge).await?;
    let from = players::name(&games.database, challenge.challenger).await?;
    let (Some(rules), Some((handle, bot))) = (rules::find(&row.rules, None), from) else { return Ok(None) };
    if until <= games.inner.clock.now() {
        return Ok(None);
    }
    let rung = ladder.rungs().iter().find(|rung| rung.player == challenge.challenged);
    Ok(Some(ChallengeContent {
        rules_title: rules.title().to_owned(),
        from: words::player(&handle, bot),
        until,
        is_last: rung.is_some_and(|rung| rung.unanswered + 1 >= MAX_UNANSWERED),
        link: games.ladder_url(rules.name()),
    }))
}
