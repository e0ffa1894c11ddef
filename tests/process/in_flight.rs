//! Moves of many games at once: written together, each with its own outcome.

use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use pippost::games::{ActRequest, Command, ListMode, SeatClaim, playing, viewing};
use uuid::Uuid;

use pippost::games::viewing::view::Requester;
use support::db::db_count;
use support::games::{pip_pip, pip_pip_again};
use support::waiting::until;
use support::{Client, TestApp, cluster};

const GAMES: usize = 12;

/// Statements for the moves of all games: one for the first, which is alone, two that the writer has in flight at once, and one
/// for all that queue meanwhile.
const STATEMENTS: u64 = 4;

/// Started games of the same two players, in memory, with the seat to act in each; and a player who may view them.
async fn games(app: &TestApp) -> (Vec<(Uuid, SeatClaim)>, Client) {
    let (first, players) = pip_pip(app).await;
    let mut paths = vec![first];
    while paths.len() < GAMES {
        paths.push(pip_pip_again(&players[0], &players[1]).await);
    }
    let mut games = Vec::new();
    for path in paths {
        let game: Uuid = path.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
        let seat = players[0].get(&path).await.ok()["to_act"].as_u64().expect("a seat");
        let me = players[usize::try_from(seat).expect("a seat")].get("/api/v1/me").await.ok();
        let me = me["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        viewing::view(&app.app.games, game, &Requester::player(me)).await.expect("a view");
        games.push((game, viewing::claim_seat(&app.app.games, game, me).await.expect("a seat")));
    }
    let [ann, _] = players;
    (games, ann)
}

/// The newest `seq` of each game.
async fn newest(games: &[(Uuid, SeatClaim)], ann: &Client) -> Vec<u64> {
    let mut newest = Vec::new();
    for (game, _) in games {
        let events = ann.get(&format!("/api/v1/games/{game}/events")).await.ok();
        newest.push(events["newest"].as_u64().expect("a number"));
    }
    newest
}

fn store() -> ActRequest {
    ActRequest {
        command: Command::Notation("store".into()),
        mode: ListMode::default(),
        expected_seq: Some(0.into()),
        if_match: None,
        key: None,
    }
}

/// Makes a move in all games at once, while the database holds every statement until all are queued. Returns true for each move
/// that was made, and the number of statements.
async fn all_move(app: &TestApp, games: &[(Uuid, SeatClaim)]) -> (Vec<bool>, u64) {
    let (mut holding, mut looking) = (app.db_superuser().await, app.db_superuser().await);
    holding.batch_execute("begin; lock table game_states").await.expect("a lock");
    let before = app.app.database.statements();
    let request = store();
    let mut moves = join_all(games.iter().map(|(_, claim)| playing::act(&app.app.games, claim, &request)));
    assert!(futures_util::poll!(&mut moves).is_pending());
    let waiting = format!("select count(*) from {}", cluster::waiting_statements());
    until("a lone move and the writer", async || db_count(&mut looking, &waiting).await == 2).await;
    holding.batch_execute("commit").await.expect("the lock is free");
    let moved = moves.await.iter().map(Result::is_ok).collect();
    (moved, app.app.database.statements() - before)
}

#[tokio::test(flavor = "multi_thread")]
async fn many_moves_at_once_are_few_statements() {
    if cluster::plain_only("counts the statements of moves, which are one a move on a cluster") {
        return;
    }
    let app = TestApp::start().await;
    let (games, ann) = games(&app).await;
    let (moved, statements) = all_move(&app, &games).await;
    assert_eq!(moved, [true; GAMES]);
    assert!((2..=STATEMENTS).contains(&statements), "{statements} statements");
    assert_eq!(newest(&games, &ann).await, [1; GAMES]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_the_database_refuses_does_not_affect_the_others_of_its_batch() {
    let app = TestApp::start().await;
    let (games, ann) = games(&app).await;
    let (unlucky, claim) = &games[GAMES - 1];
    let mut superuser = app.db_superuser().await;
    let refuse = format!(
        "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
         create trigger refuse before insert on events for each row when (new.game_id = '{unlucky}')
         execute function refuse()"
    );
    cluster::run_each(&mut superuser, &refuse).await.expect("a trigger");
    let (moved, _) = all_move(&app, &games).await;
    let mut all_but_one = [true; GAMES];
    all_but_one[GAMES - 1] = false;
    assert_eq!(moved, all_but_one);
    assert_eq!(newest(&games, &ann).await, all_but_one.map(u64::from));
    superuser.batch_execute("drop trigger refuse on events").await.expect("no trigger");
    playing::act(&app.app.games, claim, &store()).await.expect("a move");
    assert_eq!(newest(&games, &ann).await, [1; GAMES]);
}
