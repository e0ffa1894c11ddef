# Wörter, an denen Mails verstanden werden, in jeder Sprache; mehrere mit Komma. Das erste schlagen Mails vor.
command-status = stand, brett
command-history = verlauf
command-help = hilfe
command-resign = aufgeben
command-turns = mails, züge
command-reminders = erinnerungen
command-digest = übersicht
command-quiet = ruhe
command-language = sprache
command-orders = aufträge
command-on = an, ein, ja
command-off = aus, keine, nein
command-once = einmal

# Zeilen, die Mails vorschlagen.
suggest-off = Mails aus
suggest-digest = Übersicht 8:00
suggest-quiet = Ruhe 22-7

# Die Wörter von Aufträgen für später, wie in `wenn d4 n1 dann store`, `sonst pass`, `immer occupy all`, `immer erzwungen`.
orders-if = wenn, falls
orders-then = dann
orders-otherwise = sonst
orders-always = immer
orders-forced = erzwungen
