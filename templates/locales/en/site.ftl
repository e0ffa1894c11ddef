# What every page has.
layout-skip = Skip to the page
layout-menu = Menu
layout-navigation = Site
layout-check = Check a game
layout-log-in = Log in
layout-log-out = Log out
layout-sign-up = Sign up
layout-logged-in-as = Logged in as
layout-preferences = Preferences

# Signing up and logging in.
log-in-others = { $forgot } · No account yet? { $sign_up }.
log-in-forgot = Forgot your password?
log-in-sign-up = Sign up
sign-up-title = Sign up
sign-up-text = With an account you sit down at tables, and a mail tells you when it is your turn. It is free, and there is nothing else to it.
sign-up-handle = Your name here
sign-up-handle-hint = Everybody sees it, and it stays in the records of your games. 2 to 32 letters, digits, hyphens and underscores.
sign-up-handle-bad = A name has 2 to 32 letters without accents, digits, hyphens and underscores, and begins and ends with a letter or a digit.
sign-up-handle-taken = Somebody has this name already. Choose another.
sign-up-email = E-mail address
sign-up-email-hint = Nobody sees it. Mails go there when it is your turn; you choose which.
sign-up-email-bad = This is not an e-mail address.
sign-up-email-refused = This is an address of this server or of a machine. Take your own.
sign-up-email-not-carried = The mail server of this site cannot send to an address with letters such as ü before the @. Give another address of yours.
sign-up-button = Make my account
sign-up-have = You have an account? { $log_in }.
forgot-title = A new password
forgot-text = Tell us the address of your account, and a mail brings you a link to set a new password.
forgot-button = Send me the link
forgot-sent-title = Look into your mailbox
forgot-sent-text = If an account has this address, a mail with a link is on its way. The link works for two hours.

# Sessions.
sessions-title = Where you are logged in
sessions-text = Each browser and each program that you have logged in with. If you do not know one, end it and change your password.
sessions-program = A program
sessions-this = this browser
sessions-since = Since { $since }, last used on { $used }
sessions-end = End it

# What went wrong.
error-onward = Go on from { $home }.
error-home = the front page
error-foreign-form-title = This form is too old
error-foreign-form-text = It was made before you logged in or out, or by another site. Go back, load the page again, and send the form once more.
error-log-in-title = Log in first
error-log-in-text = Your session has ended, or there was none. Log in and try again; nothing has changed.
error-not-found-title = There is nothing here
error-not-found-text = Perhaps the address is not whole, or what was here is gone.
error-forbidden-title = This is not for you
error-forbidden-text = You may not do this. If you think that you should, log in as somebody else.
error-too-many-title = That was too fast
error-too-many-text = Too many requests have come from you or from your network. The next one is possible in { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
}.
error-busy-title = Too much at once
error-busy-text = The server is busy. Try again in some seconds.
error-failure-title = Something broke
error-failure-text = It is not your fault, and the people who run this server can see it. Your games are safe: a move that was told to be accepted is kept.
error-bad-request-title = This cannot be read
error-bad-request-text = What your browser sent is not what this page takes. Go back and try again.

# Where the navigation leads.
language-name = English
# The direction of writing: ltr or rtl.
language-direction = ltr
layout-lobby = Games
layout-my-games = My games
layout-rules = Rules
layout-about = About this server
layout-api = For programs
layout-look = Language and look

# The front page.
home-play = Play now
home-look = Look around
home-how-1 = Sit down.
home-how-1-text = Create a game or join one. Invite a friend by name, by mail or with a link.
home-how-2 = Move when you like.
home-how-2-text = An hour, a day or a week for a move: you choose. A mail shows you the board; move on the page or by answering the mail.
home-how-3 = Check everything.
home-how-3-text = Each die and card is fixed before anybody can know it, and everybody can play the whole game again.
home-live = Live
home-live-alt = The board of { $title } between { $players }, as it is now
home-example = { $title }, from an example game
home-example-alt = A board of { $title }
home-mail-title = It comes to your mailbox
home-mail-from = From:
home-mail-subject = Subject:
home-mail-subject-text = { $title }: your turn
home-mail-text = It is your turn, and you have six days left. Answer this mail with your move, or open the page with one click.
home-games = The games
home-open-title = Games that wait for players
home-all-open = All games that wait
home-honest = You do not have to believe us
home-honest-text = Before a game begins, the server binds itself to its chance, and every player adds to it. The record of the game proves what happened, to the last die: { $check }, in your browser, also without a network.

# Lists of games.
lobby-title = Games
lobby-create = New game
lobby-filters = Which games to show
lobby-open = Waiting for players
lobby-running = Running
lobby-finished = Finished
lobby-seats = Seats to take over
substitutes-title = Substitutes
substitutes-allowed = substitutes may take over seats
new-game-substitutes = Substitutes
new-game-substitutes-hint = Whoever gives up, or runs out of time, can be replaced by somebody else. For three players or more.
new-game-substitutes-few = Substitutes are possible from three players on.
new-game-renews = Open another one when this game is finished
new-game-renews-hint = Of the same kind and in your name, again and again, until nobody joins or you end it. It waits while you are on holiday. After one that is aborted, or that you lose by the clock, there is none.
renewal-on = another one follows
renewal-told = When this game is finished, another one of the same kind is opened in your name.
renewal-end = Open no other one
lobby-all = All games
lobby-empty = No game waits for players just now. Create one, and others can sit down.
list-empty = There are none yet.
list-more = More games
list-private = private
list-time-left = { $left } left
list-last-move = last move { $at }
invitation-accept = Accept
invitation-decline = Decline
pace-unlimited = no time limit
pace-per-turn = { $span } for a turn
pace-bank = { $start } in the bank, { $gain } more with each turn
my-games-title = My games
my-games-unconfirmed = We have sent a mail to { $email }. Open the link in it to confirm your address: until then no mail tells you of your turns, and you cannot invite others.
my-games-empty = You are in no game yet. Create one, or join one that waits for players.
my-games-turns = { $count ->
    [one] One game waits for you
   *[other] { $count } games wait for you
}
my-games-no-turn = No game waits for you
my-games-waiting = Not started yet
my-games-invitations = You are invited
my-games-next = Next game
player-since = Here since { $since }
player-results = Results
player-results-of = { $won } won, { $drawn } drawn, { $lost } lost
player-me = This is what others see of you. { $preferences } are yours alone.
player-games = Public games
player-no-games = No public games yet.
# How reliable a player is: parts of one line.
reliability-title = Reliability:
reliability-new = no games yet
reliability-answers = answers in { $median }; { $games }
reliability-answers-most = answers in { $median } (9 of 10 within { $most }); { $games }
reliability-finished = { $count } finished
reliability-left = { $count } left early
reliability-timed-out = { $count } timed out
reliability-aborted = { $count } aborted
reliability-hint = From the newest 100 public games that are over. Half of the answers took no longer than the first time. Nights, rest days, holidays and pauses do not count.

# Chances before a game, and figures of rule sets and players.
chance-of = { $percent }% to win
chance-unrated = no rating yet
chance-yours = If you join, your chance of winning is { $percent }%.
chance-hint = The game will be rated. Chances are those that the ratings give now; a draw counts as half a victory. If somebody has no rating yet, or hides it, there are none.
figures-title = How games go
figures-hint = Of the newest { $most } public games that are over and were not aborted. Half of the games lie between the two numbers in brackets.
figures-none = No public game is over yet.
figures-first-seat = First seat won
figures-first = { $percent }% (even: { $even }%)
figures-percent = { $percent }%
figures-range = { $median } ({ $lower } to { $upper })
figures-events = Events
figures-spans = Time
figures-won = Won
figures-drawn = Drawn
figures-lost = Lost
figures-of = Figures of { $player }
figures-link = Opponents, best victories, times of day
figures-counted = { $count ->
    [one] Of the newest { $most } public games; one of them is over.
   *[other] Of the newest { $most } public games; { $count } of them are over.
}
figures-opponents = Most frequent opponents
figures-opponents-hint = With more than two players, whoever has the better place has won against the other.
figures-best = Best victories
figures-best-hint = With the rating of the opponent before that day. Provisional ratings are left out.
figures-hours = Times of day
figures-hour = { $from } to { $to } o’clock ({ $count })
figures-hours-told = Most moves: { $hours }.
figures-hours-hint = { $moves } moves of the newest { $games } public games, by the hours of { $zone }.

# Ratings: the best players, a player's own, and how they are made.
layout-ratings = Ratings
ratings-best = The best players
ratings-filters = Which ratings
ratings-pace-fast = Up to a day a turn
ratings-pace-slow = More than a day a turn
ratings-pace-unlimited = No time limit
ratings-pool-people = People
ratings-pool-bots = With programs
ratings-player = Player
ratings-rating = Rating
ratings-games = Games
ratings-day = Last one
ratings-empty = Nobody is listed here yet.
ratings-listed = Listed is who has { $games } rated games or more, a deviation of at most { $deviation }, and has played within a year.
ratings-figure = { $rating } ± { $deviation }
ratings-provisional = provisional
ratings-count = { $count ->
    [one] 1 rated game
   *[other] { $count } rated games
}
ratings-history = From { $from } on { $first } to { $to } on { $last }
ratings-how = How ratings are made
ratings-how-rule = Glicko-2 makes three numbers of your finished public games: the rating, how far it may be off (the deviation), and how much it varies. Everybody begins at 1500 ± 350. A rating is provisional while its deviation is above { $deviation }.
ratings-how-classes = Each kind of game has ratings of its own, at each of three paces: a turn brings up to 24 hours (its time and what the bank gains), or more, or there is no limit. Games with programs make ratings of their own, too.
ratings-how-days = All games that end on one day (UTC) count together, after the day is over, against the ratings of the day before. Days without games raise the deviation.
ratings-how-many = With more than two players you play against each of the others, by your places. All of that together weighs as much as one game.
ratings-how-not = Private games, aborted games and games with guests do not count. If a substitute takes over, the result is that of the player who began.
ratings-how-hide = You can hide your ratings from others in your { $preferences }. Your games count all the same, so that nobody can choose which ones do.
ratings-how-check = Anybody can recompute all ratings from the records of the games, to the last digit:

# Creating a game.
new-game-choose = What shall it be?
new-game-choose-text = Choose a game. Then you say how many play, and how fast.
new-game-title = A new game of { $title }
new-game-own-title = Title
new-game-own-title-hint = Optional. Everybody who may see the game sees it.
new-game-title-bad = A title has at most 60 characters in one line, and holds no secret link or token.
new-game-players = Players
new-game-players-hint = { $least } to { $most }, with you. How many are possible depends on the options.
new-game-range = { $least } to { $most }.
new-game-empty = Leave it empty for none.
new-game-pace = Time for each move
new-game-pace-hint = Whoever does not move in time loses their seat. You are reminded before.
new-game-seating = Who begins
new-game-random = The seats are drawn when the game starts
new-game-joined = In the order in which players sit down
new-game-visibility = Who can see it
new-game-public = Everybody can watch, and anybody can join
new-game-private = Only those whom you invite, or give the link
new-game-button = Create the game
new-game-other = Another game
new-game-rules = Read the rules
new-game-seats = With these options { $least } to { $most } can play. Change the number of players, or the options.
new-game-quota-title = No room for another game
new-game-quota = Your games take as much room as a player’s may. End some of them first.
new-game-bot-full = You play as many games against our bot as it plays with one player, or it has no room for another now.
new-game-too-many = Many of your games wait for players already. Let some of them start, or leave them.
new-game-options = These options are not possible: { $why }.
new-game-limit = This time for a move is not possible.

# A game that waits for players.
waiting-table = The table
waiting-free = a free seat
join-button = Join
join-sign-up = Sign up and join
join-full-title = The game is full
join-full-text = Somebody else took the last seat. Look for another game, or create one.
leave-button = Leave the game
leave-confirm = Leave this game? If nobody is left, it is cancelled.
invite-title = Invite somebody
invite-label = Handle or e-mail address
invite-hint = A mail with a link goes out. Whoever has no account can make one on the way.
invite-button = Invite
invite-done = An invitation to { $invitee } is on its way.
invite-link-title = Or give them the link
invite-link-public = Anybody can open it: the game is public.
invite-link-private = Whoever has it can join. Give it only to those who shall play.
invite-copy = Copy
invite-copied = Copied
invite-qr = The link as a QR code
invite-unreadable = This is neither a handle nor an e-mail address.
invite-unknown = There is nobody called { $handle } here.
invite-already = This player is in the game already.
invite-not-confirmed = Confirm your own address first: open the link in the mail that you got when you signed up.
invite-too-many = So many invitations cannot go out. Wait until some are answered, or give away the link.

# Rules.
ruleset-title = The games and their rules
ruleset-text = Each page has the rules in plain words and an example to click through.
ruleset-players = For { $least } players
ruleset-players-range = For { $least } to { $most } players
ruleset-play = Play this
ruleset-example = An example
ruleset-example-alt = The board of the example; as text below.
ruleset-step = { $step ->
    [0] The beginning
    [one] After one move
   *[other] After { $step } moves
}
ruleset-back = Back
ruleset-next = Next move

# Preferences.
preferences-text = Here is what only you see. What others see of you: { $player }.
preferences-save = Save
preferences-since = since { $since }
preferences-done-mails = Saved: mails will come as you wish.
preferences-done-browser = This browser will tell you from now on.
preferences-done-look = Saved.
preferences-done-password = Your new password is set. All other sessions have ended.
preferences-done-name = Your name is written so from now on.
preferences-done-email = A mail with a link went to your new address. It is yours once you open the link.
preferences-done-resent = The mail is on its way once more.
preferences-done-token = Done.
preferences-done-ended = Ended.
blocks-title = Blocked players
blocks-text = They cannot invite you. They are not told.
blocks-end = Unblock
preferences-mails = How you are told
preferences-quiet-text = Nothing about games in these hours; it comes afterwards
channels-title = What you are told of, and how
channels-mail = Mail
channels-push = Browser
channels-turns-each = each turn
channels-turns-once = one, until I am back
channels-turns-digest = daily overview
channels-turns-none = none
channels-news-each = at once
channels-news-digest = daily overview
channels-news-none = none
channels-events = Every event, for programs
channels-webhooks = by { $webhooks }
channels-webhooks-link = webhooks
channels-push-hint = Browser: a message on the screen of each browser in the list { $browsers }.
browsers-title = Browsers that tell you
browsers-text = A browser tells you of your games even when no page of this server is open. What it is told is encrypted for it, and it stops when you log out there.
browsers-this = this browser
browsers-none = No browser tells you yet.
browsers-failing = not reached since { $since }
browsers-scripts = To add this browser, switch scripts on.
browsers-on = Tell this browser
browsers-off = Stop telling this browser
browsers-denied = This browser does not let this site tell you. Allow messages in the settings of the browser, and try again.
browsers-failed = That did not work. Try again later.
browsers-impossible = This browser cannot be told. On an iPhone or iPad, add this site to the home screen first.
preferences-mail-enabled = Send me mails about my games
preferences-turns = When it is my turn
preferences-digest = Time of the daily overview
preferences-digest-problem = The daily overview has the problem of the day
preferences-reminders = When my time is running out
preferences-games = When games start and end, and when somebody proposes a pause
preferences-invitations = When somebody invites or challenges me, or about clubs
preferences-messages = When others write at the table
preferences-quiet = Quiet hours
preferences-last-reminder-in-quiet-hours = But the last reminder before my time is up comes at once
preferences-ratings = Others see my ratings
preferences-schedule = When to remind me of a turn
preferences-schedule-hint = Up to six; each comes once, from the next turn on.
preferences-schedule-bad = Choose one to six reminders. If you want none, switch reminders off above.
preferences-from = From
preferences-until = Until
preferences-zone = Time zone
preferences-zone-hint = Begin to write the name of a city, as in Berlin or New_York, and choose it from the list. All times on pages and in mails are in this zone.
preferences-zone-bad = There is no such time zone. Choose one from the list, as in Europe/Berlin.
preferences-account = Account
preferences-email = Your address is { $email }.
preferences-email-unconfirmed = Your address { $email } is not confirmed. Open the link in the mail that we have sent to it.
preferences-email-pending = The new address { $email } waits for you to open the link in the mail that we have sent to it.
preferences-resend = Send the mail again
preferences-name = How your name is written
preferences-name-label = Your name
preferences-name-hint = Capitals can change, nothing else. Games that have begun keep the name as it was.
preferences-name-other = Only the capitals of your name can change.
preferences-email-change = Change the address
preferences-email-new = New address
preferences-email-button = Change it
preferences-password = Change the password
preferences-password-current = Current password
preferences-password-wrong = This is not your password.
preferences-password-tokens = End tokens, apps and webhooks, too: if somebody else may have had the password
preferences-password-button = Change it
preferences-apps = Apps that act for you
preferences-no-apps = You have let no app act for you.
preferences-tokens = Tokens for programs of your own
preferences-tokens-text = With a token a program of yours plays in your name. How: { $api }.
preferences-token-new = A new token
preferences-token-name = Name, to tell it from others
preferences-token-may = What the program may do
preferences-token-button = Make the token
preferences-token-made = Here is the token. It is shown only now: copy it to where your program finds it.
preferences-token-until = until { $until }
preferences-token-bad = A token has a name of 1 to 64 characters, and may do at least one thing.
preferences-token-many = You have as many tokens as a player may have. End one first.
look-language = Language
look-theme = Colours
look-auto = As my device has them
look-light = Light
look-dark = Dark

# About the server, and for programs.
about-title = About this server
about-text = { $site } keeps slow games and proves that they were fair. Every move is an event that is never changed, every die and card follows from a number that was fixed before, and every accepted move is signed. You can { $check }.
about-keys = Its keys
about-keys-text = With these keys the server signs the receipts of moves. For programs: { $keys }.
about-limits = Its limits
about-limit-games = { $count } games of yours may wait for players at the same time.
about-limit-invitations = { $count } invitations go out for one game.
about-limit-time = { $days } days are the longest time for a move.
about-limit-events = A game has at most { $count } events.
about-limit-tokens = { $count } tokens may belong to one player.
about-privacy = What it keeps of you
about-privacy-text = Your handle stands in the records of your games, for good. Your address is used for mails and shown to nobody. The pages set a cookie when you log in, one when you open a form, and one each for the language and the colours if you choose them. For times without a connection your browser keeps the games that you have looked at, until you log out. Nothing comes from other servers, and nobody counts visits.
api-title = For programs
api-text = Everything that can be done here can be done by programs: { $try } in the browser, or make a client from the { $document }.
api-first = The first steps
api-step-token = Make a token in your { $preferences }, or register by the API.
api-step-ask = { $ask } lists the games that wait for you.
api-step-move = { $actions } lists what you may do, and { $move } does it.
api-apps = Programs for others
api-apps-text = A program that plays for others asks each player on a page of this server (OAuth 2.1), and never sees a password.

# Webhooks.
webhooks-title = Webhooks
webhooks-text = A webhook tells a program, or a channel of Discord or Slack, what happens in your games and tournaments as it happens.
webhooks-text-programs = What a program gets, and how it checks that, is on the { $docs }.
webhooks-to = See and add webhooks
webhooks-none = You have none yet.
webhooks-new = A new webhook
webhooks-url = Address
webhooks-url-hint = It begins with https:// and leads to a public server. For a channel, Discord and Slack show you the address when you add a webhook there.
webhooks-url-bad = Nothing can be sent to this address. It has to begin with https://, without user, password and #, on port 443 or one from 1024 on, and to lead to a public server.
webhooks-format = Who is told
webhooks-format-standard = a program
webhooks-format-discord = a channel of Discord
webhooks-format-slack = a channel of Slack
webhooks-kinds = Of what
webhooks-kinds-bad = Tick at least one.
webhooks-kind-turn = my turns
webhooks-kind-game_started = starts of games
webhooks-kind-game_over = ends of games
webhooks-kind-message = messages at the table
webhooks-kind-tournament = my tournaments
webhooks-kind-event = every event
webhooks-game = Which games
webhooks-game-all = all my games
webhooks-game-bad = You are in no such game.
webhooks-other-game = another game
webhooks-register = Add it
webhooks-many = You have { $most } webhooks, which is as many as a player may have. Delete one first.
webhooks-no-address = A webhook without a readable address
webhooks-badge-active = active
webhooks-badge-failing = failing
webhooks-badge-off = switched off
webhooks-badge-unverified = not verified
webhooks-badge-disabled = disabled
webhooks-title-active = Active
webhooks-title-failing = Active, but it fails
webhooks-title-off = Switched off
webhooks-title-unverified = Not verified yet
webhooks-title-disabled = Disabled
webhooks-unreadable = This server can no longer read where it leads. Give it an address and a new secret.
webhooks-unverified-program = Nothing but challenges is sent to it before it is verified. Send a challenge: a program that answers with it makes the webhook active at once.
webhooks-unverified-chat = Nothing but challenges is sent to it before it is verified. Send a challenge, read the code in the channel, and enter it here.
webhooks-off-text = You have switched it off. When you switch it on, it goes on where it stopped.
webhooks-disabled-text = It has failed since { $since }, so nothing is sent there any more. Send a challenge: once it is met, it goes on with the first event that is missing.
webhooks-failing-text = It has failed since { $since }. Nothing later is sent before the failed event has arrived.
webhooks-retry = The next try is on { $at }.
webhooks-cursor = Told up to
webhooks-since = Added
webhooks-previous = The old secret signs until
webhooks-event = Event { $number } of { $game }
webhooks-switch-on = Switch it on
webhooks-switch-off = Switch it off
webhooks-challenge = Send a challenge
webhooks-challenge-again = Verify it again
webhooks-code = Code that has arrived
webhooks-code-hint = Only if no program has answered with it. A code is valid for 15 minutes.
webhooks-code-bad = This is not the code that was sent last, or it is too old. Send a challenge again.
webhooks-verify = Verify
webhooks-not-verified = It has to be active for that. Verify it, or switch it on, first.
webhooks-sends-already = Something is being sent to a webhook of yours just now. Wait until that has ended.
webhooks-change = Change it
webhooks-change-what = Address and what it is told
webhooks-change-hint = Another address has to be verified anew.
webhooks-secret = New secret
webhooks-secret-text = For 24 hours the old secret signs as well, so that your program can change over.
webhooks-secret-button = Make a new secret
webhooks-secret-made = Here is its secret, with which your program checks the signatures. It is shown only now: copy it to where your program finds it.
webhooks-registered = It is added. Nothing is sent to it before it is verified.
webhooks-delete = Delete it
webhooks-delete-text = Shall this webhook be deleted, with its log? Nothing is sent to it any more.
webhooks-delete-button = Delete the webhook
webhooks-log = What was sent
webhooks-log-text = The newest attempts, at most a hundred.
webhooks-log-none = Nothing yet.
webhooks-log-message = Message at the table
webhooks-log-challenge = Challenge
webhooks-log-nth = attempt { $count }
webhooks-log-took = { $count } ms
webhooks-outcome-delivered = delivered
webhooks-outcome-refused = refused
webhooks-outcome-not_readable = not sent: cannot be read
webhooks-outcome-unreachable = not reached
webhooks-outcome-too_slow = no answer in time
webhooks-redeliver = Send again
webhooks-go-back = All after it
webhooks-go-back-confirm = Send everything after this event once more?
webhooks-event-bad = There is no such event in your games.
webhooks-done-deleted = The webhook is deleted.
webhooks-done-changed = Saved.
webhooks-done-sent = The challenge is sent. Enter the code that has arrived.
webhooks-done-active = The challenge is met: the webhook is active.
webhooks-done-verified = The code is right: the webhook is active.
webhooks-done-on = The webhook is switched on.
webhooks-done-off = The webhook is switched off.
webhooks-done-delivered = The event is delivered once more.
webhooks-done-gone-back = Everything after that event is sent once more.
webhooks-done-not-sent = The challenge did not arrive. The log says why.
webhooks-done-not-delivered = The event did not arrive. The log says why.

data-title = Your data
data-text = Everything that this server stores of you, in one file: account, preferences, games, messages, notes, mails and the records of your games. Programs read it as JSON.
data-button = Download all my data
delete-title = Delete the account
delete-text = This cannot be undone.
delete-erased = Your address, your password, sessions, tokens, apps, webhooks, web push, preferences, notes, messages and mails are erased at once.
delete-games = Games that wait for players go on without you. Running games you resign: the others win, or play on.
delete-stays = Finished games belong to your opponents, too, and can still be checked. They name your handle { $handle }, which nobody else can have.
delete-sure = I want to delete my account.
delete-button = Delete the account for good
delete-not-sure = Tick the box if you are sure.
deleted-title = Your account is deleted
deleted-text = What was yours is erased. Thank you for playing.
offline-title = No connection
offline-text = This page has not been opened here before. Your games that you have looked at lately open without a connection, as they stood then.
home-bot-guest = Play against our bot now, without an account:
card-bot = Play against our bot
card-bot-alone = Play { $title } against our bot
new-game-choose-guest = Against our bot you can play without an account.
guest-keep-title = You play as a guest. Keep this game?
guest-keep-text = With an account your games stay yours, you can play with people, and a mail tells you when it is your turn. Without one they are gone { $days ->
    [one] a day
   *[other] { $days } days
} after your last move.
guest-keep-button = Keep my games
about-figures = Its figures
about-running = Public games that are played
about-finished = Public games that are over
about-players = Players
about-figures-text = Counted every ten minutes. Private games are not counted.
# The pages of the preferences.
preferences-page-notices = How you are told
preferences-page-time = Time, nights and holidays
preferences-page-look = Language and look
preferences-page-account = Name, address and password
preferences-page-access = Sessions, programs and feeds
preferences-page-data = Your data
preferences-about-notices = Mails, messages of this browser, quiet hours, reminders, webhooks, blocked and muted players
preferences-about-time = Your time zone, and when your clocks stand still: nights, rest days, holidays
preferences-about-look = The language of pages and mails, light or dark
preferences-about-account = How your name is written, your e-mail address, your password
preferences-about-access = Where you are logged in, feeds for calendars and readers, apps and tokens
preferences-about-data = Download all that is stored of you, or delete your account
preferences-done-time = Saved.
preferences-done-feeds = The feeds have new addresses. The old ones show nothing any more.
reminder-share = { $percent ->
    [75] when three quarters of the time are left
    [50] when half of the time is left
    [25] when a quarter of the time is left
   *[other] when { $percent } percent of the time are left
}
reminder-hours = { $span } before the time is up

# Time.
time-now = Now it is { $time }.
time-zone-here = Take the zone of this browser: { $zone }
time-nights = Nights
time-nights-text = My clocks stand still at night
time-nights-bad = A night has a beginning and an end, and lasts at most 12 hours.
time-rest-days = Rest days
time-rest-days-text = On these days of every week your clocks stand still. At most two.
time-rest-days-bad = At most two days of the week can be rest days.
time-from-next-turn = It holds in games that heed it, from your next turn on. You can change it { $changes } times in a week.
time-too-many = You have changed your calendar often this week. Try again in some days.
holidays-title = Holidays
holidays-text = While you are on holiday your clocks stand still, in all games that heed holidays. A calendar year has { $days } days of it.
holidays-none = No holiday is booked.
holidays-now = It has begun.
holidays-days = { $first } to { $last }
holidays-book = Book a holiday
holidays-first = First day
holidays-last = Last day
holidays-final = A holiday cannot be taken back.
holidays-button = Book it
holidays-unreadable = Give the first and the last day of the holiday.
holidays-not-bookable = A holiday begins today or later, and at most a year ahead.
holidays-too-long = A holiday has at most 28 days, and its last day is not before its first.
holidays-overlap = You have a holiday on some of these days already.
holidays-over-budget = Of your days of holiday in { $year }, { $left } are left.
holidays-too-many = So many holidays cannot be booked at a time.
automatic-title = A holiday that begins by itself
automatic-text = When your time would run out in a game that heeds holidays, a holiday can begin by itself, with that day. When it ends and you have still not moved, another one begins, until no days are left.
automatic-days = For how many days
automatic-hint = 0 for none.

# Feeds.
feeds-title = Feeds of your games
feeds-text = Your games that wait, for feed readers, and their deadlines, for calendars. Whoever has the address can read which games wait for you, but nothing that is hidden in them. Do not pass it on.
feeds-turns = For feed readers (RSS)
feeds-deadlines = For calendars (iCalendar)
feeds-renew-text = If somebody else may have the addresses, make new ones. The old ones show nothing then.
feeds-renew = Make new addresses
feeds-channel = { $site }: games that wait for you
feeds-calendar = { $site }: deadlines
feeds-turn = { $title }: { $players }: it is your turn
feeds-deadline = { $title }: { $players }: your time runs out
feeds-until = You have time until { $until }.

# Searching and choosing.
search-title = Search
search-label = Players and games
search-hint = The first letters of a name or of a game's title, the number of a game of yours as in #12, or the address of a game.
search-button = Search
search-players = Players
search-games = Games
search-games-with = Your games together
search-nothing = Nothing is called “{ $wanted }”, and no name begins so.
list-unread = { $count ->
    [one] 1 new message
   *[other] { $count } new messages
}
list-since = { $from ->
    [start] { $count ->
        [one] One move so far:
       *[other] { $count } moves so far, the newest:
    }
    [long] At least { $count } moves since your last, the newest:
   *[own] { $count ->
        [one] One move since your last:
       *[other] { $count } moves since your last, the newest:
    }
} { $newest }
filter-title = Only some of them
filter-opponent = Against
filter-rules = Game
filter-pace = Time for a turn
filter-any-pace = Any
filter-pace-fast = Up to a day
filter-pace-days = Up to a week
filter-pace-slow = More, or no limit
filter-button = Show
filter-none = Show all

# The time that players of a new game have.
control-own = Set it yourself
control-more = More about time
control-own-hint = If you choose “Set it yourself” above. Leave the time for a turn empty if there shall be no limit.
control-limit = Time for a turn
control-unit = Counted in
control-hours = hours
control-days = days
control-bank = A bank of time
control-bank-hint = Whoever needs more than the time for a turn takes it from there.
control-bank-start = In it at the start
control-bank-gain = More with each turn
control-bank-cap = It holds at most
control-wait = How long the table waits
control-wait-hint = For each player in all, once the time is used up. Empty: not at all.
control-rests = Clocks stand still
control-nights = in the nights of a player
control-rest_days = on a player’s rest days
control-holidays = on a player’s holidays

# The first turns of a game.
guide-title = { $title }: the first turns
guide-link = See the first turns
guide-all-rules = All rules
guide-step = { $step ->
    [0] Before the first move
   *[other] Move { $step } of { $steps }
}
guide-next = Go on
guide-now = Now it is your turn
waiting-reload = Without scripts this page does not change when somebody sits down.
dumps-title = Public games to download
dumps-link = All public games as files, a day each
dumps-text = The records of the public games that ended on a day (UTC), with their clock logs, compressed by zstd; an index with each game’s place, hash and proof that the log has it; and a manifest with the hashes. Everybody may use them. Players who do not want to be in them say so in { $preferences }. This command checks everything:
dumps-games = { $count ->
    [one] One game.
   *[other] { $count } games.
}
dumps-left-out = { $count ->
    [one] One is left out at the wish of a player.
   *[other] { $count } are left out at the wish of players.
}
dumps-records = Records, { $size }
dumps-index = Index, { $size }
dumps-manifest = Manifest
dumps-earlier = Earlier days
dumps-none = No day is written yet: a day’s games come an hour after its end.
preferences-in-dumps = My public games may be in the daily files that everybody can download
preferences-in-dumps-hint = It holds for games that end from today on. What has been downloaded cannot be called back.
preferences-done-data = Saved.
layout-tournaments = Tournaments
tournament-new = New tournament
tournament-create = Create the tournament
tournament-filters = Which tournaments to show
tournament-status-open = Open
tournament-status-running = Running
tournament-status-finished = Finished
tournament-status-cancelled = Cancelled
tournament-none = There is none yet.
tournament-more = More tournaments
tournament-kind = Who plays whom
tournament-kind-round_robin = Round robin
tournament-kind-round_robin-hint = Everybody meets everybody. Up to { $most } players.
tournament-kind-swiss = Swiss
tournament-kind-swiss-hint = In each round you meet somebody with about as many points.
tournament-kind-knock_out = Knock-out
tournament-kind-knock_out-hint = Whoever loses is out. After a draw whoever moved second goes on.
tournament-kind-double_elimination = Double elimination
tournament-kind-double_elimination-hint = Whoever loses twice is out. A draw counts as lost for whoever moved first.
tournament-kind-league = League
tournament-kind-league-hint = Divisions, in each of which everybody meets everybody. After each season the best rise and the last fall, and the next season begins by itself.
tournament-rounds = { $count ->
    [one] 1 round
   *[other] { $count } rounds
}
tournament-round = Round { $round }
tournament-rounds-label = Rounds
tournament-rounds-hint = Of a Swiss tournament. With few players there are fewer, so that nobody meets somebody twice.
tournament-players = { $players } of { $most } players
tournament-most = Most players
tournament-most-hint = Whoever comes later waits for a place.
tournament-start = Start
tournament-starts-at = starts { $at }
tournament-starts-full = When it is full
tournament-starts-in = { $days ->
    [one] In one day
   *[other] In { $days } days
}
tournament-title = Title
tournament-title-refused = A title has 1 to 64 characters that show.
tournament-rounds-refused = 1 to 15 rounds are possible.
tournament-players-refused = So many players are not possible here.
tournament-limit-refused = A tournament needs a time limit, so that it ends.
tournament-for-two = Tournament games are for two. Choose options for two.
tournament-confirm-first = Confirm your e-mail address first. The link is in the mail that you got when you signed up.
tournament-organised = You organise many tournaments already. Wait until one is over.
tournament-entered = You take part in many tournaments already. Wait until one is over.
tournament-refused = Not possible now
tournament-game-choice = Which game
tournament-each = Each of its games
tournament-enter = Take part
tournament-sign-up = Sign up to take part
tournament-withdraw = Withdraw
tournament-withdraw-confirm = Withdraw from this tournament? A running game goes on.
tournament-cancel = Cancel the tournament
tournament-cancel-confirm = Cancel this tournament for everybody?
tournament-in = You take part.
tournament-own-game = To your game
tournament-waits = You wait for a place. If somebody withdraws before the start, the next in line gets it.
tournament-first-place = First place: { $players }
tournament-others = Other tournaments
tournament-organiser = Organised by
tournament-field = Players
tournament-pairings = Pairings of the round
tournament-first = Moves first
tournament-second = Moves second
tournament-result = Result
tournament-bye = Bye
tournament-running = Game
tournament-game = { $first } against { $second }: { $outcome }
tournament-standings = Standings
tournament-registered = Registered
tournament-nobody = Nobody yet.
tournament-waiting = Waiting for a place
tournament-place = Place
tournament-points = Points
tournament-buchholz = Buchholz: the points of all opponents
tournament-short-buchholz = Bh
tournament-sonneborn = Sonneborn-Berger: the points of opponents beaten, and half of those drawn with
tournament-short-sonneborn = SB
tournament-direct = Direct encounter: points against those who are equal until here
tournament-short-direct = DE
tournament-wins = Games won
tournament-short-wins = W
tournament-left = left in round { $round }
tournament-how = A won game or a bye is 1 point, a draw ½. Equals are ordered by Buchholz (Bh, the points of all opponents), Sonneborn-Berger (SB, those of opponents beaten and half of those drawn with), direct encounter (DE) and games won (W). Whoever aborts a game loses it; whoever runs out of time gets no further games.
tournament-how-knock_out = Points are rounds survived. After a draw whoever moved second goes on. Whoever aborts a game loses it.
tournament-how-double_elimination = Points are rounds survived. Whoever has not lost yet meets others who have not, and whoever has lost once others who have. The last two meet in a final, and once more if whoever had not lost before loses it. A draw counts as lost for whoever moved first. Whoever aborts a game loses it.
tournament-season = Season { $season }
tournament-season-of = Season { $season } of { $seasons }
tournament-seasons = Seasons
tournament-divisions = Divisions
tournament-division = Division { $number }
tournament-division-rules = { $size } players each, of whom { $promoted } rise and { $promoted } fall
tournament-league-division_size = Players of a division
tournament-league-promoted = How many rise, and how many fall
tournament-league-seasons = Seasons
tournament-league-hint = Only of a league. At most half of a division rise and fall. Without a number of seasons it goes on until you end it.
tournament-league-refused = A division has 4 to 16 players, of whom at most half rise and fall. 1 to 100 seasons are possible.
tournament-end = No further season
tournament-end-confirm = End this league after the season that runs?
tournament-waits-season = You wait for a place in the next season.
tournament-club-choice = You play for
tournament-club-none = No club
tournament-club-choose = Play for this club
tournament-teams-label = Players who count for a club
tournament-teams-hint = Their points are added for the places of clubs. Leave it empty if clubs play for none.
tournament-teams-refused = 2 to 20 players of a club count. A league has no places of clubs.
tournament-teams-counted = The best { $size } of each count
tournament-teams-places = Places of clubs
tournament-teams-club = Club
tournament-teams-how = The points of the best { $size } of each club are added. Equals are ordered by their Buchholz (Bh), then by their best single place.
tournament-teams-swiss = Two of one club meet only if not all can be paired otherwise.
tournament-teams-hidden = A club
tournament-teams-not-in = You are not in this club.
tournament-chance = The draw, and chance
tournament-chance-text = Before anybody registered, this server fixed what the draw and the chance of all games follow from, and published these commitments. The draw is shown at the start, the rest at the end.
tournament-commitment = Commitment
tournament-draw-commitment = Commitment of the draw
tournament-draw = The draw
tournament-secret = The secret

# Moderation.
moderation-title = Moderation
moderation-text = What the operator of this server did about reports, without names, newest first. Whom it concerns sees why, and can appeal; what becomes of that stands here, too.
moderation-mine = What concerns me
moderation-none = Nothing had to be done yet.
moderation-more = Earlier
moderation-kind-warning = A player was warned
moderation-kind-mute = A player was muted
moderation-kind-removal = A text was removed
moderation-kind-dismissal = A report was dismissed
text-removed = Removed by the operator
moderation-until = until { $day }
moderation-for-good = for good
moderation-appealed = appealed against, not decided yet
moderation-verdict-upheld = looked at again: it stands
moderation-verdict-lifted = looked at again: lifted
moderation-mine-none = Nothing concerns you. Whatever the operator does about you would stand here, with the reason.
moderation-words = The operator says:
moderation-evidence = You wrote:
moderation-game = The game, at event { $seq }
moderation-appeal = Why is this wrong? You can appeal once.
moderation-appeal-send = Appeal
moderation-appeal-is = Your appeal:
moderation-reports = Your reports
report-link = Report or mute
report-title = Report { $player }
report-text = The operator of this server reads your report and decides: nothing, a warning, the removal of a text, a mute, or the end of the account. The player is not told who reported. What was done stands without names under:
report-reason = What is wrong?
report-reason-cheating = Cheating: help of a program or of others, several accounts
report-reason-insult = Insult or threat
report-reason-spam = Advertising, or much of the same
report-reason-stalling = Plays on without wanting to: stalls, or loses on purpose
report-reason-name = The name
report-reason-other = Something else
report-more = More, if it helps (500 characters at most)
report-send = Report
report-no-reason = Choose what is wrong.
report-waits = You have reported this player already. The operator has not decided it yet.
report-too-many = You can send { $most } reports a day. Try again tomorrow.
report-too-long = This is too long: 500 characters at most.
report-done-title = Reported
report-done-text = The operator reads it, and decides. What becomes of it stands under “What concerns me”, and without names on the page “Moderation”.
report-own-title = This is you
report-own-text = You cannot report yourself.
report-open = not decided yet
report-decided = decided
mute-title = Or see no more messages
mute-text = You will see no more messages of { $player } at any table, and get no mails with them. { $player } is not told. You can undo it in your preferences.
mute-send = Mute { $player }
mutes-title = Muted players
mutes-text = You do not see their messages. They are not told.
mutes-end = Show again
preferences-done-muted = Muted: you see no more messages of this player.
my-games-moderated = The operator has done something that concerns you.

following-title = Following
following-text = Public games of people you follow, running or ended in the last { $days } days, and your favourites. Nobody is told whom you follow. You see what everybody sees, so neither mutes nor blocks change it.
following-games = Their games
following-none = None of them plays a public game just now.
following-nobody = You follow nobody yet. There is a button on each profile.
following-players = Whom you follow
following-limits = You can follow { $players } players and mark { $games } games.
following-full-title = Your list is full
following-full-text = Take somebody or something off the page “Following” first.
follow-begin = Follow
follow-end = Follow no more
favourites-title = Your favourites
favourites-none = You have marked no game yet. There is a button on the page of each.
favourite-begin = Mark as a favourite
favourite-end = No favourite any more
week-title = Games of the week
week-rule = Of the rated games of people that ended in the last 7 days, the { $most } whose lowest rating is highest: { $ratings } as the profiles of the players show them today, provisional and hidden ones left out; of equal ones the newer.
moderation-kind-close = An account was closed
log-in-closed = The operator has closed this account. A mail says why, and how to appeal.

# Problems from finished games.
problems-title = Problems
problems-text = Positions from finished games in which one move is clearly the best. You see what the player saw.
problems-filter = Which game
problems-all = All games
problems-empty = No problem has been found yet.
problem-title = Problem: { $title }
problem-from = From the game { $names }
problem-question = It is the turn of { $player }. What is best?
problem-answer = Your move
problem-send = Answer
problem-right = Right: with this move the chance of winning is { $best }%.
problem-wrong = There is a better one: { $answer } wins with a chance of { $best }%, yours with { $given }%.
problem-not-legal = That is no move that the rules allow here.
problem-played = { $player } played { $move }.
problem-chances = The chance of winning after each move
problem-move = Move
problem-chance = Chance
problem-yours = your answer
problem-hint = Our bot has estimated this, by random games from this position.
problem-moment = See this moment in the game
problem-more = More problems
problem-none-title = No such problem
problem-none-text = There is no problem at this address.
home-problem = The problem of the day
home-problem-text = { $title }: one move is clearly the best. Do you find it?
home-problem-solve = Look at it
bot-strength = How well our bot plays
bot-strength-easy = an easy bot
bot-strength-medium = a medium bot
bot-strength-strong = a strong bot

# Studies: lines of an analysis that players keep.
studies-title = Studies
studies-text = Lines that players have tried out from finished games, and what they write to them. You keep one on the analysis page of a finished game.
studies-empty = There is no study yet.
studies-more = Older studies
studies-own = Your studies
studies-own-none = You have kept no study yet.
studies-limit = You can keep { $most } studies.
study-by-link = by link only
study-keep = Keep this line as a study
study-keep-text = It gets an address of its own. Whoever has the link can read it, if they can see the game.
study-title = Title
study-comment = Text to this position
study-listed = Show it in the list of studies and on the page of the game
study-save = Keep it
study-of = A line from the game { $names } ({ $title })
study-where = Position { $at } of { $all }
study-steps = Positions
study-first = The position before the line
study-previous = The position before this one
study-next = The next position
study-last = The last position
study-line = The line
study-see = The position after action { $number }
study-edit = Change title and text
study-delete = Delete this study
study-delete-text = It is gone for good, for everybody.
study-refused = This study is not kept
study-not-over = A game can be studied once it is over.
study-no-title = Give it a title of at most 80 characters.
study-too-long = A text has at most 1000 characters, and all texts of a study together 16 KB.
study-too-many = You have as many studies as a player may have. Delete one first.
study-changed = You have changed it elsewhere meanwhile. Open it again.
study-none-title = No such study
study-none-text = There is no study at this address, or you cannot see its game.

# Invitations to the server.
sign-up-closed = On this server the operator makes all accounts. Ask whoever runs it for one.
sign-up-invited = This server is by invitation. There are two ways to get one:
sign-up-invited-player = Ask somebody who plays here, or the operator, for a link. Players make them in their preferences, under “Invitations”.
sign-up-invited-game = If a mail has invited you to a game, open the link in it, and sign up with the address that it came to.
sign-up-invitation = Code of the invitation
sign-up-invitation-hint = What stands in the link after “invitation=”.
sign-up-invitation-button = Go on
sign-up-invitation-bad = This invitation was used, has expired, or never was one. One to a game is good for the address that its mail came to.
preferences-page-invitations = Invitations
preferences-about-invitations = Links by which others sign up on this server
server-invitations-text = This server is by invitation. Each link is good for one account, for { $days } days. You have at most { $most } open ones.
server-invitations-of = A link of { $since }
server-invitations-none = No link of yours is open.
server-invitations-button = Make a link
server-invitations-made = Here is the link. It is shown only now: send it to the person whom you invite.
server-invitations-withdraw = Withdraw
server-invitations-many = You have as many open links as a player may have. Withdraw one, or wait until one is used.
server-invitations-unconfirmed = Confirm your e-mail address first: open the link in the mail that was sent to you.
own-terms = Terms
own-imprint = Who runs this server
sign-up-terms = Whoever signs up agrees to what this page says: { $terms }.

# Clubs.
clubs-title = Clubs
clubs-text = Players under one name: a club shows its members and the public games that they play or wait for players in.
clubs-order = Order of the clubs
clubs-newest = Newest
clubs-largest = Largest
clubs-more = More clubs
clubs-empty = There is no club yet.
clubs-own = Your clubs
clubs-own-none = You are in no club yet.
clubs-limits = You can be in { $most } clubs and own { $owned } of them.
club-members = { $count ->
    [one] 1 member
   *[other] { $count } members
}
club-is-open = open to all
club-is-by-asking = by asking
club-since = since { $since }
club-role-asking = You wait to be let in.
club-role-member = You are a member.
club-role-owner = You are an owner.
club-ask-count = { $count ->
    [one] 1 asks to be let in
   *[other] { $count } ask to be let in
}
club-make = Make a club
club-name = Name
club-about = What it is about
club-how = Who comes in
club-open = Everybody who wants to
club-by-asking = Whoever asks and is let in by an owner
club-hidden = The operator has muted or closed the account that wrote this name and text. Until an owner has written others, only members see the club.
club-join = Join
club-ask = Ask to be let in
club-log-in = Log in to join
club-open-game = Open a game
club-leave = Leave the club
club-leave-confirm = Leave this club?
club-ask-no-more = Ask no more
club-is-full = The club has { $most } members, as many as a club may have.
club-asking = Who asks to be let in
club-asks-since = asks since { $since }
club-admit = Let in
club-refuse = Refuse
club-waiting = Games that wait for players
club-running = Games of members
club-running-none = No member plays a public game just now.
club-finished = Ended in the last { $days } days
club-members-title = Members
club-owner = owner
club-in-since = in it since { $since }
club-manage = Manage
club-name-owner = Make an owner, too
club-hand-on = Make the owner in your place
club-hand-on-confirm = Hand your place as an owner on to this player?
club-remove = Remove
club-remove-confirm = Remove this player from the club?
club-report = Report name or text
club-edit = Change name and text
club-close = Close this club
club-close-text = It is gone for good, for everybody. Games stay.
club-close-confirm = Close this club for good?
club-refused = That did not work
club-no-name = Give the club a name of one line, of at most 60 characters.
club-too-long = The text about a club has at most 500 characters.
club-taken = Another club has this name.
club-too-many = You are in as many clubs as a player may be in. Leave one first.
club-too-many-owned = This is one club more than a player may own.
club-full = The club takes nobody else in now: it has as many members, or as many who ask, as it may have.
club-last-owner = Nobody else owns this club. Make somebody an owner first, or close it.
club-none-title = No such club
club-none-text = There is no club of yours or of others at this address.

# Ladders.
ladders-title = Ladders
ladders-text = On a ladder you challenge who stands above you. If you win, you take their place. There is one for each game for two.
ladder-players = { $count ->
    [one] 1 player
   *[other] { $count } players
}
ladder-own-place = your place: { $place }
ladder-how = You join at the bottom and challenge who stands at most { $reach } places above you; nobody has more than { $most } challenges at once. A challenge is answered within { $days } days, in which holidays do not count; otherwise the place is lost as by a lost game. A draw changes nothing. Games are public and rated, { $pace }. Whoever leaves { $unanswered } challenges in a row unanswered, or does not play for { $idle } days, is off the ladder.
ladder-title = Ladder: { $title }
ladder-none-title = No such ladder
ladder-none-text = There is no ladder for such a game.
ladder-asked = { $player } challenges you. If you do not accept by { $until }, you lose your place.
ladder-accept = Accept the challenge
ladder-join = Join the ladder
ladder-leave = Leave the ladder
ladder-leave-confirm = Leave this ladder? Who comes back begins at the bottom.
ladder-log-in = Log in to join
ladder-nobody = Nobody stands here yet.
ladder-places = Places
ladder-challenge = Challenge
ladder-open = Challenges and games
ladder-game = Game
ladder-waits = waits for an answer
ladder-waits-until = waits for an answer until { $until }
ladder-happened = What has happened
ladder-told-joined = { $player } has joined.
ladder-told-challenged = { $player } challenges { $other }.
ladder-told-accepted = { $other } plays against { $player }.
ladder-told-expired = { $other } has not answered { $player } in time.
ladder-told-ended-challenger = { $player } has beaten { $other }.
ladder-told-ended-challenged = { $other } has beaten { $player }.
ladder-told-ended-draw = { $player } and { $other } have drawn.
ladder-told-ended-void = The game of { $player } and { $other } has no result.
ladder-told-left-wish = { $player } has left.
ladder-told-left-unanswered = { $player } has answered no challenge and is off the ladder.
ladder-told-left-idle = { $player } has not played and is off the ladder.
ladder-told-left-account = { $player } is off the ladder.
ladder-refused = Not possible now
ladder-already-in = You are on this ladder already.
ladder-not-in = You are not on this ladder.
ladder-full = This ladder is full.
ladder-out-of-reach = This player does not stand just above you.
ladder-too-many = One of you has as many challenges as one may have, or there is one between both of you.
ladder-no-challenge = This challenge is over, or was answered already.
my-games-challenged = Somebody challenges you on a ladder: { $title }.
