//! Clubs: made, found, joined, run by their owners, with the public games of their members, and hidden where an operator says so.

use diesel_async::SimpleAsyncConnection;
use pippost::accounts::{AccountLimits, PlayerLimits};
use pippost::games::clubs::{self, ClubRefused, MAX_CLUBS, MAX_OWNED, Wanted};
use pippost::store::commit;
use pippost::store::moderation::{self, ActKind, Decision, Verdict};
use serde_json::json;
use support::TestApp;
use support::browsing::{Browsing, Shown};
use support::db::db_ratings;
use support::games::{open_game, pip_pip};
use support::post::{Got, Post};
use time::Duration;
use uuid::Uuid;

/// A page with plain slashes in addresses.
async fn shown(browser: &Browsing, page: &str) -> String {
    browser.get(page).await.expect(200).html.replace("&#x2f;", "/").replace("&amp;", "&")
}

/// The part of a page in the element with this id.
async fn part(browser: &Browsing, page: &str, id: &str) -> String {
    let html = shown(browser, page).await;
    let rest = html.split(&format!("id=\"{id}\"")).nth(1).unwrap_or_default();
    rest.split("</ul>").next().unwrap_or_default().to_owned()
}

/// The browser of a new player.
async fn player(app: &TestApp, handle: &str) -> Browsing {
    app.player(handle).await;
    Browsing::log_in(app, handle).await
}

/// Sends a form as from the page of all clubs.
async fn send(browser: &Browsing, path: &str, fields: &[(&str, &str)]) -> Shown {
    browser.get("/clubs").await.expect(200);
    browser.post(path, fields).await
}

/// Makes a club; returns its page.
async fn make(browser: &Browsing, name: &str, more: &[(&str, &str)]) -> String {
    send(browser, "/clubs", &[&[("name", name)], more].concat()).await.location()
}

async fn join(browser: &Browsing, club: &str) {
    assert_eq!(send(browser, &format!("{club}/join"), &[]).await.location(), club);
}

/// An owner does something about a player.
async fn act(owner: &Browsing, club: &str, act: &str, handle: &str) -> Shown {
    send(owner, &format!("{club}/members"), &[("player", handle), ("act", act)]).await
}

fn id_of(path: &str) -> Uuid {
    path.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id")
}

async fn id_of_player(app: &TestApp, handle: &str) -> Uuid {
    app.app.accounts.player_named(handle).await.expect("a player").id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_is_made_found_by_its_name_and_listed_by_age_or_size() {
    let app = TestApp::start().await;
    let (anns, bobs, visitor) = (player(&app, "ann").await, player(&app, "bob").await, Browsing::of(&app));
    let empty = shown(&visitor, "/clubs").await;
    assert!(empty.contains("There is no club yet.") && !empty.contains("id=\"make\""), "{empty}");
    assert!(shown(&anns, "/clubs").await.contains("You are in no club yet."));
    let dice = make(&anns, "  The  <Dice> ", &[("about", "For all\r\nwho roll."), ("open", "yes")]).await;
    let cards = make(&bobs, "Cards", &[("open", "no")]).await;
    let page = shown(&visitor, &dice).await;
    for told in [
        "<h1><bdi>The &lt;Dice&gt;</bdi></h1>",
        "For all\nwho roll.",
        "1 member · open to all",
        "Log in to join",
        "href=\"/players/ann\"",
        "No member plays a public game just now.",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains("/report?club=") && !page.contains("id=\"edit\""), "{page}");
    for name in ["the%20%3Cdice%3E", "THE%20%3CDICE%3E"] {
        assert!(shown(&visitor, &format!("/clubs/{name}")).await.contains("For all\nwho roll."), "{name}");
    }
    let none = visitor.get("/clubs/nobodys").await.expect(404).html;
    assert!(none.contains("No such club"), "{none}");
    let german = shown(&Browsing::of(&app).reading("de"), &dice).await;
    assert!(german.contains("1 Mitglied · offen für alle"), "{german}");

    let (long, longer) = ("x".repeat(61), "x".repeat(501));
    for (name, about, status, told) in [
        (" the <DICE>", "", 409, "Another club has this name."),
        (" ", "", 422, "of at most 60 characters"),
        (long.as_str(), "", 422, "of at most 60 characters"),
        ("Two\nlines", "", 422, "of at most 60 characters"),
        ("Long", longer.as_str(), 422, "at most 500 characters"),
    ] {
        let refused = send(&bobs, "/clubs", &[("name", name), ("about", about)]).await.expect(status).html;
        assert!(refused.contains(told), "{told}: {refused}");
    }
    visitor.get(&dice).await.expect(200);
    visitor.post("/clubs", &[("name", "Nobody")]).await;
    assert_eq!(app.db_count("select count(*) as number from clubs").await, 2);

    join(&bobs, &dice).await;
    assert!(shown(&visitor, &dice).await.contains("2 members"));
    let order = async |query: &str| {
        let list = part(&visitor, query, "listed").await;
        let at = |club: &str| list.find(&format!("href=\"{club}\"")).expect("listed");
        at(&cards) < at(&dice)
    };
    assert!(order("/clubs").await, "the newest first");
    assert!(!order("/clubs?order=largest").await, "the largest first");
    let own = part(&bobs, "/clubs", "own").await;
    assert!(own.contains("You are an owner.") && own.contains("You are a member."), "{own}");
}

/// The mails of a player about clubs so far, oldest first.
async fn told(post: &Post, handle: &str) -> Vec<Got> {
    post.all(handle).await.into_iter().filter(|mail| mail.kind == "club").collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_tell_owners_who_asks_and_whoever_asked_the_answer() {
    let app = TestApp::start().await;
    let (anns, bobs) = (player(&app, "ann").await, player(&app, "bob").await);
    app.player("cat").await;
    let post = Post::of(&app);
    let club = make(&anns, "Serpents", &[("open", "no")]).await;
    join(&bobs, &club).await;
    let mails = told(&post, "ann").await;
    let [asked] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(asked.subject, "bob asks to join your club");
    assert!(asked.text.contains("Serpents") && asked.text.contains(&club), "{}", asked.text);
    send(&bobs, &format!("{club}/leave"), &[]).await.expect(303);
    join(&bobs, &club).await;
    assert_eq!(told(&post, "ann").await.len(), 1, "once a week");
    app.app.clock.advance(clubs::TOLD_FOR);
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    send(&bobs, &format!("{club}/leave"), &[]).await.expect(303);
    join(&bobs, &club).await;
    assert_eq!(told(&post, "ann").await.len(), 2);
    act(&anns, &club, "admit", "bob").await.expect(303);
    let mails = told(&post, "bob").await;
    assert_eq!(mails.iter().map(|mail| mail.subject.as_str()).collect::<Vec<_>>(), ["You are in the club"]);
    act(&anns, &club, "remove", "bob").await.expect(303);
    assert_eq!(told(&post, "bob").await.len(), 1, "whoever leaves is told nothing");

    let cats = Browsing::log_in(&app, "cat").await;
    join(&cats, &club).await;
    act(&anns, &club, "remove", "cat").await.expect(303);
    assert_eq!(told(&post, "ann").await.len(), 2, "it was answered before the mail left");
    let mails = told(&post, "cat").await;
    let subjects: Vec<&str> = mails.iter().map(|mail| mail.subject.as_str()).collect();
    assert_eq!(subjects, ["The club has not let you in"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_form_keeps_what_was_written_and_says_why_at_the_field() {
    let app = TestApp::start().await;
    let anns = player(&app, "ann").await;
    let club = make(&anns, "Serpents", &[("about", "Hiss."), ("open", "yes")]).await;
    make(&anns, "Dice", &[]).await;
    let longer = "x".repeat(501);
    for path in ["/clubs", club.as_str()] {
        let taken = [("name", "DICE"), ("about", "We \"roll\"."), ("open", "no")];
        let html = send(&anns, path, &taken).await.expect(409).html;
        assert!(html.contains(" open><summary>"), "the form is shown: {html}");
        assert!(html.contains(&format!("value=\"{}\"", taken[0].1)), "{html}");
        assert!(html.contains("We &quot;roll&quot;.</textarea>"), "{html}");
        assert!(html.contains("value=\"no\" checked"), "{html}");
        let told = "id=\"club-name-problem\" role=\"alert\">Another club has this name.";
        assert!(html.contains(told) && html.contains("aria-describedby=\"club-name-problem\""), "{html}");
        let long = [("name", "New"), ("about", longer.as_str()), ("open", "yes")];
        let html = send(&anns, path, &long).await.expect(422).html;
        assert!(html.contains(&format!("{longer}</textarea>")), "{html}");
        assert!(
            html.contains("id=\"club-about-problem\"") && html.contains("value=\"yes\" checked"),
            "{html}"
        );
    }
    let page = shown(&anns, &club).await;
    assert!(page.contains("<h1><bdi>Serpents</bdi></h1>") && page.contains(">Hiss.</textarea>"), "{page}");
    assert!(!page.contains("role=\"alert\""), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_alone_let_in_remove_and_hand_on_and_the_last_closes_the_club() {
    let app = TestApp::start().await;
    let (anns, bobs, cats) =
        (player(&app, "ann").await, player(&app, "bob").await, player(&app, "cat").await);
    let visitor = Browsing::of(&app);
    let club = make(&anns, "Serpents", &[("open", "no")]).await;
    join(&bobs, &club).await;
    assert!(shown(&bobs, &club).await.contains("You wait to be let in."));
    assert!(!shown(&visitor, &club).await.contains("players/bob"), "who asks is shown to owners");
    assert!(part(&anns, &club, "asking").await.contains("players/bob"));
    assert!(part(&anns, "/clubs", "own").await.contains("1 asks to be let in"));
    for other in [&bobs, &cats] {
        act(other, &club, "admit", "bob").await.expect(404);
        send(other, &club, &[("name", "Mine"), ("open", "yes")]).await.expect(404);
        send(other, &format!("{club}/close"), &[]).await.expect(404);
    }
    act(&anns, &club, "admit", "nobody").await.expect(404);
    act(&anns, &club, "eat", "bob").await.expect(404);
    assert_eq!(act(&anns, &club, "admit", "bob").await.location(), club);
    assert!(part(&visitor, &club, "members").await.contains("players/bob"));
    act(&bobs, &club, "remove", "ann").await.expect(404);

    join(&cats, &club).await;
    act(&anns, &club, "remove", "cat").await.expect(303);
    assert!(shown(&cats, &club).await.contains("Ask to be let in"), "she was refused, and may ask again");
    join(&cats, &club).await;
    send(&cats, &format!("{club}/leave"), &[]).await.expect(303);
    assert!(part(&anns, &club, "asking").await.is_empty(), "she asks no more");

    let refused = send(&anns, &format!("{club}/leave"), &[]).await.expect(409).html;
    assert!(refused.contains("Nobody else owns this club."), "{refused}");
    act(&anns, &club, "owner", "bob").await.expect(303);
    act(&bobs, &club, "remove", "ann").await.expect(303);
    assert!(part(&visitor, &club, "members").await.contains("players/ann"), "an owner removes no owner");
    send(&anns, &format!("{club}/leave"), &[]).await.expect(303);
    assert!(!part(&visitor, &club, "members").await.contains("players/ann"));

    let fields = [("name", "All Serpents"), ("about", "Come in."), ("open", "yes")];
    assert_eq!(send(&bobs, &club, &fields).await.location(), club);
    join(&cats, &club).await;
    assert!(shown(&visitor, &club).await.contains("2 members · open to all"));
    act(&bobs, &club, "hand-on", "bob").await.expect(303);
    act(&bobs, &club, "hand-on", "cat").await.expect(303);
    send(&bobs, &club, &fields).await.expect(404);
    assert_eq!(act(&cats, &club, "remove", "bob").await.location(), club);
    let page = shown(&cats, &club).await;
    assert!(page.contains("1 member ·") && page.contains("id=\"edit\""), "{page}");
    send(&cats, &format!("{club}/leave"), &[]).await.expect(303);
    visitor.get(&club).await.expect(404);
    assert_eq!(app.db_count("select count(*) as number from club_members").await, 0);

    let second = make(&anns, "all serpents", &[("open", "yes")]).await;
    join(&bobs, &second).await;
    assert_eq!(send(&anns, &format!("{second}/close"), &[]).await.location(), "/clubs");
    visitor.get(&second).await.expect(404);
    assert_eq!(app.db_count("select count(*) as number from club_members").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_shows_ratings_and_public_games_of_members_and_no_private_one() {
    let app = TestApp::start().await;
    let (running, [ann, bob]) = pip_pip(&app).await;
    let eves = player(&app, "eve").await;
    let (anns, bobs) = (Browsing::log_in(&app, "ann").await, Browsing::log_in(&app, "bob").await);
    let club = make(&eves, "Watchers", &[("open", "yes")]).await;
    let open = open_game(&ann).await;
    let wanted = json!({"rules": "pip-pip", "seating": "joined", "private": true});
    let private = ann.post("/api/v1/games", &wanted).await.expect_status(201).json();
    let private = private["id"].as_str().expect("an id").to_owned();
    let pages = [&running, &open].map(|game| game.replace("/api/v1", ""));
    let [running_page, open_page] = &pages;
    let without = shown(&bobs, &club).await;
    assert!(pages.iter().all(|page| !without.contains(page.as_str())), "no member plays: {without}");
    join(&anns, &club).await;

    let waiting = part(&bobs, &club, "waiting").await;
    assert!(waiting.contains(&format!("action=\"{open_page}/join\"")), "{waiting}");
    assert!(part(&bobs, &club, "running").await.contains(running_page));
    assert!(part(&bobs, &club, "finished").await.is_empty());
    for reader in [&eves, &anns, &Browsing::of(&app)] {
        let html = shown(reader, &club).await;
        assert!(!html.contains(&private), "{html}");
    }
    bob.post(&format!("{running}/resign"), &json!({})).await.ok();
    assert!(part(&bobs, &club, "running").await.is_empty());
    assert!(part(&bobs, &club, "finished").await.contains(running_page));

    let row = "update players set bot = true where handle = 'ann'";
    app.db_superuser().await.batch_execute(row).await.expect("a program");
    db_ratings(&mut app.app.database.get().await.expect("a connection")).await;
    let members = part(&bobs, &club, "members").await;
    assert!(members.contains("ann (bot)") && !members.contains("eve (bot)"), "{members}");
    assert_eq!(members.matches("Pip•Pip · More than a day a turn · <strong>").count(), 2, "{members}");
    ann.patch("/api/v1/me/notification-preferences", &json!({"ratings": false})).await.ok();
    let members = part(&bobs, &club, "members").await;
    assert_eq!(members.matches("<strong>").count(), 1, "who hides hers: {members}");

    app.app.clock.advance(Duration::days(15));
    let html = shown(&Browsing::of(&app), &club).await;
    assert!(!html.contains(running_page), "it has ended long ago: {html}");
    send(&eves, &format!("{club}/members"), &[("player", "ann"), ("act", "remove")]).await.expect(303);
    assert!(!shown(&bobs, &club).await.contains(open_page));
}

/// An operator decides about the report that waits.
async fn decide(app: &TestApp, kind: ActKind) -> Uuid {
    let (database, now) = (&app.app.database, app.app.clock.now());
    let open = moderation::open_reports(database, 1).await.expect("reports").pop().expect("one");
    let decision = Decision { kind, words: "Be kind.", ends_at: None };
    moderation::decide(database, open.id, &decision, now).await.expect("a decision").expect("an act")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_is_reported_and_members_alone_see_one_whose_writer_is_muted_until_another_owner_writes() {
    let app = TestApp::start().await;
    let (anns, bobs) = (player(&app, "ann").await, player(&app, "bob").await);
    let (cats, dans) = (player(&app, "cat").await, player(&app, "dan").await);
    let club = make(&anns, "Fools", &[("about", "bob is a fool"), ("open", "yes")]).await;
    for member in [&cats, &dans] {
        join(member, &club).await;
    }
    act(&anns, &club, "owner", "cat").await.expect(303);
    let id = id_of(&club).to_string();
    anns.get(&format!("/report?club={id}")).await.expect(409);
    let form = shown(&bobs, &format!("/report?club={id}")).await;
    assert!(form.contains("Fools\n\nbob is a fool"), "{form}");
    bobs.post("/report", &[("club", id.as_str()), ("reason", "insult")]).await.expect(200);
    let open = moderation::open_reports(&app.app.database, 9).await.expect("reports");
    assert_eq!(open[0].subject_id, id_of_player(&app, "ann").await);
    assert_eq!(open[0].evidence.as_deref(), Some("Fools\n\nbob is a fool"));

    let hidden = async || {
        let listed = shown(&bobs, "/clubs").await.contains(&club);
        (bobs.get(&club).await.status == 404, !listed)
    };
    assert_eq!(hidden().await, (false, false));
    let mute = decide(&app, ActKind::Mute).await;
    assert_eq!(hidden().await, (true, true));
    send(&bobs, &format!("{club}/join"), &[]).await.expect(404);
    let of_member = shown(&dans, &club).await;
    assert!(of_member.contains("Fools") && !of_member.contains("bob is a fool"), "{of_member}");
    assert!(shown(&cats, &club).await.contains("bob is a fool"), "an owner sees what to change");
    let kinder = [("name", "Friends"), ("about", "All are welcome."), ("open", "yes")];
    send(&anns, &club, &kinder).await.expect(403);
    send(&anns, "/clubs", &[("name", "More fools")]).await.expect(403);
    let only_closed = [("name", "Fools"), ("about", "bob is a fool"), ("open", "no")];
    send(&cats, &club, &only_closed).await.expect(303);
    assert_eq!(hidden().await, (true, true), "she has written nothing");
    send(&cats, &club, &kinder).await.expect(303);
    assert_eq!(hidden().await, (false, false));
    bobs.get("/report?player=cat").await.expect(200);
    bobs.post("/mute", &[("player", "cat")]).await.expect(303);
    assert_eq!(hidden().await, (false, true), "whom the reader mutes stands in no list of the reader's");
    let now = app.app.clock.now();
    assert!(commit::judge(&app.app.database, mute, Verdict::Lifted, now).await.expect("a verdict"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_member_owns_the_club_of_a_closed_account_and_one_without_members_closes() {
    let app = TestApp::start().await;
    let (anns, bobs) = (player(&app, "ann").await, player(&app, "bob").await);
    let (cats, dans) = (player(&app, "cat").await, player(&app, "dan").await);
    let (club, alone) = (make(&anns, "Heirs", &[("open", "yes")]).await, make(&anns, "Alone", &[]).await);
    for member in [&dans, &cats] {
        app.app.clock.advance(Duration::MINUTE);
        join(member, &club).await;
    }
    join(&bobs, &alone).await;
    bobs.get("/report?player=ann").await.expect(200);
    bobs.post("/report", &[("player", "ann"), ("reason", "insult")]).await.expect(200);
    decide(&app, ActKind::Close).await;

    Browsing::of(&app).get(&club).await.expect(404);
    bobs.get(&alone).await.expect(404);
    assert_eq!(app.db_count("select count(*) as number from clubs").await, 1);
    let page = shown(&cats, &club).await;
    assert!(page.contains("2 members") && !page.contains("id=\"edit\""), "{page}");
    let page = shown(&dans, &club).await;
    assert!(page.contains("id=\"edit\"") && page.contains("The operator has muted or closed"), "{page}");
    send(&dans, &club, &[("name", "Heirs"), ("about", "of ann"), ("open", "yes")]).await.expect(303);
    assert!(shown(&bobs, &club).await.contains("of ann"));
}

/// Writes rows.
async fn db(app: &TestApp, statements: &str) {
    app.db_superuser().await.batch_execute(statements).await.expect("rows");
}

#[tokio::test(flavor = "multi_thread")]
async fn clubs_members_and_those_who_ask_stay_within_their_limits_however_many_come_at_once() {
    let app = TestApp::start().await;
    let anns = player(&app, "ann").await;
    let (ann, games) = (id_of_player(&app, "ann").await, &app.app.games);
    let new = |number: usize| async move {
        let wanted = Wanted { name: format!("Club {number}"), about: String::new(), open: number < 2 };
        clubs::make(games, &clubs::prepare(games, ann, &wanted).await?, None).await
    };
    let made = futures_util::future::join_all((0..MAX_OWNED + 5).map(new)).await;
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), MAX_OWNED);
    assert!(made.iter().all(|made| matches!(made, Ok(_) | Err(ClubRefused::TooManyOwned))), "{made:?}");
    let refused = send(&anns, "/clubs", &[("name", "One more")]).await.expect(409).html;
    assert!(refused.contains("one club more than a player may own"), "{refused}");

    db(
        &app,
        "update clubs set open = true, members = 99, name = 'Full', name_key = 'full' where id = (select min(id::text)::uuid from clubs); \
         insert into club_members select id, gen_random_uuid(), 'member', now() from clubs, generate_series(1, 98) where members = 99; \
         update clubs set open = false, name = 'Asked', name_key = 'asked' where id = (select max(id::text)::uuid from clubs); \
         insert into club_members select id, gen_random_uuid(), 'asking', now() from clubs, generate_series(1, 49) where name_key = 'asked'",
    )
    .await;
    let mut players = Vec::new();
    for handle in ["bob", "cat", "dan", "eve"] {
        app.player(handle).await;
        players.push(id_of_player(&app, handle).await);
    }
    for (name, role, most) in [("full", "member", 99), ("asked", "asking", 50)] {
        let club = clubs::show(games, name, None).await.expect("a club").row.head.id;
        let joined = players.iter().map(|player| clubs::join(games, club, *player));
        let joined = futures_util::future::join_all(joined).await;
        assert_eq!(joined.iter().filter(|joined| joined.is_ok()).count(), 1, "{joined:?}");
        assert!(joined.iter().all(|joined| matches!(joined, Ok(()) | Err(ClubRefused::Full))), "{joined:?}");
        let counted = format!(
            "select count(*) as number from club_members where club_id = '{club}' and role = '{role}'"
        );
        assert_eq!(app.db_count(&counted).await, most);
    }

    let bob = players[0];
    db(
        &app,
        &format!(
            "delete from club_members where player_id = '{bob}'; insert into clubs \
             select gen_random_uuid(), 'c' || n, 'c' || n, '', true, '{ann}', 1 + n % 3, now() from generate_series(1, 40) n"
        ),
    )
    .await;
    let mut ids = Vec::new();
    for number in 1..=30 {
        ids.push(clubs::show(games, &format!("C{number}"), None).await.expect("a club").row.head.id);
    }
    let joined = ids.iter().map(|club| clubs::join(games, *club, bob));
    let joined = futures_util::future::join_all(joined).await;
    assert_eq!(joined.iter().filter(|joined| joined.is_ok()).count(), MAX_CLUBS);
    assert!(joined.iter().all(|joined| matches!(joined, Ok(()) | Err(ClubRefused::TooMany))), "{joined:?}");
    assert_eq!(clubs::of_player(games, bob).await.expect("clubs").len(), MAX_CLUBS);

    let visitor = Browsing::of(&app);
    for order in ["newest", "largest"] {
        let (mut seen, mut next) = (Vec::new(), Some(format!("/clubs?order={order}")));
        while let Some(page) = next {
            let html = shown(&visitor, &page).await;
            let listed = html.split("<h3><a href=\"/clubs/").skip(1);
            seen.extend(listed.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
            let more = html.split("&after=").nth(1).and_then(|rest| rest.split('"').next());
            next = more.map(|place| format!("/clubs?order={order}&after={place}"));
        }
        let all = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!((all, seen.len()), (45, 45), "each on one page, by {order}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_makes_three_clubs_a_day_whether_they_are_closed_or_not() {
    let limits = AccountLimits { players: PlayerLimits::default(), ..AccountLimits::generous() };
    let app = TestApp::with_limits(limits).await;
    let anns = player(&app, "ann").await;
    for number in 0..3 {
        let club = make(&anns, &format!("Club {number}"), &[]).await;
        send(&anns, &format!("{club}/close"), &[]).await.expect(303);
        send(&anns, "/clubs", &[("name", " ")]).await.expect(422);
    }
    let refused = send(&anns, "/clubs", &[("name", "Club 3")]).await.expect(429);
    assert_eq!(refused.headers["retry-after"], "28800");
    app.app.clock.advance(Duration::hours(8));
    make(&anns, "Club 3", &[]).await;
}
