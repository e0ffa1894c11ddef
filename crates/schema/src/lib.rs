//! The tables as Diesel knows them; the truth is in `migrations/`.
//!
//! A crate of its own, because the compiler looks at what a table stands for much longer than at the queries: so it does once, and not
//! again with each change of a query, its tests and its lints.

#![forbid(unsafe_code)]

mod preferences;

use diesel::{allow_tables_to_appear_in_same_query, table};

pub use preferences::player_preferences;

table! {
    server (only_row) {
        only_row -> Bool,
        secret_fingerprint -> Bytea,
        sandbox -> Bool,
        clock_ahead -> BigInt,
    }
}

table! {
    players (id) {
        id -> Uuid,
        handle -> Text,
        email -> Text,
        email_key -> Text,
        email_confirmed_at -> Nullable<Timestamptz>,
        password_hash -> Text,
        mail_enabled -> Bool,
        created_at -> Timestamptz,
        email_bounced_at -> Nullable<Timestamptz>,
        bot -> Bool,
        deleted_at -> Nullable<Timestamptz>,
        guest -> Bool,
        feed_version -> Integer,
        closed_at -> Nullable<Timestamptz>,
    }
}

table! {
    departing_players (player_id) { player_id -> Uuid, deleted_at -> Timestamptz, }
}

table! {
    sessions (id) {
        id -> Uuid,
        player_id -> Uuid,
        created_at -> Timestamptz,
        revoked_at -> Nullable<Timestamptz>,
        peer_key -> Nullable<Bytea>,
        token_hash -> Nullable<Bytea>,
        expires_at -> Nullable<Timestamptz>,
        last_used_on -> Nullable<Date>,
        device -> Nullable<Text>,
    }
}

table! {
    refresh_tokens (token_hash) {
        token_hash -> Bytea,
        session_id -> Uuid,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

table! {
    personal_tokens (id) {
        id -> Uuid,
        player_id -> Uuid,
        name -> Text,
        token_hash -> Bytea,
        scopes -> Array<Text>,
        created_at -> Timestamptz,
        expires_at -> Nullable<Timestamptz>,
        revoked_at -> Nullable<Timestamptz>,
        game_id -> Nullable<Uuid>,
    }
}

table! {
    apps (id) {
        id -> Uuid,
        player_id -> Uuid,
        name -> Text,
        homepage -> Text,
        redirect_uris -> Array<Text>,
        created_at -> Timestamptz,
    }
}

table! {
    app_grants (id) {
        id -> Uuid,
        app_id -> Uuid,
        player_id -> Uuid,
        scopes -> Array<Text>,
        game_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        last_used_on -> Nullable<Date>,
        revoked_at -> Nullable<Timestamptz>,
    }
}

table! {
    app_codes (request_id) {
        request_id -> Uuid,
        code_hash -> Bytea,
        app_id -> Uuid,
        player_id -> Uuid,
        redirect_uri -> Text,
        challenge -> Text,
        scopes -> Array<Text>,
        game_id -> Nullable<Uuid>,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
        grant_id -> Nullable<Uuid>,
    }
}

table! {
    app_device_codes (device_hash) {
        device_hash -> Bytea,
        user_hash -> Bytea,
        app_id -> Uuid,
        scopes -> Array<Text>,
        game_id -> Nullable<Uuid>,
        peer_key -> Bytea,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        interval_seconds -> SmallInt,
        asked_at -> Nullable<Timestamptz>,
        player_id -> Nullable<Uuid>,
        allowed -> Nullable<Bool>,
    }
}

table! {
    app_tokens (token_hash) {
        token_hash -> Bytea,
        grant_id -> Uuid,
        kind -> Text,
        scopes -> Array<Text>,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

table! {
    mail_links (id) {
        id -> Uuid,
        player_id -> Uuid,
        purpose -> Text,
        email -> Text,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
        email_key -> Text,
    }
}

table! {
    games (id) {
        id -> Uuid,
        rules -> Text,
        rules_version -> Integer,
        options -> Text,
        seating -> Text,
        seats -> SmallInt,
        private -> Bool,
        limit_hours -> Nullable<Integer>,
        time_control -> Nullable<Text>,
        clock -> Nullable<Text>,
        commitment -> Bytea,
        master_sealed -> Bytea,
        creator_id -> Uuid,
        status -> Text,
        created_at -> Timestamptz,
        started_at -> Nullable<Timestamptz>,
        finished_at -> Nullable<Timestamptz>,
        header -> Nullable<Text>,
        beacon_round -> Nullable<BigInt>,
        chosen_seed -> Bool,
        outage -> BigInt,
        expires_at -> Nullable<Timestamptz>,
        awaits_until -> Nullable<Timestamptz>,
        substitutes -> Bool,
        seats_offered -> Bool,
        result -> Nullable<Text>,
        title -> Nullable<Text>,
        renews_at -> Nullable<Timestamptz>,
    }
}

table! {
    game_players (game_id, player_id) {
        game_id -> Uuid,
        player_id -> Uuid,
        joined -> SmallInt,
        entropy -> Text,
        seat -> Nullable<SmallInt>,
        substitute_for -> Nullable<Uuid>,
        number -> Nullable<Integer>,
        read_message -> Nullable<Uuid>,
    }
}

table! {
    checkpoints (game_id, seq) {
        game_id -> Uuid,
        seq -> BigInt,
        turn -> BigInt,
        ends_turn -> Bool,
        snapshot -> Text,
        last_events -> Text,
    }
}

table! {
    game_states (game_id) {
        game_id -> Uuid,
        seq -> BigInt,
        head -> Bytea,
        at -> Timestamptz,
        snapshot -> Text,
        to_act_seat -> Nullable<SmallInt>,
        to_act_player -> Nullable<Uuid>,
        turn_since -> Nullable<Timestamptz>,
        deadline_at -> Nullable<Timestamptz>,
        remind_at -> Nullable<Timestamptz>,
        clock -> Nullable<Text>,
        edition -> Integer,
    }
}

table! {
    rated_games (game_id) {
        game_id -> Uuid,
        ended_at -> Timestamptz,
        pool -> Text,
        rules -> Text,
        pace -> Text,
        player_ids -> Array<Uuid>,
        places -> Array<SmallInt>,
    }
}

table! {
    player_ratings (player_id, pool, rules, pace, day) {
        player_id -> Uuid,
        pool -> Text,
        rules -> Text,
        pace -> Text,
        day -> Date,
        rating -> Integer,
        deviation -> Integer,
        volatility -> Integer,
        games -> Integer,
        is_newest -> Bool,
    }
}

table! {
    rating_progress (only_one) { only_one -> Bool, next_day -> Date, }
}

table! {
    search_days (day) { day -> Date, games -> Integer, }
}

table! {
    turning_points (game_id, seat) {
        game_id -> Uuid,
        seat -> SmallInt,
        seq -> BigInt,
        better -> Text,
        chance_before -> SmallInt,
        chance_after -> SmallInt,
    }
}

table! {
    problems (id) {
        id -> Uuid,
        game_id -> Uuid,
        seq -> BigInt,
        seat -> SmallInt,
        rules -> Text,
        day -> Date,
        played -> Text,
        answers -> Text,
    }
}

table! {
    audits (day) {
        day -> Date,
        finished_at -> Timestamptz,
        seconds -> Double,
        games -> BigInt,
        findings -> BigInt,
    }
}

table! {
    events (game_id, seq) { game_id -> Uuid, seq -> BigInt, line -> Text, }
}

table! {
    feed_heads (player_id) { player_id -> Uuid, newest -> BigInt, }
}

table! {
    feed_ranges (player_id, position) {
        player_id -> Uuid,
        position -> BigInt,
        game_id -> Uuid,
        first_seq -> BigInt,
        last_seq -> BigInt,
    }
}

table! {
    clock_lines (game_id, number) { game_id -> Uuid, number -> Integer, line -> Text, openings -> Nullable<Text>, }
}

table! {
    archived_games (game_id) {
        game_id -> Uuid,
        object -> Bytea,
        bytes -> BigInt,
        events -> BigInt,
        clock_lines -> BigInt,
        digest -> Bytea,
        archived_at -> Timestamptz,
    }
}

table! {
    player_calendars (player_id) {
        player_id -> Uuid,
        calendar -> Text,
        changed_at -> Timestamptz,
        changes -> SmallInt,
        week_at -> Timestamptz,
    }
}

table! {
    player_holidays (id) {
        id -> Uuid,
        player_id -> Uuid,
        first_day -> Date,
        last_day -> Date,
        from_at -> Timestamptz,
        until_at -> Timestamptz,
    }
}

table! {
    idempotency_keys (player_id, key) {
        player_id -> Uuid,
        key -> Text,
        fingerprint -> Bytea,
        answer -> Text,
        created_at -> Timestamptz,
    }
}

table! {
    /// On a distributed database only.
    move_keys (game_id, player_id, key) {
        game_id -> Uuid,
        player_id -> Uuid,
        key -> Text,
        fingerprint -> Bytea,
        answer -> Text,
        created_at -> Timestamptz,
    }
}

table! {
    notices (id) {
        id -> Uuid,
        kind -> Text,
        player_id -> Nullable<Uuid>,
        address -> Nullable<Text>,
        game_id -> Nullable<Uuid>,
        seq -> Nullable<BigInt>,
        link_id -> Nullable<Uuid>,
        from_player_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        state -> Text,
        attempts -> SmallInt,
        next_attempt_at -> Timestamptz,
        finished_at -> Nullable<Timestamptz>,
        reason -> Nullable<Text>,
        bounced_at -> Nullable<Timestamptz>,
        bounce_code -> Nullable<Text>,
        ready -> Bool,
        urgent -> Bool,
        fanned_out -> Bool,
        waits_for -> Nullable<Text>,
        declined_at -> Nullable<Timestamptz>,
    }
}

table! {
    address_invitations (mailbox_key, game_id) {
        mailbox_key -> Text,
        game_id -> Uuid,
        invited_at -> Timestamptz,
        answered_at -> Nullable<Timestamptz>,
        registered_at -> Nullable<Timestamptz>,
    }
}

table! {
    server_invitations (id) {
        id -> Uuid,
        token_hash -> Binary,
        player_id -> Nullable<Uuid>,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
    }
}

table! {
    declined_addresses (email_key) {
        email_key -> Text,
        declined_at -> Timestamptz,
    }
}

table! {
    blocked_inviters (recipient, inviter_id) {
        recipient -> Text,
        inviter_id -> Uuid,
        blocked_at -> Timestamptz,
    }
}

table! {
    automatic_holidays (player_id) { player_id -> Uuid, days -> SmallInt, }
}

table! {
    pause_proposals (game_id) {
        game_id -> Uuid,
        by_player -> Uuid,
        until_at -> Nullable<Timestamptz>,
        created_at -> Timestamptz,
        agreed -> Array<Uuid>,
    }
}

table! {
    replies (id) {
        id -> Uuid,
        notice_id -> Uuid,
        mail_key -> Bytea,
        player_id -> Uuid,
        game_id -> Nullable<Uuid>,
        seq -> BigInt,
        asked -> Text,
        answer -> Text,
        received_at -> Timestamptz,
        settled_at -> Nullable<Timestamptz>,
        used -> Bool,
        text_key -> Bytea,
        refused -> Bool,
        deferred -> Bool,
        told_with -> Nullable<Uuid>,
        foreign_sender -> Bool,
    }
}

table! {
    captured_mails (id) {
        id -> Uuid,
        player_id -> Nullable<Uuid>,
        address_key -> Text,
        kind -> Text,
        raw -> Bytea,
        sent_at -> Timestamptz,
    }
}

table! {
    captured_deliveries (id) {
        id -> Uuid,
        player_id -> Uuid,
        webhook_id -> Uuid,
        message_id -> Text,
        timestamp -> BigInt,
        signatures -> Text,
        body -> Text,
        sent_at -> Timestamptz,
    }
}

table! {
    muted_players (player_id, muted_id) {
        player_id -> Uuid,
        muted_id -> Uuid,
        muted_at -> Timestamptz,
    }
}

table! {
    followed_players (player_id, followed_id) {
        player_id -> Uuid,
        followed_id -> Uuid,
        followed_at -> Timestamptz,
    }
}

table! {
    favourite_games (player_id, game_id) {
        player_id -> Uuid,
        game_id -> Uuid,
        marked_at -> Timestamptz,
    }
}

table! {
    clubs (id) {
        id -> Uuid,
        name -> Text,
        name_key -> Text,
        about -> Text,
        open -> Bool,
        written_by -> Uuid,
        members -> Integer,
        created_at -> Timestamptz,
    }
}

table! {
    closed_clubs (id) { id -> Uuid, name -> Text, written_by -> Nullable<Uuid>, }
}

table! {
    club_members (club_id, player_id) { club_id -> Uuid, player_id -> Uuid, role -> Text, since -> Timestamptz, }
}

table! {
    club_notices (notice_id) { notice_id -> Uuid, club_id -> Uuid, player_id -> Uuid, told -> Text, at -> Timestamptz, }
}

table! {
    ladders (rules) { rules -> Text, state -> Text, }
}

table! {
    ladder_happenings (rules, number) {
        rules -> Text,
        number -> Integer,
        at -> Timestamptz,
        kind -> Text,
        player_id -> Uuid,
        other_id -> Nullable<Uuid>,
        challenge -> Nullable<Integer>,
        game_id -> Nullable<Uuid>,
        how -> Nullable<Text>,
        notice_id -> Nullable<Uuid>,
    }
}

table! {
    studies (id) {
        id -> Uuid,
        player_id -> Uuid,
        game_id -> Uuid,
        seq -> BigInt,
        rules -> Text,
        title -> Text,
        line -> Text,
        comments -> Text,
        listed -> Bool,
        created_at -> Timestamptz,
        removed_by -> Nullable<Uuid>,
    }
}

table! {
    reports (id) {
        id -> Uuid,
        reporter_id -> Nullable<Uuid>,
        subject_id -> Uuid,
        game_id -> Nullable<Uuid>,
        seq -> Nullable<BigInt>,
        rules -> Nullable<Text>,
        evidence -> Nullable<Text>,
        reason -> Text,
        text -> Text,
        created_at -> Timestamptz,
        decided_at -> Nullable<Timestamptz>,
        message_id -> Nullable<Uuid>,
        study_id -> Nullable<Uuid>,
    }
}

table! {
    moderation_acts (id) {
        id -> Uuid,
        report_id -> Nullable<Uuid>,
        subject_id -> Nullable<Uuid>,
        kind -> Text,
        reason -> Text,
        words -> Text,
        game_id -> Nullable<Uuid>,
        seq -> Nullable<BigInt>,
        rules -> Nullable<Text>,
        evidence -> Nullable<Text>,
        acted_at -> Timestamptz,
        ends_at -> Nullable<Timestamptz>,
        read_at -> Nullable<Timestamptz>,
        appeal -> Nullable<Text>,
        verdict -> Nullable<Text>,
        decided_at -> Nullable<Timestamptz>,
        of_title -> Bool,
    }
}

table! {
    table_messages (id) {
        id -> Uuid,
        game_id -> Uuid,
        player_id -> Uuid,
        seq -> BigInt,
        text -> Text,
        created_at -> Timestamptz,
        removed_by -> Nullable<Uuid>,
    }
}

table! {
    standing_orders (game_id, player_id) {
        game_id -> Uuid,
        player_id -> Uuid,
        orders -> Text,
        seq -> BigInt,
        is_active -> Bool,
        look_at -> Timestamptz,
    }
}

table! {
    private_notes (game_id, player_id) {
        game_id -> Uuid,
        player_id -> Uuid,
        text -> Text,
        updated_at -> Timestamptz,
    }
}

table! {
    push_messages (subscription_id, notice_id) {
        subscription_id -> Uuid,
        notice_id -> Uuid,
        next_attempt_at -> Timestamptz,
    }
}

table! {
    push_subscriptions (id) {
        id -> Uuid,
        player_id -> Uuid,
        session_id -> Nullable<Uuid>,
        token_id -> Nullable<Uuid>,
        grant_id -> Nullable<Uuid>,
        endpoint_hash -> Bytea,
        host -> Text,
        label -> Nullable<Text>,
        sealed -> Bytea,
        created_at -> Timestamptz,
        failures -> SmallInt,
        failing_since -> Nullable<Timestamptz>,
        last_sent_at -> Nullable<Timestamptz>,
        not_before -> Timestamptz,
        rate_free_at -> Timestamptz,
        leased_until -> Nullable<Timestamptz>,
    }
}

table! {
    game_preferences (player_id, game_id) {
        player_id -> Uuid,
        game_id -> Uuid,
        turns -> Nullable<Text>,
        reminders -> Nullable<Bool>,
        push -> Nullable<Bool>,
        messages -> Nullable<Bool>,
    }
}

table! {
    webhook_messages (webhook_id, message_id) {
        webhook_id -> Uuid,
        message_id -> Uuid,
        game_id -> Uuid,
    }
}

table! {
    webhooks (id) {
        id -> Uuid,
        player_id -> Uuid,
        grant_id -> Nullable<Uuid>,
        token_id -> Nullable<Uuid>,
        url_sealed -> Bytea,
        format -> Text,
        kinds -> Array<Text>,
        game_id -> Nullable<Uuid>,
        state -> Text,
        created_at -> Timestamptz,
        secret_sealed -> Bytea,
        previous_secret_sealed -> Nullable<Bytea>,
        previous_until -> Nullable<Timestamptz>,
        challenge_hash -> Nullable<Bytea>,
        challenge_until -> Nullable<Timestamptz>,
        cursor -> BigInt,
        failures -> SmallInt,
        failing_since -> Nullable<Timestamptz>,
        look_at -> Timestamptz,
        lease -> Nullable<Uuid>,
        leased_until -> Nullable<Timestamptz>,
        notice_id -> Nullable<Uuid>,
    }
}

table! {
    webhook_deliveries (id) {
        id -> Uuid,
        webhook_id -> Uuid,
        game_id -> Nullable<Uuid>,
        seq -> Nullable<BigInt>,
        at -> Timestamptz,
        outcome -> Text,
        status -> Nullable<SmallInt>,
        milliseconds -> Integer,
    }
}

table! {
    player_outcomes (player_id, game_id) {
        player_id -> Uuid,
        game_id -> Uuid,
        ended_at -> Timestamptz,
        outcome -> Text,
        answers_seconds -> Array<Integer>,
    }
}

table! {
    player_reliability (player_id) {
        player_id -> Uuid,
        games_finished -> Integer,
        games_left -> Integer,
        games_timed_out -> Integer,
        games_aborted -> Integer,
        answers -> Integer,
        median_seconds -> Nullable<Integer>,
        percentile_90_seconds -> Nullable<Integer>,
    }
}

table! {
    tournaments (id) {
        id -> Uuid,
        title -> Text,
        organiser_id -> Uuid,
        rules -> Text,
        options -> Text,
        time_control -> Text,
        kind -> Text,
        rounds -> SmallInt,
        most_players -> SmallInt,
        starts_when_full -> Bool,
        closes_at -> Timestamptz,
        status -> Text,
        round -> SmallInt,
        commitment -> Binary,
        draw_commitment -> Binary,
        secret_sealed -> Binary,
        created_at -> Timestamptz,
        ended_at -> Nullable<Timestamptz>,
        due_at -> Nullable<Timestamptz>,
        division_size -> Nullable<SmallInt>,
        promoted -> Nullable<SmallInt>,
        seasons -> Nullable<SmallInt>,
        season -> Nullable<SmallInt>,
        previous_id -> Nullable<Uuid>,
        team_size -> Nullable<SmallInt>,
    }
}

table! {
    tournament_players (tournament_id, player_id) {
        tournament_id -> Uuid,
        player_id -> Uuid,
        entered -> BigInt,
        number -> Nullable<SmallInt>,
        left_round -> Nullable<SmallInt>,
        ladder -> Nullable<SmallInt>,
        club_id -> Nullable<Uuid>,
    }
}

table! {
    tournament_pairings (tournament_id, round, board) {
        tournament_id -> Uuid,
        round -> SmallInt,
        board -> SmallInt,
        first_number -> SmallInt,
        second_number -> Nullable<SmallInt>,
        game_id -> Nullable<Uuid>,
        outcome -> Nullable<Text>,
    }
}

table! {
    tournament_events (tournament_id, seq) {
        tournament_id -> Uuid,
        seq -> BigInt,
        at -> Timestamptz,
        kind -> Text,
        line -> Text,
    }
}

table! {
    webhook_tournament_events (webhook_id, tournament_id, seq) {
        webhook_id -> Uuid,
        tournament_id -> Uuid,
        seq -> BigInt,
    }
}

allow_tables_to_appear_in_same_query!(
    app_codes,
    app_device_codes,
    app_grants,
    app_tokens,
    apps,
    archived_games,
    audits,
    blocked_inviters,
    checkpoints,
    club_members,
    events,
    feed_heads,
    feed_ranges,
    followed_players,
    game_players,
    game_states,
    games,
    mail_links,
    muted_players,
    notices,
    personal_tokens,
    player_preferences,
    player_reliability,
    players,
    refresh_tokens,
    replies,
    sessions,
    standing_orders,
    table_messages,
    tournament_events,
    tournament_pairings,
    tournament_players,
    tournaments,
    private_notes,
    push_messages,
    push_subscriptions,
    webhook_deliveries,
    webhook_messages,
    webhook_tournament_events,
    webhooks,
);
