# Words that mails are understood by, in any language; several with commas. What stands first is what mails suggest.
command-status = status, board
command-history = history
command-help = help, ?
command-resign = resign
command-turns = turns
command-reminders = reminders
command-digest = digest
command-quiet = quiet
command-language = language
command-orders = orders
command-on = on, each, yes
command-off = off, none, no
command-once = once

# Lines that mails suggest.
suggest-off = turns off
suggest-digest = digest 8:00
suggest-quiet = quiet 22-7

# The words of orders for later, as in `if d4 n1 then store`, `otherwise pass`, `always occupy all`, `always forced`.
orders-if = if
orders-then = then
orders-otherwise = otherwise, else
orders-always = always
orders-forced = forced
