# Every mail.
hello = Hello { $name },
hello-stranger = Hello,
or-open = Or open { $link }
why-player = You get this mail because you play at { $home }.
stop-kind = No more mails of this kind: { $link }
stop-link = No more mails of this kind:
stop-label = one click
wishes = When and how you are told is for you to choose: { $address } on the { $page }.
api-page = API page

# Mails about a game.
happened-since = What happened since your last move
happened-so-far = What has happened so far
happened-at-the-end = What happened at the end
board = The board
notation = In notation, for example:
time-left = You have { $left }, until { $deadline }.
time-left-short = You have { $left }.
button-move = Make your move
button-see = See the game
link-move = Make your move here:
link-see = See the game here:

turn-subject = { $game }: your turn
turn-title = It is your turn in { $game }

reminder-subject = { $game }: your time is running out
reminder-title = It is still your turn in { $game }
reminder-opening = A reminder: it is still your turn in { $game }.
reminder-time = You have { $left } left, until { $deadline }. If you have not moved by then, you are out of the game.

started-subject = { $game }: the game has started
started-title = Your game of { $game } has started
started-your-turn = It is your turn.
started-not-yet = It is not your turn yet: a mail will tell you when it is.

over-subject = { $game }: the game is over
over-title = Your game of { $game } is over
over-button = Replay and check the game
over-link = The game, with its record to replay and check:

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
digest-no-limit = no time limit
digest-others = Where you wait for others
digest-waits = { $player } is to move
why-digest = You get this mail once a day because you asked for it at { $home }.

# Invitations.
invitation-subject = { $from } invites you to a game of { $rules }
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
invitation-no-limit = There is no time limit for a move.
invitation-button = Join the game
invitation-link = Join here:
invitation-why = You get this mail because { $from }, who plays at { $home }, named your address. If you do not want to play, you need not do anything.

# Accounts.
confirm-subject = Confirm your e-mail address
confirm-title = Please confirm your address
confirm-preview = Then we can tell you when it is your turn.
confirm-text = Please confirm that this is your address. Then { $home } can tell you by mail when it is your turn.
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

# Answers to players' mails.
to-move = To move, answer this mail with your move in the first line. "help" in the first line tells what else you can write.
answer-subject = { $game }: your mail
answer-subject-refused = { $game }: your mail was not understood
answer-moved = Done: { $asked }.
answer-resigned = You have resigned { $game }.
answer-told = This is how { $game } stands.
answer-empty = There was nothing to read in your mail above what it quotes, so nothing was done. Write your move in the first line of the answer.
answer-unreadable = "{ $part }" cannot be read: { $why }. Nothing was done.
answer-illegal = "{ $part }" is not possible: { $why }. Nothing was done.
answer-line-too-long = a line of commands has at most { $most } characters
answer-too-many-actions = a mail has at most { $most } actions
answer-resign-alone = it stands alone, without actions
answer-message-too-long = a message to the table has at most { $most } characters
answer-not_your_turn = It is not your turn, so nothing was done. A mail will tell you when it is.
answer-left = You have left this game, so nothing was done.
answer-game_over = The game is over, so nothing was done.
answer-late = The game has moved on since the mail that you answered, so nothing was done. This is how it stands now; to move, answer this mail.
answer-used = The mail that you answered had done its work already, so nothing was done this time. This is how the game stands now; to move, answer this mail.
answer-expired = The mail that you answered is too old to be answered, so nothing was done. This is how the game stands now; to move, answer this mail.
answer-other_address = Somebody answered a mail to you about this game from an address that is not that of your account, so nothing was done. If it was you, answer from this address. If not, somebody has seen a mail of yours; nobody can move for you with it from elsewhere.
answer-confirm_resign = You want to resign { $game }. To do it, answer this mail with this line:
answer-to-table = Your message was told to the table.
answer-not-to-table = Your message to the table was not passed on either.
answer-legal = What you may do now:
answer-more = and { $count } more
answer-happened = What happened
answer-help = How to write
answer-help-moves = The first lines of your answer are actions in notation, one a line, or several in a line with ";" between them. They are done all or none.
answer-help-words = "status" and "board" tell how the game stands, "history" what has happened, "resign" gives up (you are asked once more), "help" tells this.
answer-help-table = What follows a line "---" is a message to the others at the table.
answer-help-quotes = What you quote, and what comes after an empty line, is not read.
