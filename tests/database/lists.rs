//! Lists of games tell what reading whole tables tells, and find it by indexes.

use diesel::sql_types::{Nullable, Text, Uuid as SqlUuid};
use diesel_async::SimpleAsyncConnection;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pippost::store::citus::SHARDS;
use pippost::store::dumped_games;
use pippost::store::lists::{self, Filter, GamesOf, Hours, ListedPage, Order, Outcome, Whose};
use pippost::store::{Database, GameStatus};
use pippost::store::{clubs, following, studies};
use time::macros::{date, datetime};
use time::{Date, Duration};
use uuid::Uuid;

use support::db::plan;
use support::db::{MANY, db_games, game, player};
use support::games::pip_pip;
use support::{TestApp, cluster};

/// Makes games of all kinds of those that [`db_games`] has written.
const OF_ALL_KINDS: &str = r#"
update games set status = case get_byte(uuid_send(id), 15) % 5 when 0 then 'open' when 1 then 'starting' when 2 then 'running'
        when 3 then 'finished' else 'cancelled' end,
    beacon_round = 1, private = get_byte(uuid_send(id), 15) % 7 = 0, seats_offered = get_byte(uuid_send(id), 15) % 3 = 0,
    rules = case when get_byte(uuid_send(id), 15) % 4 < 2 then rules else 'another' end,
    limit_hours = case get_byte(uuid_send(id), 15) % 3 when 0 then 12 when 1 then 48 end,
    result = case when get_byte(uuid_send(id), 15) % 5 = 3 then case get_byte(uuid_send(id), 15) / 5 % 4
        when 0 then '{"reason":"play","places":[1,2],"scores":null}' when 1 then '{"reason":"play","places":[1,1],"scores":null}'
        when 2 then '{"reason":"play","places":[2,1],"scores":null}' else '{"reason":"abort","places":null,"scores":null}' end end,
    created_at = case when get_byte(uuid_send(id), 15) < 90 then timestamptz '2026-01-01 00:00:00Z'
        else timestamptz '2026-05-01 00:00:00Z' end, time_control = '{}',
    expires_at = created_at, awaits_until = case when get_byte(uuid_send(id), 15) % 4 = 0 then created_at end;
delete from game_states s using games g where g.id = s.game_id and g.status not in ('running', 'finished');
update game_states s set to_act_seat = null, to_act_player = null, deadline_at = null
    from games g where g.id = s.game_id and g.status = 'finished';
delete from game_players p using games g where g.id = p.game_id and g.status = 'cancelled';
update players set bot = true where handle like 'p1%'"#;

fn filters() -> Vec<Filter> {
    let player_id = player(7);
    let of = GamesOf::player(player_id, None);
    let ended = GamesOf { status: Some(GameStatus::Finished), ..of.clone() };
    let mut whose = vec![
        Whose::Of(of.clone()),
        Whose::Of(GamesOf { public_only: true, ..of.clone() }),
        Whose::Of(GamesOf { opponent: Some(player(8)), ..of.clone() }),
        Whose::Of(GamesOf { since: Some(datetime!(2026-04-01 0:00 UTC)), ..of.clone() }),
        Whose::Of(GamesOf { until: Some(datetime!(2026-04-01 0:00 UTC)), ..of.clone() }),
        Whose::Of(GamesOf { outcome: Some(Outcome::Won), ..ended.clone() }),
        Whose::Of(GamesOf { outcome: Some(Outcome::Drawn), ..of.clone() }),
        Whose::Of(GamesOf { outcome: Some(Outcome::Lost), ..ended }),
        Whose::MyTurn { player_id },
        Whose::SeatsOffered,
        Whose::Among { game_ids: (1..200).map(game).collect() },
        Whose::OpenAmong { game_ids: (1..200).map(game).collect() },
    ];
    whose.extend(GameStatus::ALL.iter().map(|status| Whose::Public { status: *status }));
    whose.extend(GameStatus::ALL.iter().map(|status| Whose::Of(GamesOf::player(player_id, Some(*status)))));
    let narrowed = |whose: &Whose| {
        let all = Filter::all(whose.clone());
        let of_rules = |rules: &str| Filter { rules: Some(rules.to_owned()), ..all.clone() };
        let oldest = Filter { order: Order::Oldest, ..all.clone() };
        let fast = Filter { hours: Hours { fewest: None, most: Some(24) }, ..all.clone() };
        let slow = Filter { hours: Hours { fewest: Some(24), most: None }, ..all.clone() };
        [of_rules("pip-pip"), of_rules("another"), oldest, fast, slow, all]
    };
    whose.iter().flat_map(narrowed).collect()
}

#[derive(diesel::QueryableByName)]
struct Told {
    #[diesel(sql_type = Text)]
    game: String,
}

/// Which games a filter means, in no clever way.
fn condition(whose: &Whose) -> String {
    let all_of = |of: &GamesOf| {
        let is_in = |player: Uuid| {
            format!("exists (select from game_players p where p.game_id = g.id and p.player_id = '{player}')")
        };
        let places = match of.outcome {
            None => "true".to_owned(),
            Some(outcome) => {
                let (place, firsts) = match outcome {
                    Outcome::Won => (1, "= 1"),
                    Outcome::Drawn => (1, "= 2"),
                    Outcome::Lost => (2, "> 0"),
                };
                format!(
                    "exists (select from game_players p where p.game_id = g.id and p.player_id = '{}' \
                     and split_part(translate(substring(result from '\\[.*\\]'), '[]', ''), ',', p.seat + 1) = '{place}' \
                     and length(result) - length(replace(replace(result, '[1', '['), ',1', ',')) {firsts})",
                    of.player_id
                )
            }
        };
        let given = [
            Some(is_in(of.player_id)),
            Some(places),
            of.public_only.then(|| "not private".to_owned()),
            of.status.map(|status| format!("status = '{}'", status.as_str())),
            of.opponent.map(is_in),
            of.since.map(|_| "g.created_at >= '2026-04-01 00:00:00Z'".to_owned()),
            of.until.map(|_| "g.created_at < '2026-04-01 00:00:00Z'".to_owned()),
        ];
        given.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    };
    match whose {
        Whose::Of(of) => all_of(of),
        Whose::MyTurn { player_id } => format!("s.to_act_player = '{player_id}'"),
        Whose::Public { status } => format!("not private and status = '{}'", status.as_str()),
        Whose::SeatsOffered => "not private and seats_offered and status = 'running'".to_owned(),
        Whose::Among { game_ids } => among(game_ids),
        Whose::OpenAmong { game_ids } => format!("status = 'open' and {}", among(game_ids)),
    }
}

fn among(game_ids: &[Uuid]) -> String {
    let ids: Vec<_> = game_ids.iter().map(|id| format!("'{id}'")).collect();
    format!("g.id in ({})", ids.join(", "))
}

/// The games of a filter, and their players, with all tables read whole.
async fn db_all(connection: &mut AsyncPgConnection, filter: &Filter) -> Vec<String> {
    let (order, beyond) = match filter.order {
        Order::Newest => ("desc", "<"),
        Order::Oldest => ("asc", ">"),
    };
    let all = format!(
        "select g.id || ' ' || coalesce(s.seq::text, 'none') || ' ' || coalesce((select string_agg(handle || ' ' || bot || ' ' || seat, ' ' order by joined) \
         from game_players m join players on players.id = m.player_id where m.game_id = g.id), '') as game \
         from games g left join game_states s on s.game_id = g.id \
         where {} and ($1 is null or rules = $1) and ($2 is null or g.id {beyond} $2) \
         and ($3 is null or g.id = $3) and coalesce(limit_hours, 10000) between {} and {} order by g.id {order}",
        condition(&filter.whose),
        filter.hours.fewest.unwrap_or_default(),
        filter.hours.most.unwrap_or(10_000),
    );
    let all = diesel::sql_query(all).bind::<Nullable<Text>, _>(&filter.rules);
    let all = all.bind::<Nullable<SqlUuid>, _>(filter.cursor).bind::<Nullable<SqlUuid>, _>(filter.only);
    let all: Vec<Told> = all.load(connection).await.expect("games");
    all.into_iter().map(|told| told.game).collect()
}

/// A page, compared with all games.
async fn page(database: &Database, filter: &Filter, limit: i64) -> ListedPage {
    let mut connection = database.get().await.expect("a connection");
    let mut all = db_all(&mut connection, filter).await;
    // Who is nobody sees the same list.
    let viewer = (limit > 40).then(|| player(7));
    let found = lists::games(database, filter, viewer, limit).await.expect("a page");
    let limit = usize::try_from(limit).expect("a limit");
    assert_eq!(found.next_cursor.is_some(), all.len() > limit, "{filter:?}");
    all.truncate(limit);
    let told = found.rows.iter().map(|row| {
        let seq = row.state.as_ref().map_or("none".to_owned(), |state| state.seq.to_string());
        let names = row.players.iter().map(|player| {
            let seat = player.seat.expect("everybody has a seat");
            format!(" {} {} {seat}", player.handle, player.bot)
        });
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
        let cancelled = matches!(&filter.whose, Whose::Of(of) if of.status == Some(GameStatus::Cancelled));
        // Nobody is in a game that was cancelled. Of one rule set there may be no game that ended so.
        assert!(
            cancelled == paged.is_empty() || filter.rules.is_some() || filter.hours != Hours::default(),
            "{filter:?}"
        );
        // A game of each status.
        for number in 1..6 {
            let only = Filter { only: Some(game(number)), ..filter.clone() };
            let found = page(database, &only, 5).await.rows.len();
            let expected = whole.rows.iter().filter(|row| row.game.id == game(number)).count();
            assert_eq!(found, expected, "{only:?}");
        }
    }
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
fn asked() -> [(Whose, Option<&'static str>, &'static str); 8] {
    let player_id = player(7);
    let running = GameStatus::Running;
    [
        (Whose::Of(GamesOf::player(player_id, None)), None, "game_players_player"),
        (Whose::Of(GamesOf::player(player_id, Some(running))), None, "game_players_player"),
        (
            Whose::Of(GamesOf { public_only: true, ..GamesOf::player(player_id, None) }),
            None,
            "game_players_player",
        ),
        (
            Whose::Of(GamesOf { opponent: Some(player(8)), ..GamesOf::player(player_id, None) }),
            None,
            "game_players_player",
        ),
        (
            Whose::Of(GamesOf { outcome: Some(Outcome::Won), ..GamesOf::player(player_id, Some(running)) }),
            None,
            "game_players_player",
        ),
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
        let filter = Filter { rules: rules.map(str::to_owned), ..Filter::all(whose) };
        let statement = ["player", "cursor", "limit", "status", "rules", "only", "viewer", "opponent"]
            .iter()
            .zip(1..)
            .fold(lists::statement(&filter), |text, (name, number)| {
                text.replace(&format!("{{{name}}}"), &format!("${number}"))
            });
        let statement =
            format!("prepare list(uuid, uuid, bigint, text, text, uuid, uuid, uuid) as {statement}");
        connection.batch_execute("deallocate all").await.expect("a connection");
        connection.batch_execute(&statement).await.expect("a statement");
        let values = format!(
            "'{}', '{}', 51, 'running', 'pip-pip', null, '{}', '{}'",
            player(7),
            Uuid::max(),
            player(7),
            player(8)
        );
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

#[tokio::test(flavor = "multi_thread")]
async fn the_finished_games_of_a_seldom_played_rule_set_are_found_by_an_index() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    let ended = "update games set status = 'finished', finished_at = now(), \
         rules = case get_byte(uuid_send(id), 15) when 0 then 'serpent' else 'pip-pip' end; vacuum (analyze) games";
    for statement in ended.split(';') {
        connection.batch_execute(statement).await.expect("games that are over");
    }
    let whose = Whose::Public { status: GameStatus::Finished };
    let filter = Filter { rules: Some("serpent".to_owned()), ..Filter::all(whose) };
    let values = [
        ("cursor", format!("'{}'", Uuid::max())),
        ("limit", "1001".to_owned()),
        ("status", "'finished'".to_owned()),
        ("rules", "'serpent'".to_owned()),
        ("viewer", format!("'{}'", Uuid::nil())),
    ];
    let statement = values
        .iter()
        .fold(lists::statement(&filter), |text, (name, value)| text.replace(&format!("{{{name}}}"), value));
    let plan = plan(&mut connection, &statement).await;
    assert!(plan.contains("games_finished_rules"), "{plan}");
}

/// The first day on which a game ended.
const FIRST_END: Date = date!(2026 - 01 - 01);

#[tokio::test(flavor = "multi_thread")]
async fn dumps_find_the_games_of_a_day_by_an_index() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    let day = |number| FIRST_END + Duration::days(number);
    let case = |number| format!(" when {number} then timestamptz '{}'", day(number));
    let cases = (0..32).map(case).collect::<Vec<_>>().concat();
    let ended = format!(
        "update games set status = 'finished', finished_at = case get_byte(uuid_send(id), 15) % 32{cases} end"
    );
    connection.batch_execute(&ended).await.expect("games that are over");
    for table in ["games", "game_players"] {
        connection.batch_execute(&format!("vacuum (analyze) {table}")).await.expect("statistics");
    }
    let prepare = format!("prepare ended(timestamptz, uuid, timestamptz, bigint) as {}", dumped_games::ENDED);
    connection.batch_execute(&prepare).await.expect("a statement");
    let (from, until) = (day(7), day(8));
    let day = format!("execute ended('{from}', '{}', '{until}', 20)", Uuid::nil());
    let plan = plan(&mut connection, &day).await;
    assert!(plan.contains("games_dumped"), "{plan}");
    assert!(cluster::is_citus() || !plan.contains("Seq Scan"), "{plan}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_followed_players_are_reached_by_index_and_only_the_newest_of_each() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, MANY).await;
    connection.batch_execute("analyze").await.expect("statistics");
    let players = (1..20).map(|number| format!("'{}'", player(number))).collect::<Vec<_>>().join(", ");
    let of_followed = following::OF_FOLLOWED
        .replace("$1", &format!("array[{players}]"))
        .replace("$2", "now()")
        .replace("$3", "50")
        .replace("$4", "100");
    let games = (1..100).map(|number| format!("'{}'", game(number))).collect::<Vec<_>>().join(", ");
    let visible = following::VISIBLE
        .replace("$1", &format!("array[{games}]::uuid[]"))
        .replace("$2", &format!("'{}'::uuid", player(7)));
    let of_members = following::OF_MEMBERS
        .replace("$1", &format!("array[{players}]"))
        .replace("$2", "now()")
        .replace("$3", "50")
        .replace("$4", "100");
    let indexes = ["game_players_player", "game_players_player", "games_pkey"];
    for (statement, index) in [of_followed, of_members, visible].into_iter().zip(indexes) {
        let plan = plan(&mut connection, &statement).await;
        assert!(
            plan.contains(index) && !plan.contains("Seq Scan on game_players"),
            "{index} is not used:\n{plan}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn listed_studies_are_reached_by_index() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, 100).await;
    let rows = format!(
        "insert into studies select gen_random_uuid(), '{}', gen_random_uuid(), 1, 'pip-pip', 'x', '[]', '[\"\"]', n % 2 = 0, now() \
         from generate_series(1, 20000) n; analyze",
        player(7)
    );
    connection.batch_execute(&rows).await.expect("rows");
    for (statement, index) in [(studies::LISTED, "studies_listed"), (studies::OF_GAME, "studies_game")] {
        let asked = statement
            .replace("$1", "now()")
            .replace("$2", &format!("'{}'::uuid", player(8)))
            .replace("$3", &format!("'{}'::uuid", game(7)))
            .replace("$4", "31");
        let plan = plan(&mut connection, &asked).await;
        assert!(
            plan.contains(index) && !plan.contains("Seq Scan on studies"),
            "{index} is not used:\n{plan}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn listed_clubs_are_reached_by_index() {
    if cluster::plain_only("asks for the plan of a statement on a plain database") {
        return;
    }
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    db_games(&mut connection, 1, 100).await;
    let rows = format!(
        "insert into clubs select gen_random_uuid(), n::text, n::text, '', true, '{}', n % 100, now() \
         from generate_series(1, 20000) n; analyze",
        player(7)
    );
    connection.batch_execute(&rows).await.expect("rows");
    for (statement, index) in [(clubs::NEWEST, "clubs_pkey"), (clubs::LARGEST, "clubs_largest")] {
        let asked = statement
            .replace("$1", "now()")
            .replace("$2", &format!("'{}'::uuid", player(8)))
            .replace("$3", &format!("'{}'::uuid", Uuid::max()))
            .replace("$4", "31")
            .replace("$5", "50");
        let plan = plan(&mut connection, &asked).await;
        assert!(plan.contains(index) && !plan.contains("Seq Scan on clubs"), "{index} is not used:\n{plan}");
        assert!(!plan.contains("Sort"), "{plan}");
    }
}
