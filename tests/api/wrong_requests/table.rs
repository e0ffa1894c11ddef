//! The wrong requests.

/// A wrong request, and its answer.
pub struct Wrong {
    /// Method and path; `{game}` stands for a running game.
    pub request: &'static str,
    pub body: &'static str,
    pub status: u16,
    pub code: &'static str,
    /// The places that are wrong.
    pub places: &'static [&'static str],
    /// Some of the words.
    pub words: &'static str,
}

/// A request that is not as the document says.
const fn unfit(
    request: &'static str,
    body: &'static str,
    places: &'static [&'static str],
    words: &'static str,
) -> Wrong {
    Wrong { request, body, status: 422, code: "invalid_value", places, words }
}

/// Another refusal.
const fn other(
    request: &'static str,
    body: &'static str,
    (status, code): (u16, &'static str),
    places: &'static [&'static str],
    words: &'static str,
) -> Wrong {
    Wrong { request, body, status, code, places, words }
}

const ACCOUNTS: &str = "POST /api/v1/accounts";
const GAMES: &str = "POST /api/v1/games";
const MOVES: &str = "POST {game}/moves";
const TOKENS: &str = "POST /api/v1/me/tokens";
const MAILS: &str = "PATCH /api/v1/me/notification-preferences";
const ORDERS: &str = "PUT {game}/standing-orders";
const ANALYSIS: &str = "POST {game}/analysis";
const NO_JSON: (u16, &str) = (400, "malformed_body");

/// Those with a wrong body.
pub const BODIES: &[Wrong] = &[
    // Accounts.
    unfit(ACCOUNTS, "{}", &["/handle", "/email", "/password"], "`handle` is missing"),
    unfit(ACCOUNTS, "[]", &[""], "an object is expected, not a list"),
    unfit(ACCOUNTS, "null", &[""], "an object is expected, not null"),
    unfit(
        ACCOUNTS,
        r#"{"handle": "a", "email": "nobody", "password": "short"}"#,
        &["/handle", "/email", "/password"],
        "10 to 256 characters are taken, not 5",
    ),
    unfit(
        ACCOUNTS,
        r#"{"handle": "an n", "email": "a@example.org", "password": "a long password", "bot": "yes"}"#,
        &["/handle", "/bot"],
        "true or false is expected, not text",
    ),
    unfit(
        ACCOUNTS,
        r#"{"handle": "ann", "email": "a@example.org", "password": "a long password", "admin": true}"#,
        &["/admin"],
        "There is no `admin`; there are `bot`, `email`, `handle`, `invitation`, `password`",
    ),
    other(ACCOUNTS, "{", NO_JSON, &[], "this is no JSON from line 1, column 1, on"),
    other(ACCOUNTS, "handle=ann", NO_JSON, &[], "this is no JSON from line 1"),
    other(ACCOUNTS, r#"{"handle": "ann"} {}"#, NO_JSON, &[], "column 19"),
    other(ACCOUNTS, r#"{"handle": "\ud800"}"#, NO_JSON, &[], "this is no JSON"),
    other(ACCOUNTS, r#"{"handle": "a\u0000"}"#, NO_JSON, &[], "no text may hold U+0000"),
    other(ACCOUNTS, r#"{"handle": 1e999}"#, NO_JSON, &[], "this is no JSON"),
    unfit(
        "POST /api/v1/sessions",
        r#"{"login": ""}"#,
        &["/login", "/password"],
        "1 to 254 characters are taken, not 0",
    ),
    unfit(
        "POST /api/v1/sessions/refresh",
        r#"{"refresh_token": "a b"}"#,
        &["/refresh_token"],
        "as the server made it",
    ),
    unfit(
        "POST /api/v1/sessions/refresh",
        r#"{"token": "ab"}"#,
        &["/refresh_token", "/token"],
        "`refresh_token` is missing",
    ),
    unfit(
        "POST /api/v1/password-resets",
        r#"{"email": 7}"#,
        &["/email"],
        "text is expected, not a whole number",
    ),
    unfit("POST /api/v1/email/confirm", "{}", &["/token"], "`token` is missing"),
    unfit("PATCH /api/v1/me", r#"{"email": "new@example.org"}"#, &["/password"], "`password` is missing"),
    unfit("PATCH /api/v1/me", r#"{"handle": "bob"}"#, &["/handle"], "There is no `handle`"),
    unfit(
        "PATCH /api/v1/me",
        r#"{"mail_enabled": 1}"#,
        &["/mail_enabled"],
        "true or false or null is expected",
    ),
    unfit(
        "POST /api/v1/me/password",
        r#"{"current_password": null}"#,
        &["/current_password", "/new_password"],
        "not null",
    ),
    unfit("POST /api/v1/me/deletion", "{}", &["/password"], "`password` is missing"),
    unfit(
        TOKENS,
        r#"{"name": 7, "scopes": ["fly"], "expires_in_days": 0}"#,
        &["/name", "/scopes/0", "/expires_in_days"],
        "from 1 to 3650",
    ),
    unfit(TOKENS, r#"{"name": "bot", "scopes": ["fly"]}"#, &["/scopes/0"], "Only these are taken: `read`"),
    unfit(
        TOKENS,
        r#"{"name": "bot", "scopes": ["read", "read"]}"#,
        &["/scopes/1"],
        "Each may stand here once",
    ),
    unfit(TOKENS, r#"{"name": "bot", "scopes": []}"#, &["/scopes"], "entries are taken, not 0"),
    unfit(
        TOKENS,
        r#"{"name": " ", "scopes": "read"}"#,
        &["/name", "/scopes"],
        "a list is expected, not text",
    ),
    unfit(TOKENS, r#"{"name": "bot", "scopes": ["read"], "game": "7"}"#, &["/game"], "a UUID, such as"),
    unfit(
        TOKENS,
        r#"{"name": "b", "scopes": ["read"], "expires_in_days": 0}"#,
        &["/expires_in_days"],
        "from 1 to 3650",
    ),
    unfit(
        TOKENS,
        r#"{"name": "b", "scopes": ["read"], "expires_in_days": 1.5}"#,
        &["/expires_in_days"],
        "a whole number or null",
    ),
    // Games.
    unfit(GAMES, "{}", &["/rules"], "`rules` is missing"),
    unfit(GAMES, r#"{"rules": 7}"#, &["/rules"], "Only these are taken: `dominion`"),
    other(GAMES, r#"{"rules": "chess"}"#, (422, "unknown_rules"), &["/rules"], "`pip-pip`"),
    unfit(GAMES, r#"{"rules": "pip-pip", "seating": "circle"}"#, &["/seating"], "`random`, `joined`"),
    unfit(
        GAMES,
        r#"{"rules": "pip-pip", "seats": 1.5, "private": "no"}"#,
        &["/seats", "/private"],
        "a whole number",
    ),
    unfit(
        GAMES,
        r#"{"rules": "pip-pip", "limit_hours": 0}"#,
        &["/limit_hours"],
        "from 1 to 1440 is taken, not 0",
    ),
    unfit(
        GAMES,
        r#"{"rules": "pip-pip", "time_control": {"hours": 7}}"#,
        &["/time_control/hours"],
        "There is no `hours`",
    ),
    unfit(
        GAMES,
        r#"{"rules": "pip-pip", "time_control": []}"#,
        &["/time_control"],
        "an object or null is expected",
    ),
    unfit(GAMES, r#"{"rules": "pip-pip", "seed": "abc"}"#, &["/seed"], "does not have its form"),
    unfit(
        GAMES,
        r#"{"rules": "pip-pip", "colour": "red"}"#,
        &["/colour"],
        "there are `game_title`, `limit_hours`",
    ),
    other(
        GAMES,
        r#"{"rules": "pip-pip", "options": 7}"#,
        (422, "invalid_options"),
        &["/options"],
        "an object is expected",
    ),
    other(
        GAMES,
        r#"{"rules": "pip-pip", "options": {"speed": 9}}"#,
        (422, "invalid_options"),
        &["/options/speed"],
        "nothing else is taken here",
    ),
    other(
        GAMES,
        r#"{"rules": "pippinzip", "options": {"size": "huge"}}"#,
        (422, "invalid_options"),
        &["/options/size"],
        "is expected",
    ),
    // Moves.
    unfit(MOVES, "{}", &[""], "One of these is needed: `actions`, `notation`"),
    unfit(MOVES, r#"{"actions": []}"#, &["/actions"], "1 to 32 entries are taken, not 0"),
    unfit(MOVES, r#"{"notation": ""}"#, &["/notation"], "1 to 1024 characters"),
    unfit(MOVES, r#"{"notation": null}"#, &["/notation"], "text is expected, not null"),
    unfit(MOVES, r#"{"notation": "roll", "speed": 9}"#, &["/speed"], "There is no `speed`"),
    unfit(MOVES, r#"{"notation": "roll", "expected_seq": -1}"#, &["/expected_seq"], "not -1"),
    unfit(MOVES, r#"{"notation": "roll", "each": 1}"#, &["/each"], "true or false"),
    unfit(MOVES, r#"{"actions": "roll"}"#, &["/actions"], "a list is expected, not text"),
    other(MOVES, r#"{"notation": "xyzzy"}"#, (422, "unreadable_action"), &["/notation"], "cannot read this"),
    other(
        MOVES,
        r#"{"actions": [{"type": "fold"}]}"#,
        (422, "unreadable_action"),
        &["/actions/0/type"],
        "`roll`",
    ),
    other(
        MOVES,
        r#"{"actions": [{}]}"#,
        (422, "unreadable_action"),
        &["/actions/0/type"],
        "`type` is missing",
    ),
    other(MOVES, r#"{"actions": [7]}"#, (422, "unreadable_action"), &["/actions/0"], "an object is expected"),
    other(
        MOVES,
        r#"{"actions": [{"type": "roll", "dice": 3}]}"#,
        (422, "unreadable_action"),
        &["/actions/0/dice"],
        "There is no `dice`",
    ),
    other(MOVES, "", (422, "invalid_value"), &[""], "One of these is needed"),
    other(MOVES, "roll", NO_JSON, &[], "this is no JSON"),
    unfit("POST {game}/preview", r#"{"moves": []}"#, &["/moves", "/actions"], "There is no `moves`"),
    unfit(
        "POST {game}/resign",
        r#"{"expected_seq": "5"}"#,
        &["/expected_seq"],
        "a whole number or null is expected",
    ),
    unfit("POST {game}/resign", r#"{"reason": "tea"}"#, &["/reason"], "there are `expected_seq`"),
    unfit("PUT {game}/entropy", r#"{"entropy": "ä"}"#, &["/entropy"], "from space to `~`"),
    unfit("PUT {game}/entropy", "{}", &["/entropy"], "`entropy` is missing"),
    unfit("POST {game}/join", r#"{"invitation": "a b"}"#, &["/invitation"], "as the server made it"),
    unfit("POST {game}/messages", r#"{"text": ""}"#, &["/text"], "1 to 1000 characters are taken, not 0"),
    unfit("POST {game}/messages", r#"{"text": "   "}"#, &["/text"], "one of which shows"),
    unfit("POST {game}/gifts", r#"{"seat": -1}"#, &["/seat", "/hours", "/line", "/to"], "is missing"),
    unfit("POST {game}/substitute", r#"{"seat": 1000}"#, &["/seat"], "from 0 to 255"),
    // Standing orders and analyses.
    other(
        ORDERS,
        r#"{"branches": [{"then": ["xyzzy"]}]}"#,
        (422, "unreadable_action"),
        &["/branches"],
        "`xyzzy`",
    ),
    unfit(ORDERS, r#"{"branches": [{"then": [7]}]}"#, &["/branches/0/then/0"], "text is expected"),
    unfit(ORDERS, r#"{"branches": [{"if": ["roll"]}]}"#, &["/branches/0/then"], "`then` is missing"),
    unfit(ORDERS, r#"{"expected_seq": "0"}"#, &["/expected_seq"], "a whole number or null is expected"),
    unfit(
        ORDERS,
        r#"{"only_legal": "yes", "answers": [7], "branches": [{"then": "roll", "else": []}], "speed": 9}"#,
        &["/only_legal", "/answers/0", "/branches/0/then", "/branches/0/else", "/speed"],
        "There is no `else`",
    ),
    unfit(ORDERS, r#"{"answers": {}}"#, &["/answers"], "a list is expected, not an object"),
    unfit(ANALYSIS, r#"{"seq": -1}"#, &["/seq"], "not -1"),
    unfit(ANALYSIS, r#"{"line": [{}]}"#, &["/line/0"], "One of these is needed: `action`, `notation`"),
    unfit(
        ANALYSIS,
        r#"{"line": [{"notation": "roll", "chance": [""]}]}"#,
        &["/line/0/chance/0"],
        "as `asked` lists it",
    ),
    // How a player is told.
    unfit(MAILS, r#"{"turns": "sometimes"}"#, &["/turns"], "Only these are taken"),
    unfit(MAILS, r#"{"digest_time": "25:00"}"#, &["/digest_time"], "does not have its form"),
    unfit(MAILS, r#"{"zone": "a b"}"#, &["/zone"], "IANA database"),
    unfit(MAILS, r#"{"noise": true}"#, &["/noise"], "There is no `noise`"),
    unfit("PUT /api/v1/me/calendar", r#"{"zone": 7}"#, &["/zone"], "text is expected"),
    unfit(
        "POST /api/v1/me/holidays",
        r#"{"first_day": "soon"}"#,
        &["/first_day", "/last_day"],
        "a date, such as 2026-12-31",
    ),
    unfit("POST /api/v1/me/webhooks", r#"{"url": "nowhere"}"#, &["/kinds", "/url"], "does not have its form"),
    unfit(
        "POST /api/v1/me/apps",
        r#"{"name": "App"}"#,
        &["/homepage", "/redirect_uris"],
        "`homepage` is missing",
    ),
    unfit("POST /api/v1/receipts", r#"{"receipt": "abc"}"#, &["/receipt"], "three parts in base64url"),
];

/// Those with a wrong query or path.
pub const QUERIES: &[Wrong] = &[
    unfit("GET /api/v1/games?limit=0", "", &["/limit"], "from 1 to 100 is taken, not 0"),
    unfit("GET /api/v1/games?limit=many", "", &["/limit"], "a whole number is expected, not text"),
    unfit("GET /api/v1/games?limit=1&limit=2", "", &["/limit"], "Each may stand here once"),
    unfit("GET /api/v1/games?list=all&lmit=3", "", &["/list", "/lmit"], "There is no `lmit`; there are"),
    unfit("GET /api/v1/games?cursor=7", "", &["/cursor"], "a UUID, such as"),
    unfit("GET {game}?seq=-1", "", &["/seq"], "not -1"),
    unfit("GET {game}?token=a%20b", "", &["/token"], "as the server made it"),
    unfit("GET {game}/events?limit=501", "", &["/limit"], "from 1 to 500"),
    unfit("GET {game}/events?from=3", "", &["/from"], "there are `first`"),
    unfit("GET {game}/replay?first=x", "", &["/first"], "a whole number is expected"),
    unfit("GET {game}/messages?before=yesterday", "", &["/before"], "a UUID"),
    unfit("GET {game}/feed?wait=61", "", &["/wait"], "not 61"),
    unfit("GET {game}/board.png?theme=pink", "", &["/theme"], "Only these are taken"),
    unfit("GET {game}/record?with=tea", "", &["/with"], "Only these are taken: `clock`"),
    unfit("GET /api/v1/me/mails?limit=1e3", "", &["/limit"], "a whole number"),
    other("GET {game}?seq=%00", "", (400, "malformed_query"), &[], "no text may hold U+0000"),
    other("GET /api/v1/games/7", "", (404, "not_found"), &[], "Look whether the address is right"),
    other("GET /api/v1/players/a%20b", "", (404, "not_found"), &[], "Look whether the address is right"),
    other("GET /api/v1/rules/chess", "", (404, "not_found"), &[], ""),
    other("GET /api/v1/nothing", "", (404, "not_found"), &[], "there is nothing at this address"),
    other(
        "DELETE /api/v1/rules",
        "",
        (405, "method_not_allowed"),
        &[],
        "this address takes GET, HEAD, OPTIONS",
    ),
    // As the document says, but not now.
    other("POST {game}/join", "{}", (409, "already_joined"), &[], "you are in this game already"),
    other("PUT {game}/entropy", r#"{"entropy": "late"}"#, (409, "game_started"), &[], "the game has started"),
    other(
        "POST {game}/moves",
        r#"{"notation": "roll", "expected_seq": 900}"#,
        (409, "stale_seq"),
        &[],
        "the game is at event",
    ),
    other(
        ORDERS,
        r#"{"only_legal": true, "expected_seq": 900}"#,
        (409, "stale_seq"),
        &[],
        "the game is at event",
    ),
    other(ORDERS, "{}", (409, "orders_not_possible"), &[], "nothing is ordered"),
];
