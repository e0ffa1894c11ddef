//! Lists of games tell what reading whole tables tells, and find it by indexes.

use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use diesel_async::SimpleAsyncConnection;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pippost::store::citus::SHARDS;
use pippost::store::lists::{self, Filter, ListedPage, Whose};
use pippost::store::{Database, GameStatus};
use uuid::Uuid;

use support::db::plan;
use support::db::{MANY, db_games, game, player};
use support::games::pip_pip;
use support::{TestApp, cluster};

/// Makes games of all kinds of those that [`db_games`] has written.
const OF_ALL_KINDS: &str = "
update games set status = case get_byte(uuid_send(id), 15) % 5 when 0 then 'open' when 1 then 'starting' when 2 then 'running'
        when 3 then 'finished' else 'cancelled' end,
    beacon_round = 1, private = get_byte(uuid_send(id), 15) % 7 = 0, seats_offered = get_byte(uuid_send(id), 15) % 3 = 0,
    rules = case when get_byte(uuid_send(id), 15) % 4 < 2 then rules else 'another' end, limit_hours = 24, time_control = '{}',
    expires_at = created_at, awaits_until = case when get_byte(uuid_send(id), 15) % 4 = 0 then created_at end;
delete from game_states s using games g where g.id = s.game_id and g.status not in ('running', 'finished');
update game_states s set to_act_seat = null, to_act_player = null, deadline_at = null
    from games g where g.id = s.game_id and g.status = 'finished';
delete from game_players p using games g where g.id = p.game_id and g.status = 'cancelled';
update players set bot = true where handle like 'p1%'";

fn filters() -> Vec<Filter> {
    let player_id = player(7);
    let mut whose = vec![
        Whose::Mine { player_id, status: None },
        Whose::MyTurn { player_id },
        Whose::PublicOf { player_id },
        Whose::SeatsOffered,
    ];
    whose.extend(GameStatus::ALL.iter().map(|status| Whose::Public { status: *status }));
    whose.extend(GameStatus::ALL.iter().map(|status| Whose::Mine { player_id, status: Some(*status) }));
    let of_rules = |whose: &Whose, rules: Option<&str>| Filter {
        whose: whose.clone(),
        rules: rules.map(str::to_owned),
        cursor: None,
        only: None,
    };
    whose
        .iter()
        .flat_map(|whose| [None, Some("pip-pip"), Some("another")].map(|rules| of_rules(whose, rules)))
        .collect()
}

#[derive(diesel::QueryableByName)]
struct Told {
    #[diesel(sql_type = Text)]
    game: String,
}

/// Which games a filter means, and their players, in no clever way.
async fn db_all(connection: &mut AsyncPgConnection, filter: &Filter) -> Vec<String> {
    let of_player = "exists (select from game_players p where p.game_id = g.id and p.player_id = $1)";
    let (player, status, condition) = match &filter.whose {
        Whose::Mine { player_id, status } => (Some(*player_id), *status, of_player.to_owned()),
        Whose::MyTurn { player_id } => (Some(*player_id), None, "s.to_act_player = $1".to_owned()),
        Whose::PublicOf { player_id } => (Some(*player_id), None, format!("not private and {of_player}")),
        Whose::Public { status } => (None, Some(*status), "not private".to_owned()),
        Whose::SeatsOffered => (None, Some(GameStatus::Running), "not private and seats_offered".to_owned()),
    };
    let all = format!(
        "select g.id || ' ' || coalesce(s.seq::text, 'none') || ' ' || coalesce((select string_agg(handle || ' ' || bot, ' ' order by joined) \
         from game_players m join players on players.id = m.player_id where m.game_id = g.id), '') as game \
         from games g left join game_states s on s.game_id = g.id \
         where {condition} and ($2 is null or status = $2) and ($3 is null or rules = $3) and ($4 is null or g.id < $4) \
         and ($5 is null or g.id = $5) order by g.id desc"
    );
    let all = diesel::sql_query(all).bind::<Nullable<SqlUuid>, _>(player).bind::<Nullable<Text>, _>(status);
    let all = all.bind::<Nullable<Text>, _>(&filter.rules).bind::<Nullable<SqlUuid>, _>(filter.cursor);
    let all: Vec<Told> = all.bind::<Nullable<SqlUuid>, _>(filter.only).load(connection).await.expect("games");
    all.into_iter().map(|told| told.game).collect()
}

/// A page, compared with all games.
async fn page(database: &Database, filter: &Filter, limit: i64) -> ListedPage {
    let mut connection = database.get().await.expect("a connection");
    let mut all = db_all(&mut connection, filter).await;
    let found = lists::games(database, filter, limit).await.expect("a page");
    let limit = usize::try_from(limit).expect("a limit");
    assert_eq!(found.next_cursor.is_some(), all.len() > limit, "{filter:?}");
    all.truncate(limit);
    let told = found.rows.iter().map(|row| {
        let seq = row.state.as_ref().map_or("none".to_owned(), |state| state.seq.to_string());
        let names = row.players.iter().map(|name| format!(" {name} {}", row.bots.contains(name)));
        let names = names.collect::<String>();
        format!("{} {seq} {}", row.game.id, names.trim_start())
    });
    assert_eq!(told.collect::<Vec<_>>(), all, "{filter:?}");
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_tell_what_reading_all_games_tells() {
    let app = TestApp::start().await;
    let database = &app.app.database;
    let mut connection = database.get().await.expect("a connection");
    db_games(&mut connection, 1, 1500).await;
    for statement in OF_ALL_KINDS.split(';') {
        connection.batch_execute(statement).await.expect("games of all kinds");
    }
    drop(connection);
    let mut empty = 0;
    for filter in filters() {
        let whole = page(database, &filter, 5000).await;
        assert!(whole.next_cursor.is_none(), "{filter:?}");
        let (mut paged, mut at) = (Vec::new(), filter.clone());
        loop {
            let part = page(database, &at, 40).await;
            paged.extend(part.rows);
            let Some(cursor) = part.next_cursor else { break };
            at.cursor = Some(cursor);
        }
        assert_eq!(paged, whole.rows, "{filter:?}");
        empty += usize::from(paged.is_empty());
        for number in 1..20 {
            let only = Filter { only: Some(game(number)), ..filter.clone() };
            let found = page(database, &only, 5).await.rows.len();
            let expected = whole.rows.iter().filter(|row| row.game.id == game(number)).count();
            assert_eq!(found, expected, "{only:?}");
        }
    }
    // Nobody is in a game that was cancelled: three filters.
    assert_eq!(empty, 3, "lists without a game");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_two_statements_and_an_empty_one_is_one() {
    let app = TestApp::start().await;
    let (_, [ann, bob]) = pip_pip(&app).await;
    for (player, games, statements) in [(&ann, 1, 2), (&bob, 0, 1)] {
        player.get("/api/v1/games?list=my_turn").await.expect_status(200);
        let before = app.app.database.statements();
        let list = player.get("/api/v1/games?list=my_turn").await.ok();
        assert_eq!(list["games"].as_array().map(Vec::len), Some(games));
        assert_eq!(app.app.database.statements() - before, statements, "{games} games");
    }
}

/// Lists, and the index by which a shard finds their games in order; of public ones, where all are, the key's does as well.
fn asked() -> [(Whose, Option<&'static str>, &'static str); 6] {
    let player_id = player(7);
    let running = GameStatus::Running;
    [
        (Whose::Mine { player_id, status: None }, None, "game_players_player"),
        (Whose::Mine { player_id, status: Some(running) }, None, "game_players_player"),
        (Whose::PublicOf { player_id }, None, "game_players_player"),
        (Whose::MyTurn { player_id }, None, "game_states_turns"),
        (Whose::MyTurn { player_id }, Some("pip-pip"), "game_states_turns"),
        (Whose::Public { status: running }, None, "games_p"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_asks_each_shard_once_and_each_finds_its_games_by_an_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    for table in ["games", "game_players", "game_states"] {
        connection.batch_execute(&format!("vacuum (analyze) {table}")).await.expect("statistics");
    }
    for (whose, rules, index) in asked() {
        let filter = Filter { whose, rules: rules.map(str::to_owned), cursor: None, only: None };
        let statement = ["player", "before", "limit", "status", "rules", "only"]
            .iter()
            .zip(1..)
            .fold(lists::statement(&filter), |text, (name, number)| {
                text.replace(&format!("{{{name}}}"), &format!("${number}"))
            });
        let statement = format!("prepare list(uuid, uuid, bigint, text, text, uuid) as {statement}");
        connection.batch_execute("deallocate all").await.expect("a connection");
        connection.batch_execute(&statement).await.expect("a statement");
        let values = format!("'{}', '{}', 51, 'running', 'pip-pip', null", player(7), Uuid::max());
        let plan = plan(&mut connection, &format!("execute list({values})")).await;
        assert!(plan.contains(index), "{filter:?}:\n{plan}");
        if !cluster::is_citus() {
            assert!(!plan.contains("Seq Scan"), "{filter:?}:\n{plan}");
            continue;
        }
        // A shard here is so small that it may read the other tables whole. It sends no more than a page.
        assert!(plan.contains(&format!("Task Count: {SHARDS}\n")), "{filter:?}:\n{plan}");
        assert_eq!(plan.matches("Limit").count(), 2, "{filter:?}:\n{plan}");
    }
}
