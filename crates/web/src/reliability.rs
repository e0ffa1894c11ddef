//! How reliable a player is, in words.

use time::Duration;

use pippost_clock::log::reliability::Reliability;
use pippost_language::{Arguments, Language, words};

/// With fewer answers, nine of ten of them say little.
const LEAST_ANSWERS: i32 = 10;

/// Such as `answers in 5 hours (9 of 10 within 20 hours); 31 finished, 1 timed out`.
#[must_use]
pub fn sentence(reliability: &Reliability, language: Language) -> String {
    if reliability.is_empty() {
        return language.say("reliability-new");
    }
    let games = [
        ("reliability-finished", reliability.games_finished),
        ("reliability-left", reliability.games_left),
        ("reliability-timed-out", reliability.games_timed_out),
        ("reliability-aborted", reliability.games_aborted),
    ];
    let told = games.into_iter().filter(|(_, count)| *count > 0);
    let told =
        told.map(|(key, count)| language.say_with(key, &Arguments::default().number("count", count.into())));
    let games = told.collect::<Vec<_>>().join(", ");
    let Some(median) = reliability.median_seconds else { return games };
    let span = |seconds: i32| words::rough_span(Duration::seconds(seconds.into()), language);
    let median = span(median);
    let most = reliability.percentile_90_seconds.filter(|_| reliability.answers >= LEAST_ANSWERS).map(span);
    let most = most.filter(|most| *most != median);
    let arguments = Arguments::default().text("median", median).text("games", games);
    match most {
        Some(most) => language.say_with("reliability-answers-most", &arguments.text("most", most)),
        None => language.say_with("reliability-answers", &arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(language: Language, [finished, left, timed_out, aborted, answers]: [i32; 5]) -> String {
        let seconds = |seconds| (answers > 0).then_some(seconds);
        let (median_seconds, percentile_90_seconds) = (seconds(5 * 3600), seconds(20 * 3600));
        let figures = Reliability {
            games_finished: finished,
            games_left: left,
            games_timed_out: timed_out,
            games_aborted: aborted,
            answers,
            median_seconds,
            percentile_90_seconds,
        };
        sentence(&figures, language)
    }

    #[test]
    fn figures_are_told_in_a_line_and_zeros_are_not() {
        let english = |figures| said(Language::ENGLISH, figures);
        assert_eq!(english([0; 5]), "no games yet");
        assert_eq!(
            english([31, 0, 1, 0, 412]),
            "answers in 5 hours (9 of 10 within 20 hours); 31 finished, 1 timed out"
        );
        assert_eq!(english([1, 2, 0, 0, 9]), "answers in 5 hours; 1 finished, 2 left early");
        assert_eq!(english([0, 0, 3, 4, 0]), "3 timed out, 4 aborted");
        assert_eq!(
            said(Language::GERMAN, [31, 1, 1, 2, 412]),
            "antwortet in 5 Stunden (9 von 10 Mal in 20 Stunden); 31 beendet, 1 vorzeitig verlassen, 1 durch Zeitüberschreitung verloren, 2 abgebrochen"
        );
    }
}
