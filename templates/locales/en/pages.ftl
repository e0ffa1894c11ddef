# Every page.
api-page = API page
page-sandbox = This is a sandbox for those who write clients: nothing here counts. Players move the clock and choose the dice, and no mail is sent. See the { $docs }.
page-bounced = Mails to your address came back, so none are sent to it any more. In your { $preferences } you have the mail sent again, or change the address.

# Switching off a kind of mail.
stop-page-title = Fewer mails
stop-turns = No more mails when it is your turn?
stop-reminders = No more reminders when your time is running out?
stop-games = No more mails when games start and end, or when somebody proposes a pause?
stop-digest = No more daily overviews of your games?
stop-invitations = No more invitations?
stop-invitations-account = No more invitations, challenges and mails about clubs?
stop-messages = No more mails when others write at the table?
stop-explanation = All other mails still come. You can change this at any time in your account.
stop-explanation-address = Nobody will be able to invite you to a game by mail.
stop-button = Yes, stop them
stopped-title = Done
stopped-text = No more mails of this kind will come.
block-explanation = Or no more mails because { $from } invites or challenges you, or asks to join a club. Nobody is told.
block-button = Block { $from }
blocked-text = No more such mails because of this player will come.
stop-bad-title = This link does not work
stop-bad-text = It is not one of ours, or it is not whole. Copy all of it from the mail.

# The front door.
home-title = Slow games, honest dice
home-text = { $site } is a server for games played over days: { $games }. Every move is kept, every die and card can be checked by anybody, and a mail tells you when it is your turn.
home-check = You do not have to believe us: { $check }, in your browser, also without a network.
home-check-link = check a game yourself
home-try = Try the API
home-document = OpenAPI document

# A game.
page-board-text = The board as text
page-record-link = the record
page-details = Details
page-commitment = Before any player added to it, the server bound itself to this game's chance with the commitment { $commitment }.
page-commitment-opened = Before any player added to it, the server bound itself to this game's chance with the commitment { $commitment }; the record's last line opens it.
page-waiting = { $free ->
    [one] Waiting for one more player
   *[other] Waiting for { $free } more players
}
page-starting = Everybody is here: the game starts with the next public random value
page-cancelled = Cancelled: everybody left before it began
page-expired = Expired: it did not start in time
page-expires = Waits until
page-your-turn = It is your turn
page-turn-of = It is the turn of { $player }
page-running = Running
page-time-left = { $left } left, until { $deadline }
page-no-game-title = There is no such game here
page-no-game-text = Perhaps it is private, and the link that you followed is not for it.
page-link-ended-text = The link in your mail has ended: the game has moved on since, or there is no such game. The newest mail about the game has a new link.

# Links about accounts.
confirm-page-title = Confirm your address
confirm-page-text = One click, and { $site } may write to you when it is your turn.
confirm-page-button = Yes, this is my address
confirm-page-not-you = You did not register here? Then just close this page, and you will not hear from us again.
confirmed-title = Address confirmed
confirmed-text = Thank you. From now on you are told by mail when it is your turn.
reset-page-label = New password
reset-page-hint = At least 10 characters. A few words that you will remember are better than a riddle.
reset-page-button = Set it
reset-page-bad = A password has 10 to 256 characters.
reset-page-common = This password is among the commonest, or your own name or address. Choose another.
reset-done-title = New password set
reset-done-text = Log in with it. All sessions with the old password have ended.
link-bad-title = This link does not work any more
link-bad-text = It was used before, or it has expired. Ask for a new one.

# Letting an app act for you.
authorize-title = Let { $app } act for you?
authorize-text = The app { $app } ({ $home }), which the player { $player } has registered here, asks to be allowed this in your name:
authorize-read = see what you see: your games with your hidden cards, messages, your mails from here and your e-mail address
authorize-read-game = see what you see in this game, your hidden cards and messages among it
authorize-play = join and leave games, move, resign and write messages
authorize-play-game = move, resign and write messages in this game
authorize-manage = create games, invite others and abort games
authorize-manage-game = invite others to this game and abort it
authorize-mail = change when mails tell you of your games
authorize-webhooks = have programs and browsers told of your games, also of private ones, by webhooks and web push
authorize-one-game = Only in this one game: { $game }.
authorize-all-games = In all your games.
authorize-never = It never sees your password, and cannot change it or your e-mail address.
authorize-login = Handle or e-mail address
authorize-password = Password
authorize-allow = Allow
authorize-deny = Do not allow
authorize-to-site = Then you are sent on to { $site }.
authorize-to-device = Then you are sent on to a program on this device.
authorize-end = You can end this at any time in your preferences: { $page }.
authorize-wrong = Handle, address or password is wrong.
authorize-too-many = Too many tries. The next one is possible in { $seconds ->
    [one] one second
   *[other] { $seconds } seconds
}.
authorize-no-game = You are not in the game that the app asks for.
authorize-refused-title = This does not work
authorize-refused-text = An app has sent you here with a request that this server cannot answer. It is not your fault: go back to the app and try again, or tell its makers.
authorize-ended-text = This page was answered before, or it has expired. Go back to the app and start again.
authorize-back-link = Back to the app
device-title = Connect an app
device-text = Type the code that an app shows you on another device, such as a television or a command line.
device-code = Code
device-go = Go on
device-compare = Allow it only if the app on your own device shows you the code { $code } right now. Whoever sends you a code wants to play as you.
device-wrong = No app waits for this code. It has eight letters and is valid for ten minutes.
device-allowed-title = { $app } may act for you now
device-allowed-text = Go back to your device: { $app } goes on there by itself. You can end this at any time in your preferences.
device-denied-title = { $app } may not act for you
device-denied-text = { $app } is told so, and learns nothing of you.
authorized-title = Back to { $app }
authorized-text = If nothing happens by itself: { $link }.
