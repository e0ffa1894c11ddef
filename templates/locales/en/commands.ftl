# Words that mails are understood by, in any language; several with commas. What stands first is what mails suggest.
command-status = status, board
command-history = history
command-help = help, ?
command-resign = resign
command-turns = turns
command-reminders = reminders
command-messages = messages
command-digest = digest
command-quiet = quiet
command-language = language
command-orders = orders
command-games = games, list
command-who = who, players
command-preview = preview
command-new = new
command-join = join
command-invite = invite
command-rematch = rematch
command-pause = pause
command-holiday = holiday, holidays, vacation
command-note = note
command-on = on, each, yes
command-off = off, none, no
command-once = once
command-yes = yes, y, yes please, yes do it, yes play it, ok, okay, sure
command-unsubscribe = unsubscribe, unsubscribe me, stop, mails off, stop mails, no more mails
command-no = no, n, no thanks, nope

# Lines that mails suggest.
suggest-off = turns off
suggest-digest = digest 8:00
suggest-quiet = quiet 22-7
suggest-rematch = rematch
suggest-yes = yes
suggest-no = no

# Words that negate, ask, correct, weigh or put off, alone or in pairs: beside an order they make it doubtful.
doubt-words = no, not, never, don't, don’t, dont, doesn't, didn't, won't, can't, cannot, couldn't, shouldn't, wouldn't, isn't, nothing, neither, nor, instead, rather, or, if, unless, but, actually, wait, oops, cancel, undo, revert, stop, hold, ignore, forget, disregard, meant, mean, mistake, wrong, maybe, perhaps, probably, possibly, unsure, undecided, whether, wonder, wondering, think, thinking, thought, thoughts, could, should, would, might, better, worse, option, options, either, alternatively, correction, scratch, when, once, after, later, tomorrow, soon as, next turn, next week, that back, it back, take back, make that, make it, my mind
# Words of a line that leads to an order, as in `My move:`.
leading-words = move, moves, turn, order, orders, play

# The words of orders for later, as in `if d4 n1 then store`, `otherwise pass`, `always occupy all`, `always forced`.
orders-if = if
orders-then = then
orders-otherwise = otherwise, else
orders-always = always
orders-forced = forced
