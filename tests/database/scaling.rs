//! The scripts of `docs/scaling` that only a larger site needs: they are valid SQL, and their figures are those of the page.

use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::RunQueryDsl;

use support::TestApp;

const PLAN: &str = include_str!("../../docs/scaling/plan.sql");
const PAGE: &str = include_str!("../../docs/SCALING.md");

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn the_plan_s_figures_are_those_of_its_arithmetic() {
    let app = TestApp::start().await;
    let mut connection = app.app.database.get().await.expect("a connection");
    let plan = PLAN.trim_end().trim_end_matches(';');
    let lines: Vec<Line> = diesel::sql_query(plan).load(&mut connection).await.expect("the plan's lines");
    assert!(lines.len() > 10);
    for Line { line } in lines {
        assert!(PAGE.contains(&line), "docs/SCALING.md lacks {line}");
    }
}
