//! Runs every attack at once on a server while honest players move, look and log in: `pippost-bench --only hostile`.
//!
//! The server is a process of its own with its default limits. Honest players come from another address than the attackers and
//! keep their connections. Quiet and attacked phases alternate, so that both run on the same machine in the same minutes.

mod accounts;
mod anonymous;
mod answer;
mod attackers;
mod attacks;
mod browser;
mod costly_mails;
mod costly_requests;
mod costs;
mod harm;
mod honest;
mod lmtp;
mod memory;
mod peers;
mod random;
mod request;
mod attack_data;
mod table;
mod tally;
mod report;
mod invalid_text;
mod visibility;

use std::time::Duration;

use anyhow::bail;
use tokio::time::sleep;

use super::BenchArgs;
use attack_data::{AttackData, TargetServer};
use attackers::Attackers;
use attacks::Attack;
use honest::{Honest, Phase};
use memory::Watch;
use report::Found;

/// The most memory that the server may take, in MB.
const MAX_MEMORY_MB: f64 = 300.0;

/// The most by which the p99 of honest moves, views and log-ins may grow.
const MAX_P99_RATIO: f64 = 3.0;

/// The most by which the memory of the quiet server may have grown once the first attack is over.
const MAX_KEPT_RATIO: f64 = 2.0;

/// The most that the time of an answer may tell of a private game: how far the area under the curve may be from a half.
const MAX_TOLD: f64 = 0.15;

/// How long the server gets to recover from the attackers before a quiet phase begins.
const SETTLE_TIME: Duration = Duration::from_secs(4);

/// The length of a quiet phase, as a fraction of an attacked one.
const QUIET_PART: f64 = 0.4;

/// The length of each phase of a smoke test, in seconds: long enough for every deadline of a slow body, and for all attacks to begin.
const SECONDS_WHEN_QUICK: f64 = 20.0;

/// Attacks a server, prints the results, and fails if the server did not withstand the attacks.
///
/// # Errors
/// A program could not be started; or the server took too much memory, failed an honest move, gave an attack a forbidden
/// answer, or, unless this is a smoke test, made honest players wait too long.
pub async fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let attacks = chosen(args)?;
    let (target, data) = TargetServer::open(args).await?;
    let found = Box::pin(honest::with_room_for_players(attacked(args, target, &data, &attacks))).await?;
    report::table(&attacks, &found);
    report::visibility(&found);
    report::harm(&found.harm);
    report::costs(&found.costs);
    let missed = report::verdicts(&found, args.quick);
    if missed > 0 {
        bail!("{missed} targets missed under attack");
    }
    Ok(())
}

/// The requested attacks.
fn chosen(args: &BenchArgs) -> anyhow::Result<Vec<Attack>> {
    let names =
        |attack: &Attack, wanted: &[String]| wanted.iter().any(|name| attack.name.contains(name.as_str()));
    let all = attacks::all().into_iter();
    let chosen: Vec<_> = all
        .filter(|attack| args.attacks.is_empty() || names(attack, &args.attacks))
        .filter(|attack| !names(attack, &args.without_attacks))
        .collect();
    if chosen.is_empty() {
        bail!("no such attack");
    }
    Ok(chosen)
}

async fn attacked(
    args: &BenchArgs,
    mut target: TargetServer,
    data: &AttackData,
    attacks: &[Attack],
) -> anyhow::Result<Found> {
    let seconds = if args.quick { SECONDS_WHEN_QUICK } else { args.seconds };
    let rounds = if args.quick { 1 } else { args.rounds };
    let (quiet, attacked) = (seconds * QUIET_PART, seconds);
    report::introduction(rounds, quiet, attacked);
    let phase = Duration::from_secs_f64;
    let neighbours: Vec<_> = attacks.iter().filter_map(Attack::honest_neighbour).collect();
    let honest = Honest::start(target.server.address, &neighbours).await?;
    let mut watch = Watch::start(target.server.pid());
    let mut found = Found::default();
    for round in 1..=rounds {
        honest.bring(target.games(moves_of_a_round(seconds)).await?);
        sleep(SETTLE_TIME).await;
        watch.begin();
        honest.enter(Phase::Quiet);
        sleep(phase(quiet)).await;
        let quiet_bytes = watch.most();
        found.quiet_bytes.push(quiet_bytes);
        let attackers = Attackers::start(attacks.to_vec(), data.clone())?;
        watch.begin();
        honest.enter(Phase::Attacked);
        sleep(phase(attacked)).await;
        honest.enter(Phase::Between);
        let attacked_bytes = watch.most();
        let tally = attackers.stop()?;
        let [quiet, attacked] = [Phase::Quiet, Phase::Attacked].map(|phase| honest.take(phase));
        report::round(round, &quiet, &attacked, quiet_bytes, attacked_bytes);
        for why in &attacked.shown {
            println!("       {why}");
        }
        found.add(quiet, attacked, tally);
    }
    if !honest.always_played() {
        bail!("honest players had no game left to play");
    }
    honest.stop().await;
    sleep(SETTLE_TIME).await;
    watch.begin();
    found.told = visibility::ask(target.server.address, &data.hidden, args.quick).await?;
    found.quiet_bytes.push(watch.most());
    found.peak_bytes = watch.peak();
    found.harm = target.harm(data).await?;
    found.costs = costs::measure(&target.server, data, args.quick).await?;
    target.server.stop()?;
    Ok(found)
}

/// More moves than honest players can make in that time.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn moves_of_a_round(seconds: f64) -> usize {
    let watched = 2.0 * seconds + 2.0 * SETTLE_TIME.as_secs_f64();
    (watched / honest::THINK_TIME.as_secs_f64() * honest::PLAYERS as f64) as usize
}
