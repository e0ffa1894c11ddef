//! Another game like one that is over, by one click on its page.

use actix_web::{HttpResponse, post, web};
use serde::Deserialize;
use uuid::Uuid;

use super::path;
use crate::against_bot::{challenger, house_bot, no_room};
use crate::creating::CHOICE;
use crate::form::{Posted, see_other};
use crate::visitor::Playing;
use pippost_accounts::{Account, Accounts, Handle, PlayerRequest};
use pippost_games::lobby::at_once::{self, Wanted};
use pippost_games::lobby::by_mail::{self, Rematch};
use pippost_games::lobby::inviting::Invitee;
use pippost_games::{Games, IdempotencyKey, lobby};
use pippost_http::Problem;
use pippost_http::peer::Peer;
use pippost_store::stored_responses::{Repeated, RequestKey};

#[derive(Debug, Default, Deserialize)]
pub struct AgainForm {
    #[serde(default)]
    key: String,
}

impl AgainForm {
    /// The bot may be who creates the game, so the key names the player.
    fn key(&self, id: Uuid, player_id: Uuid) -> Option<RequestKey> {
        let key = IdempotencyKey::parse(&self.key)?;
        Some(RequestKey {
            key: format!("again:{player_id}:{}", key.as_str()),
            fingerprint: id.as_bytes().to_vec(),
            repeated: Repeated::default(),
        })
    }
}

/// Creates the same game again and invites the others. The house bot sits down at once, with the sides changed.
#[post("/games/{id}/again")]
pub async fn again(
    playing: Playing,
    peer: Peer,
    accounts: web::Data<Accounts>,
    games: web::Data<Games>,
    id: web::Path<Uuid>,
    form: Posted<AgainForm>,
) -> Result<HttpResponse, Problem> {
    let Playing { visitor, account } = playing;
    let Rematch { new, others, sat_first } = by_mail::again(&games, *id, account.player_id).await?;
    accounts.count_request(PlayerRequest::CreateGame, account.player_id, peer.0)?;
    let key = form.into_inner().key(*id, account.player_id);
    let challenger = challenger(&account, &accounts).await?;
    let bot = house_bot(&visitor, &accounts).await?;
    let begun =
        match bot.filter(|bot| others.iter().all(|other| other.key() == bot.handle.to_ascii_lowercase())) {
            Some(bot) => {
                let strength = at_once::strength(&games, *id).await?;
                let wanted = Wanted { new, sits_first: !sat_first, key, strength };
                at_once::begin(&games, &challenger, &bot, wanted).await
            }
            // Without the house bot there is nobody whom a guest may play.
            None if account.guest => return Ok(see_other(CHOICE)),
            None => match lobby::create(&games, &challenger.player, new, key.as_ref()).await {
                Ok(game) => {
                    invite(&accounts, &games, &account, peer, game.id, others).await;
                    Ok(game.id)
                }
                Err(error) => Err(error),
            },
        };
    match begun {
        Ok(game_id) => Ok(see_other(&path(game_id))),
        Err(error) => no_room(error, visitor),
    }
}

/// The game exists: whom no invitation reaches gets its link, which the page shows.
async fn invite(
    accounts: &Accounts,
    games: &Games,
    account: &Account,
    peer: Peer,
    game_id: Uuid,
    others: Vec<Handle>,
) {
    for other in others {
        if accounts.count_request(PlayerRequest::Invite, account.player_id, peer.0).is_err() {
            return;
        }
        let _invited = lobby::invite(games, game_id, account.player_id, Invitee::Player(other), None).await;
    }
}
