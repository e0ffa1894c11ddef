# Every mail.
hello = Hello { $name },
hello-stranger = Hello,
or-open = Or open { $link }
why-player = You get this mail because you play at { $home }.
stop-kind = No more mails of this kind: { $link }
stop-link = No more mails of this kind:
stop-label = one click
log-checkpoint = The log of all games: { $origin }, size { $size }, root { $root }
preferences = Answer with a line such as { $off }, { $digest } or { $quiet } to choose when and how you are told.

# Mails about a game.
happened-since = What happened since your last move
happened-so-far = What has happened so far
happened-at-the-end = What happened at the end
board = The board
notation = In notation, for example:
time-left = You have { $left }, until { $deadline }.
time-left-short = You have { $left }.
button-see = See the game
link-see = See the game here:

turn-subject = { $game }: your turn
turn-title = It is your turn in { $game }

pause-proposed-subject = { $game }: a pause?
resume-proposed-subject = { $game }: end the pause?
pause-title = A pause in { $game }?
resume-title = End the pause in { $game }?
pause-asked = { $by } proposes to let all clocks stand still until { $until }.
resume-asked = { $by } proposes to end the pause now, so that all clocks go on.
pause-how = It holds once all of you have agreed. Answer yes or no, or agree or decline on the page of the game.
pause-link = Agree or decline:
pause-button = Agree or decline
seat-offered-subject = { $game }: a seat is offered
seat-offered-title = A seat is offered in { $game }
seat-offered = { $before } would like to be replaced, and plays on until a substitute takes the seat.
seat-vacant = The time of { $before } has run out. Until { $until } a substitute can take the seat; then the game goes on without it.
seat-how = Anybody who is not in this game can take the seat on its page. Of a private game, the page shows you the link for others.
seat-taken-subject = { $game }: a substitute plays
seat-taken-title = A substitute plays in { $game }
seat-taken = { $by } has taken the seat of { $before } and plays it from now on.

message-subject = { $game }: a message at the table
message-title = A message in { $game }
message-how = To write back, answer with a line { $dashes } and your text below it.

reminder-subject = { $game }: your time is running out
reminder-title = It is still your turn in { $game }
reminder-opening = A reminder: it is still your turn in { $game }.
reminder-holiday = Your time had run out or would have, so your holiday counts: it has { $days ->
    [one] one day
   *[other] { $days } days
} and lasts until { $last } has passed. Of this year's days { $left } are left.
reminder-time = You have { $left } left, until { $deadline }. If you have not moved by then, you are out of the game.

game-started-subject = { $game }: the game has started
started-title = Your game of { $game } has started
started-your-turn = It is your turn.
started-not-yet = It is not your turn yet: a mail will tell you when it is.

game-over-subject = { $game }: the game is over
over-title = Your game of { $game } is over
over-again = To play once more, answer with one word:
over-button = Replay and check the game
over-link = The game, with its record to replay and check:

expired-subject = { $game }: the game has expired
expired-title = Your game of { $game } has expired
expired-text = Your game of { $game }, created on { $created }, has expired, because it did not start in time.
expired-missing = { $missing ->
    [one] One player was missing.
   *[other] { $missing } players were missing.
}
expired-full = Everybody was there, but the public random value with which it should start did not come.
expired-then = Nobody has won or lost, and no record is kept of it. If you still want to play, create such a game again.
expired-button = Create a new game
expired-link = Create a new game here:

# All games at once.
digest-subject = { $count ->
    [one] One game waits for you
   *[other] { $count } games wait for you
}
digest-title = { $count ->
    [one] One game waits for you
   *[other] { $count } games wait for you
}
digest-left = { $left } left, until { $deadline }
digest-no-limit = No time limit
digest-news = What happened
digest-more-news = { $count ->
    [one] … and one thing more, which the pages show.
   *[other] … and { $count } things more, which the pages show.
}
digest-news-subject = News about your games
digest-problem-subject = The problem of the day: { $title }
digest-problem-link = Answer it here:
digest-problem-button = Answer it
digest-problem-before = The answer to yesterday's problem
digest-how = To move in one of these games, answer with its number before the move, as in { $line }
digest-example = #{ $number } …
digest-others = Where you wait for others
digest-open = Where others have to join
digest-nothing = You are in no game that is not over. A line such as "new", with the name of a game, opens one.
digest-waits = { $player } is to move
why-digest = You get this mail once a day because you asked for it at { $home }.

# Invitations.
invitation-subject = { $from } invites you to a game of { $rules }
invitation-subject-stranger = An invitation to a game of { $rules }
invitation-title = { $from } invites you to a game of { $rules } by mail
invitation-seats = { $seats ->
    [one] It is a game for one player.
   *[other] It is a game for { $seats } players.
}
invitation-joined = { $count ->
    [one] { $names } has joined already.
   *[other] { $names } have joined already.
}
invitation-limit = Each player has { $limit } for each move.
invitation-bank = Each player saves time: { $start } at the start, and with every turn { $gain } more.
invitation-no-limit = There is no time limit for a move.
invitation-substitutes = A seat that a player gives up may be taken by a substitute.
invitation-answered-subject = Your game of { $rules }: one step more
invitation-answered-title = One step more to your game of { $rules }
invitation-answered-text = You have answered the invitation of { $from }. To play you need a name here, and that is all: choose one on the page of the game, with this address, and join. From then on everything goes by mail.
invitation-button = Join the game
invitation-link = Join here:
invitation-how = Or answer this mail: yes to join, no to decline.
invitation-why = You get this mail because { $from }, who plays at { $home }, named your address. If you do not want to play, you need not do anything.
invitation-block = To get no more from { $from }, use the last link of this mail.

# Challenges on ladders.
challenge-subject = { $from } challenges you on the ladder of { $rules }
challenge-until = Accept by { $until }, and a game begins.
challenge-otherwise = Otherwise { $from } takes your place, as if you had lost the game.
challenge-last = You have not answered the last challenge, either: if this one is not answered, you are off the ladder.
challenge-holidays = Days of a holiday that you book do not count.
challenge-button = Accept the challenge
challenge-link = Accept it here:
challenge-why = You get this mail because { $name } stands on a ladder at { $home }.

# Clubs.
club-subject-asked = { $player } asks to join your club
club-subject-admitted = You are in the club
club-subject-refused = The club has not let you in
club-text-asked = { $player } asks to be let into your club { $club }. You or another owner decides it on the page of the club.
club-text-admitted = An owner of the club { $club } has let you in.
club-text-refused = An owner of the club { $club } has not let you in. There are other clubs, and anybody can make one.
club-button = Open the club
club-link = The page of the club:
club-why-owner = You get this mail because { $name } owns this club at { $home }.
club-why-asked = You get this mail because { $name } asked to join this club at { $home }.

# Accounts.
confirm-subject = Confirm your e-mail address
confirm-title = Please confirm your address
confirm-preview = Then we can tell you when it is your turn.
confirm-text = Please confirm that this is your address. Then { $home } can tell you by mail when it is your turn.
confirm-how = Or answer this mail with one word:
confirm-help-subject = How to confirm your e-mail address
confirm-help-text = There was no plain yes in your answer, so nothing was done. If you want mails from { $home } at this address, answer with one word:
confirm-help-link = Or open this link:
confirm-button = Confirm this address
confirm-link = Confirm it here:
confirm-expires = The link works until { $expires }.
confirm-why = You get this mail because somebody gave your address for the account { $name }. If it was not you, you need not do anything: without your confirmation no mails about games will come.

reset-subject = Set a new password
reset-text = You can set a new password for your account at { $home }.
reset-button = Set a new password
reset-link = Set it here:
reset-expires = The link works once, until { $expires }.
reset-why = You get this mail because somebody asked for a new password for the account { $name }. If it was not you, you need not do anything: your password stays as it is.

in-use-subject = Somebody gave your address for an account
in-use-preview = Your address belongs to your account already.
in-use-text = Somebody gave your address for another account at { $home }. Nothing has come of it: your address belongs to your account { $name }.
in-use-you = If it was you: log in as before, or set a new password.
in-use-why = You get this mail because somebody gave your address at the server named above. If it was not you, you need not do anything.

changed-subject = Your account has a new e-mail address
changed-text = Your account { $name } at { $home } has another e-mail address from now on. It was confirmed by a link that was sent there.
changed-not-you = If it was not you, somebody knows your password and reads mail at the new address: log in, change the password and the address, or tell those who run the server.
changed-why = You get this last mail because this was the address of the account { $name }.

# Answers to players' mails.
to-move = To move, answer this mail with your move in the first line. "help" tells what else you can write.
answer-subject-moved = { $game }: { $done } done
answer-subject-stopped = { $game }: { $done } done, the rest not
answer-subject-resigned = { $game }: you have resigned
answer-subject-told = { $game }: how it stands
answer-subject-preferences = { $game }: your preferences are set
answer-subject-orders = { $game }: your orders for later
answer-subject-message = { $game }: your message was told
answer-subject-empty = { $game }: your mail was empty
answer-subject-unreadable = { $game }: not understood
answer-subject-incomplete = { $game }: not complete
answer-subject-no_order = { $game }: no order found
answer-subject-no_game = { $game }: which one?
answer-subject-not_started = { $game }: not started yet
answer-subject-did = { $game }: what you asked for
answer-subject-games = { $game }
answer-subject-too_much = { $game }: your mail was too long to read
answer-subject-sealed = { $game }: your mail could not be opened
answer-subject-too_many_mails = { $game }: no more mails today
answer-subject-preview = { $game }: after { $orders }
answer-subject-asked = { $game }: did you mean { $orders }?
answer-subject-declined = { $game }: nothing was played
answer-subject-pause_agreed = { $game }: you have agreed
answer-subject-pause_declined = { $game }: you have declined
answer-subject-pause_gone = { $game }: nothing done, the proposal is gone
answer-subject-confirmed = Your e-mail address is confirmed
answer-subject-nothing_asked = { $game }: nothing was asked
answer-subject-illegal = { $game }: not possible
answer-subject-not_your_turn = { $game }: not your turn
answer-subject-left = { $game }: you have left
answer-subject-game_over = { $game }: the game is over
answer-subject-too_long = { $game }: the game is too long
answer-subject-late = { $game }: nothing done, the game has moved on
answer-subject-used = { $game }: nothing done, answered before
answer-subject-expired = { $game }: nothing done, the mail was too old
answer-subject-other_address = { $game }: a mail from another address
answer-subject-no_sender = { $game }: a mail without a clear sender
answer-subject-forged = { $game }: a mail with a forged sender
answer-subject-confirm_resign = { $game }: do you want to resign?
answer-subject-unknown = { $game }: your mail was taken

answer-moved = Done: { $done }.
answer-resigned = You have resigned { $game }.
answer-your-games = Your games
answer-no_game = Your mail is about no single game, so nothing was done. Begin the line with the number of the game, as in "#12 …"; "games" lists yours.
answer-not_started = The game has not started, so nothing was done. A mail will tell you when it does.
answer-did-join-unsure = Do you want to join? Then answer the invitation with one word: yes. Your mail did not say it clearly.
answer-did-nothing = What else you asked for was not done, because your mail did not say it clearly. Write it once more in a line of its own.
answer-did-no-number = None of your games has the number { $number }. "games" lists them.
answer-did-opened = You have opened game #{ $number }: { $about }, for { $more } players. To invite somebody, answer with a line such as "#{ $number } invite bob": a player's name, or an address.
answer-did-joined = You have joined game #{ $number }: { $about }. A mail tells you when it is your turn.
answer-did-in-already = You are in this game already.
answer-did-join-which = Which game would you like to join? "join" stands alone in the answer to an invitation; else a name follows: { $about }.
answer-did-none-open = No game of { $about } waits for players now. "new { $more }" opens one.
answer-did-declined = You have declined. Nobody is told, and you need not do anything else.
answer-did-invited = Invited to game #{ $number }: { $about }.
answer-did-none-to-invite-to = None of your games waits for players, so nobody was invited. A line such as "new", with the name of a game, opens one.
answer-did-rematch = You have opened game #{ $number }, { $about } once more, and invited { $more }.
answer-did-not-over = A rematch follows once the game is over.
answer-did-which-game = It is not clear for which of your games that was. Begin the line with its number, as in "#12 …"; "games" lists them.
answer-did-pause-proposed = You have proposed that all clocks stand still until { $about } has passed. It holds once everybody has agreed.
answer-did-resume-proposed = You have proposed that the clocks go on. It holds once everybody has agreed.
answer-did-no-pause = The clocks of this game cannot be changed like that now: only clocks that can run out are paused, for at most 60 days, and one proposal waits at a time.
answer-did-holiday = You are on holiday from { $about } to { $more }. In games that heed holidays your clock stands still meanwhile.
answer-did-no-holiday = A holiday begins today or within a year, and has at most 28 days. Nothing was booked.
answer-did-holiday-twice = You have a holiday on some of these days already. Nothing was booked.
answer-did-holiday-over = Of your days of holiday in { $more }, { $about } are left. Nothing was booked.
answer-did-no-days = "{ $about }" names no day that I can read. Write "12.12.-20.12." or "2026-12-12 2026-12-20".
answer-did-note-kept = Your note is kept. Nobody else sees it.
answer-did-note-gone = Your note is gone.
answer-did-note-none = You have no note on this game. "note", and what you want to remember, begins one.
answer-did-note-long = Your note has no room for that: it has at most 4000 characters.
answer-did-note = Your note: { $about }
answer-did-notation = { $about }: { $more }
answer-did-no-rules = There is no game called "{ $about }" here. There are: { $more }.
answer-did-no-seats = That game is for { $about } to { $more } players.
answer-did-no-options = Nothing was opened: { $about } { $more ->
    [none] has no options, so its name stands alone.
   *[other] has no such options. Behind its name may stand: { $more }.
}
answer-did-no-player = There is no player called "{ $about }".
answer-did-full = The game has no seat left.
answer-did-gone = The game is gone: it was cancelled before it started.
answer-did-started = The game has started, so nobody else can be invited.
answer-did-not-in = You are not in this game.
answer-did-not-confirmed = Confirm your own address first.
answer-did-many-invitations = You have invited as many as you may for now.
answer-did-too-often = You have asked for that often lately, so nothing was done. Wait a while, and write it once more.
answer-did-many-games = You have as many games as you may have. Once one of them is over, you can begin another.
who-acts-until = { $player } is to move and has { $left }.
who-acts = { $player } is to move, without a limit.
who-waits = { $player } waits.
who-left = { $player } has left the game.
answer-told = This is how { $game } stands.
answer-empty = There was nothing to read in your mail above what it quotes, so nothing was done. Write your move in the first line of the answer.
answer-no_order = I found no order in your mail, so nothing was done.
answer-unreadable = I did not understand "{ $part }": { $why }. Nothing was done.
answer-unreadable-after = I understood "{ $understood }", but not "{ $rest }" after it: { $why }. Nothing was done.
answer-unreadable-after-whole = I understood "{ $understood }", but not "{ $rest }" after it. Nothing was done.
answer-incomplete = "{ $part }" is not complete: { $why }. Nothing was done.
answer-too_much = Your mail holds more than I read, so nothing was done: of your own at most 200 lines with 300 orders, 3000 lines with what it quotes, and only what stands in its first 256 kilobytes, pictures and files included. Write a new answer with your move in its first line.
answer-sealed = Your mail is encrypted, or packed with its signature (S/MIME), and only your mail program can open it. So nothing was read. Send it once more as plain text.
answer-too_many_mails = I have read 300 mails of yours within a day, so this one was not read, and nothing was done. Until there are fewer I read no more. You can move on the page of the game.
answer-preview = This is how the game stands after { $orders }. Nothing is played yet. To play it, answer this mail with one word:
answer-asked = Did you mean { $orders }? Then answer this mail with one word:
answer-asked-how = Nothing is played yet, because your mail did not say so clearly: what follows shows the game as it would be then. For another move, write that alone in the first line.
answer-declined = Nothing was played.
answer-pause_agreed = You have agreed. It holds once all of you have.
answer-pause_declined = You have declined, so the clocks stay as they are.
answer-pause_gone = What the mail proposed does not wait for you any more, so nothing was done.
answer-confirmed = Your address is confirmed. From now on a mail tells you when it is your turn. Nothing else is needed. To begin a game, answer with a line such as "new", with the name of a game; "join" enters one that waits for players, and "help" tells what else you can write.
answer-nothing_asked = You said yes or no, but the mail that you answered asks nothing, so nothing was done. Write your move in the first line of the answer.
answer-illegal = "{ $part }" is not possible: { $why }. Nothing was done.
answer-stopped-unreadable = Then I did not understand "{ $part }": { $why }.
answer-stopped-unreadable-after = Then I understood "{ $understood }", but not "{ $rest }" after it: { $why }. I did not do it.
answer-stopped-unreadable-after-whole = Then I understood "{ $understood }", but not "{ $rest }" after it. I did not do it.
answer-stopped-illegal = Then "{ $part }" was not possible: { $why }.
answer-stopped-turn_over = "{ $last }" ended your turn, so this was not done: { $rest }.
answer-stopped-game_over = "{ $last }" ended the game, so this was not done: { $rest }.
answer-stopped-too_long = "{ $last }" was the last move that the game has room for, so this was not done: { $rest }. You can still resign.
answer-not-done = What followed was not done: { $rest }.
answer-left-out = I took these lines for no order and left them out: { $lines }.
answer-expected = expected an order such as `{ $first }` or `{ $second }`
answer-expected-one = expected `{ $first }`
answer-no-command = it is no order here
answer-too-many-actions = a mail has at most { $most } orders
answer-resign-alone = it must stand alone, without moves
answer-not_your_turn = It is not your turn, so nothing was done. A mail will tell you when it is.
answer-left = You have left this game, so nothing was done.
answer-game_over = The game is over, so nothing was done.
answer-too_long = The game has as many moves as a game may have, so nothing was done. You can still resign.
answer-late = The game has moved on since the mail that you answered, so nothing was done. This is how it stands now; to move, answer this mail.
answer-used = The mail that you answered had done its work already, so nothing was done this time. This is how the game stands now; to move, answer this mail.
answer-expired = The mail that you answered is too old to be answered, so nothing was done. This is how the game stands now; to move, answer this mail.
answer-other_address = Somebody answered a mail to you about this game from an address that is not that of your account, so nothing was done. If it was you, answer from this address. If not, somebody has seen a mail of yours; nobody can move for you with it from elsewhere.
answer-no_sender = An answer came to a mail of yours about this game that names no sender, or more than one, so nothing was done. If it was you, set your address in your mail program and answer once more.
answer-forged = An answer came to a mail of yours about this game with your address as its sender, but the mail server says that the sender is forged, so nothing was done. If it was you, send it through the mail server of your own address.
answer-doubted = The mail server doubts that this mail came from you. If it did not, somebody else has seen a mail of yours.
answer-confirm_resign = You want to resign { $game }. To do it, answer this mail with this line:
answer-unknown = Your mail was taken. What it did shows in the game, which stands like this.
answer-unsubscribed = You get no more mails about your turns, and no reminders. To take it back, answer with the lines "turns on" and "reminders on".
answer-preferences = Your preferences are set.
answer-orders-given = From now on these orders for later hold. Nobody else knows of them, and anything that they do not say ends them:
answer-orders-shown = These are your orders for later:
answer-orders-without = You have no orders for later in this game.
answer-orders-cancelled = Your orders for later are cancelled.
answer-orders-not_taken = Your orders for later were not taken. Those that you gave before hold on.
answer-orders-unsure = Your orders for later are as they were, because your mail did not say clearly what to change. Write it once more, and nothing else.
answer-orders-your_turn = It is still your turn, and what others do after it can be answered only once you have moved. So your orders for later were not taken: write your move above them.
answer-orders-late = The game has moved on since the mail that you answered, so your orders for later were not taken.
answer-orders-too_many = Your orders for later are too many and were not taken: at most 100 branches, each of 10 moves of yours, and 8 answers.
orders-not-always = "always" goes with an answer that can be given in advance, or with "forced"
orders-too-many = these are too many orders
orders-contradict = a line above says something else for the same case
orders-not-notation = it is no move in notation
orders-not-complete = between "if" and "then" belong moves of others, behind "then" belong yours
answer-table-told = Your message was told to the table.
answer-table-part = Only this was told to the table: "{ $text }" What stood below it looks like a signature or a quoted mail and was left out.
answer-table-empty = Nothing of yours stood below the dashes, so nothing was told to the table.
answer-table-signature = What stood below the dashes looks like a signature or a quoted mail, so it was not told to the table.
answer-table-address = Your message holds a link or an address that only you should know, so it was not told to the table.
answer-table-too_long = Your message is too long, so it was not told to the table: 1000 characters at most.
answer-table-too_many = You have told the table much in the last hour, so this message was not told.
answer-table-muted = The operator has muted you, so your message was not told to the table.
answer-table-not_told = Your message to the table was not told either.
answer-also = You had many answers in the last hour, so these mails of yours are answered here together:
answer-also-more = { $count ->
    [one] One more mail of yours was dealt with as well; the game shows what it did.
   *[other] { $count } more mails of yours were dealt with as well; the game shows what they did.
}
answer-legal = What you may do now:
answer-more = and { $count } more
answer-happened = What happened
answer-help = How to write
answer-help-moves = Write your move in the first line of your answer, and nothing else needs to be there. Several moves: one a line, or with ";" between them; they are done in order, up to the first that is not possible.
answer-help-later = For later, below your move: "if", what the others do, "then", what you do; "otherwise" for all else; "always forced" plays the only legal move. "orders" shows them, "orders off" cancels them.
answer-help-words = Also: "status" (how the game stands), "history" (what has happened), "who" (plays), "preview" and a move (shows the game after it), "pause 3 days", "note" and a text for yourself, "resign" (you are asked once more), "help".
answer-help-games = Your games: "games" lists them. "#12" and a move is for the game with that number. "new" and "join" with the name of a game, "invite" with a name or an address, "rematch", "holiday 12.12.-20.12.".
answer-help-table = What follows a line "---" is a message to the others at the table.
answer-help-settings = How you are told: "mails off" (no more of your turns, and no reminders), "turns off", "turns once", "turns on", "digest 8:00", "quiet 22-7", "reminders off", "reminders 50% 24h", "messages on", "language de".

# Mails to the server that answer none of its mails.
how-to-move-subject = How to move by mail
how-to-move-title = Answer the mail about your game
how-to-move-text = Your mail came to the address of the server, and so it is not sure who sent it, and for which game. Each mail has an address of its own for answers: open the newest mail about the game and choose "Reply". Or answer this one, with the number of the game before your move, as in "#12 …"; "help" tells what else you can write.
how-to-move-waiting = These games wait for you:

# What an operator did.
moderation-mail-subject = What the operator has decided about you
moderation-mail-warning = You were reported, and the operator of this server warns you.
moderation-mail-mute-until = You were reported, and the operator of this server has muted you until { $ends }. You play on, and write nothing at tables.
moderation-mail-mute = You were reported, and the operator of this server has muted you for good. You play on, and write nothing at tables.
moderation-mail-close = You were reported, and the operator of this server has closed your account. You cannot log in, and your seats resign the games that you are in.
moderation-mail-removal = You were reported, and the operator of this server has removed what you wrote. Nobody is shown it any more.
moderation-mail-reason = The reason:
moderation-mail-link = If this is wrong, you can appeal once, without logging in:
moderation-mail-button = Read and appeal
moderation-mail-why = You get this mail because it concerns your account { $name }.

# Webhooks: what chats are told, and the mail when one is switched off.
webhook-turn = Your turn: { $game }
webhook-started = Started: { $game }
webhook-over = Over: { $game }
webhook-moved = { $player } has acted: { $game }
webhook-said = { $player } writes in { $game }: { $text }
webhook-went-on = It goes on: { $game }
webhook-tournament-started = Begun: { $tournament }
webhook-tournament-round-began = Round { $round } begins: { $tournament }
webhook-tournament-round-ended = Round { $round } is over: { $tournament }
webhook-tournament-left = { $player } plays no more games: { $tournament }
webhook-tournament-finished = Over: { $tournament }
webhook-tournament-cancelled = Cancelled: { $tournament }
webhook-challenge = This webhook wants to tell of games here. If it may, its owner confirms it with this code:
webhook-disabled-subject = A webhook of yours was switched off
webhook-disabled-text = Your webhook to { $host } has failed since { $since }, so nothing is sent there any more.
webhook-disabled-then = Nothing is lost: once it works again and you verify it anew, it is told of everything from the first event that it missed.
webhook-disabled-button = My webhooks
webhook-disabled-why = You get this mail because a webhook of your account { $name } was switched off.
