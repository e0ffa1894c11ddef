//! Refusals of what players do beside games: ladders, clubs, studies, reports.

use super::{Code, Problem};
use crate::limits::Limit;
use pippost_games::GameError;
use pippost_games::clubs::ClubRefused;
use pippost_games::ladders::LadderRefused;
use pippost_games::moderation::ReportRefused;
use pippost_games::studies::StudyRefused;

impl From<LadderRefused> for Problem {
    fn from(refused: LadderRefused) -> Self {
        match refused {
            LadderRefused::Refused(why) => Self::new(Code::LadderRefused).detail(why.to_string()),
            LadderRefused::Game(error) => error.into(),
        }
    }
}

impl From<ClubRefused> for Problem {
    fn from(refused: ClubRefused) -> Self {
        let told = || Self::new(Code::ClubRefused).detail(refused.to_string());
        match refused {
            ClubRefused::Name | ClubRefused::Taken => told().with("field", "name"),
            ClubRefused::TooLong => told().with("field", "about"),
            ClubRefused::TooMany | ClubRefused::TooManyOwned | ClubRefused::Full | ClubRefused::LastOwner => {
                told()
            }
            ClubRefused::Game(GameError::NotFound) => {
                Self::new(Code::NotFound).detail("there is no such club, or you do not own it")
            }
            ClubRefused::Game(error) => error.into(),
        }
    }
}

impl From<StudyRefused> for Problem {
    fn from(refused: StudyRefused) -> Self {
        let told = || Self::new(Code::StudyRefused).detail(refused.to_string());
        match refused {
            StudyRefused::Title => told().with("field", "title"),
            StudyRefused::TooLong => told().with("field", "comment"),
            StudyRefused::NoPosition => told().with("field", "at"),
            StudyRefused::NotOver | StudyRefused::Changed => told(),
            StudyRefused::Game(GameError::NotFound) => {
                Self::new(Code::NotFound).detail("there is no such study, or it is not yours")
            }
            StudyRefused::Game(error) => error.into(),
        }
    }
}

impl From<ReportRefused> for Problem {
    fn from(refused: ReportRefused) -> Self {
        let told = |code: Code| Self::new(code).detail(refused.to_string());
        match refused {
            ReportRefused::Oneself | ReportRefused::Waits => told(Code::ReportRefused),
            ReportRefused::TooMany { retry_after_seconds } => {
                told(Code::TooManyRequests).retry_after(retry_after_seconds).reached(Limit::reports())
            }
            ReportRefused::TooLong => told(Code::InvalidValue).with("field", "text"),
            ReportRefused::Game(error) => error.into(),
        }
    }
}
