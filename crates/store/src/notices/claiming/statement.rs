//! The statement by which notices are claimed.

/// Makes notices whose next attempt is due ready; its values by name.
pub const WAKE: &str = "
update notices n set ready = true, waits_for = null, slot = next_notice_slot()
from (
    select id from notices where state = 'waiting' and not ready and next_attempt_at between {due_from} and {now}
    order by next_attempt_at limit {limit} for update skip locked
) due
where n.id = due.id";

/// Goes from one waiting account to the next in each slot and class, within the bounds that the table `$bounds` has for the class, and
/// tells the first notice of each.
macro_rules! waiting_accounts {
    ($name:literal, $bounds:literal) => {
        concat!(
            $name,
            " (class, up_to, slot, account, first, place) as (
    select b.class, b.up_to, s.slot, f.account, f.first, 1
    from ",
            $bounds,
            " b
    cross join slots s
    cross join lateral (
        select n.account, n.id as first from notices n
        where n.state = 'waiting' and n.ready and n.slot = s.slot and n.class = b.class and n.account > b.above and n.account <= b.up_to
        order by n.account, n.id limit 1
    ) f
    union all
    select p.class, p.up_to, p.slot, f.account, f.first, p.place + 1
    from ",
            $name,
            " p
    cross join lateral (
        select n.account, n.id as first from notices n
        where n.state = 'waiting' and n.ready and n.slot = p.slot and n.class = p.class and n.account > p.account and n.account <= p.up_to
        order by n.account, n.id limit 1
    ) f
    where p.place < {limit}
)"
        )
    };
}

pub(crate) use waiting_accounts;

/// The tables of a claim, up to the notices that it has claimed.
macro_rules! claimed {
    () => {
        concat!(
    "
with recursive oldest (slot, place) as (
    (select n.slot, 1 from notices n where n.state = 'waiting' and n.ready and n.slot >= {first_slot} order by n.slot limit 1)
    union all
    select f.slot, o.place + 1
    from oldest o
    cross join lateral (
        select n.slot from notices n where n.state = 'waiting' and n.ready and n.slot > o.slot order by n.slot limit 1
    ) f
    where o.place < {oldest_slots}
), newest (slot, place) as (
    (select n.slot, 1 from notices n
    where n.state = 'waiting' and n.ready and n.slot > (select o.slot from oldest o where o.place = {oldest_slots})
    order by n.slot desc limit 1)
    union all
    select f.slot, w.place + 1
    from newest w
    cross join lateral (
        select n.slot from notices n
        where n.state = 'waiting' and n.ready and n.slot < w.slot and n.slot > (select o.slot from oldest o where o.place = {oldest_slots})
        order by n.slot desc limit 1
    ) f
    where w.place < {newest_slots}
), slots as (
    select slot from oldest union all select slot from newest
), starts (class, above, up_to) as (
    select s.class, s.after, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid from unnest({classes}, {after}) s (class, after)
), ",
    $crate::notices::claiming::waiting_accounts!("ahead", "starts"),
    ", wrapped (class, above, up_to) as materialized (
    select c.class, '00000000-0000-0000-0000-000000000000'::uuid, c.above
    from starts c
    where (select count(distinct a.account) from ahead a where a.class = c.class) < {limit}
), ",
    $crate::notices::claiming::waiting_accounts!("behind", "wrapped"),
    ", slot_accounts (class, lap, slot, account, first) as (
    select class, 0, slot, account, first from ahead union all select class, 1, slot, account, first from behind
), accounts as (
    select class, lap, account, row_number() over (partition by class order by lap, account) as place
    from (select distinct class, lap, account from slot_accounts) a
), shares as (
    select class, lap, account, place, 1 + ({limit} - 1) / count(*) over (partition by class) as share from accounts where place <= {limit}
), offered as (
    select o.class, o.lap, o.place, o.id, o.turn, o.fanned_out
    from (
        select p.class, p.lap, p.place, p.share, w.id, w.fanned_out,
            row_number() over (partition by p.class, p.lap, p.account order by s.slot, w.id) as turn
        from shares p
        join slot_accounts s on s.class = p.class and s.lap = p.lap and s.account = p.account
        cross join lateral (
            select n.id, n.fanned_out from notices n
            where n.state = 'waiting' and n.ready and n.slot = s.slot and n.class = s.class and n.account = s.account and n.id >= s.first
            order by n.id limit p.share for update skip locked
        ) w
    ) o
    where o.turn <= o.share
), ranked as (
    select id, fanned_out, class, row_number() over (partition by class order by turn, lap, place) as rank from offered
), due as (
    select id, fanned_out, row_number() over (order by rank > {of_each_class}, class, rank) as place from ranked
    order by place limit {limit}
), claimed as (
    update notices n set next_attempt_at = {lease_until}, attempts = n.attempts + 1, ready = false, fanned_out = true,
        waits_for = null
    from due where n.id = due.id
    returning n.id, n.kind, n.attempts, n.player_id, n.address, n.game_id, n.seq, n.link_id, n.from_player_id, n.urgent, n.created_at, n.class, due.place,
        due.fanned_out
)"
        )
    };
}

pub(crate) use claimed;

/// What is told of claimed notices; `$oldest_slot` tells the oldest slot that had something to claim.
macro_rules! claimed_notices {
    ($oldest_slot:literal) => {
        concat!(
            "
select c.id, c.kind, c.attempts, c.player_id, c.address, c.game_id, c.seq, c.from_player_id, c.urgent, c.created_at,
    p.handle, p.email, p.email_confirmed_at is not null as email_confirmed, coalesce(p.mail_enabled and not p.bot, false) as mail_enabled,
    coalesce(w.language, 'en') as language, coalesce(w.zone, 'UTC') as zone,
    coalesce(g.turns, w.turns, 'each') as turns, coalesce(g.reminders, w.reminders, true) as reminders,
    coalesce(w.games, true) as games, coalesce(w.invitations, true) as invitations,
    coalesce(g.messages, w.messages, false) as messages,
    coalesce(w.digest_games, false) as digest_games, coalesce(w.digest_invitations, false) as digest_invitations, w.quiet_from, w.quiet_until,
    r.id as thread_root, d.email_key is not null as declined,
    l.id as link_id, l.email as link_email, l.expires_at as link_expires_at, l.used_at is not null as link_used,
    h.id as holder_id, h.handle as holder_handle, h.email as holder_email, h.email_key as holder_email_key,
    coalesce(hw.language, 'en') as holder_language, coalesce(hw.zone, 'UTC') as holder_zone,
    ",
            $oldest_slot,
            " as oldest_slot
from claimed c
left join players p on p.id = c.player_id
left join player_preferences w on w.player_id = c.player_id
left join game_preferences g on g.player_id = c.player_id and g.game_id = c.game_id
left join notices r on r.game_id = c.game_id and r.player_id = c.player_id and r.seq = 0 and r.kind in ('turn', 'game_started')
left join declined_addresses d on d.email_key = lower(c.address)
left join mail_links l on l.id = c.link_id and l.player_id = c.player_id
left join players h on c.kind = 'confirm_email' and h.email_key = l.email_key and h.email_confirmed_at is not null and h.id <> c.player_id
left join player_preferences hw on hw.player_id = h.id
order by c.class, c.place"
        )
    };
}

pub(crate) use claimed_notices;

/// Claims ready notices; its values by name. `slots` jumps by index from one slot with ready notices to the next, beginning at the
/// low-water mark. `ahead` jumps from one waiting account to the next in each slot and class, beginning after the one that was served last:
/// so entries of what has been claimed, which an old snapshot keeps in the index, are passed over once and not for each account.
/// `behind` does so from the first account on, in classes that have too few ahead.
/// Each account contributes its oldest notices up to its share. The batch contains some of each class, and is filled up with notices
/// of the first ones. The first claim of a notice writes its messages for web push.
pub const CLAIM: &str = concat!(
    claimed!(),
    ", pushed as (
    insert into push_messages (subscription_id, notice_id, next_attempt_at)
    select s.id, c.id, greatest({now}, s.not_before)
    from claimed c
    cross join lateral (
        select p.id, p.not_before from push_subscriptions p where p.player_id = c.player_id order by p.player_id, p.id limit {most_subscriptions}
        for key share skip locked
    ) s
    where not c.fanned_out and c.kind = any({pushed})
    on conflict do nothing
)",
    claimed_notices!("(select o.slot from oldest o where o.place = 1)"),
);
