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
command-on = on, each, yes
command-off = off, none, no
command-once = once

# Lines that mails suggest.
suggest-off = turns off
suggest-digest = digest 8:00
suggest-quiet = quiet 22-7
