# What every page has.
layout-skip = Skip to the page
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
lobby-all = All games
lobby-empty = No game waits for players just now. Create one, and others can sit down.
list-empty = There are none yet.
list-more = More games
list-private = private
list-time-left = { $left } left
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
player-since = Here since { $since }
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
reliability-hint = From the newest 100 public games that are over. Half of the answers took no longer than the first time. Nights, rest days, holidays and pauses do not count.

# Creating a game.
new-game-choose = What shall it be?
new-game-choose-text = Choose a game. Then you say how many play, and how fast.
new-game-title = A new game of { $title }
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
preferences-done-email = A mail with a link went to your new address. It is yours once you open the link.
preferences-done-resent = The mail is on its way once more.
preferences-done-token = Done.
preferences-done-ended = Ended.
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
preferences-reminders = When my time is running out
preferences-games = When games start and end, and when somebody proposes a pause
preferences-invitations = When somebody invites me
preferences-quiet = Quiet hours
preferences-last-in-quiet = But the last reminder before my time is up comes at once
preferences-schedule = When to remind me of a turn
preferences-schedule-hint = As in 50% 24h: when half of the time is left, and when 24 hours are. Up to six, each comes once, from the next turn on.
preferences-schedule-bad = Write up to six different times, each as a part that is left (1% to 75%) or as hours that are left (1h to 1440h), as in 50% 24h.
preferences-from = From
preferences-until = Until
preferences-zone = Time zone
preferences-zone-hint = The name of a city in the list of all time zones, as in Europe/Berlin or America/New_York.
preferences-zone-bad = There is no such time zone. Write it as in Europe/Berlin.
preferences-account = Account
preferences-email = Your address is { $email }.
preferences-email-unconfirmed = Your address { $email } is not confirmed. Open the link in the mail that we have sent to it.
preferences-email-pending = The new address { $email } waits for you to open the link in the mail that we have sent to it.
preferences-resend = Send the mail again
preferences-email-change = Change the address
preferences-email-new = New address
preferences-email-button = Change it
preferences-password = Change the password
preferences-password-current = Current password
preferences-password-wrong = This is not your password.
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
about-text = pippost keeps slow games and proves that they were fair. Every move is an event that is never changed, every die and card follows from a number that was fixed before, and every accepted move is signed. You can { $check }.
about-keys = Its keys
about-keys-text = With these keys the server signs the receipts of moves. For programs: { $keys }.
about-limits = Its limits
about-limit-games = { $count } games of yours may wait for players at the same time.
about-limit-invitations = { $count } invitations go out for one game.
about-limit-time = { $days } days are the longest time for a move.
about-limit-events = { $count } events are the longest game.
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
home-bot = Play against our bot now:
about-figures = Its figures
about-running = Public games that are played
about-finished = Public games that are over
about-players = Players
about-figures-text = Counted every ten minutes. Private games are not counted.
