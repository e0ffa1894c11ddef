# Words that mails are understood by, in any language; several with commas. What stands first is what mails suggest.
command-status = stand, brett
command-history = verlauf
command-help = hilfe
command-resign = aufgeben
command-turns = züge, mails
command-reminders = erinnerungen
command-messages = nachrichten
command-digest = übersicht
command-quiet = ruhe
command-language = sprache
command-orders = aufträge
command-games = partien, spielliste
command-who = wer, mitspieler
command-preview = vorschau
command-new = neu
command-join = mitspielen, beitreten
command-invite = einladen
command-rematch = revanche
command-pause = pause
command-holiday = urlaub, ferien
command-note = notiz
command-on = an, ein, ja
command-off = aus, keine, nein
command-once = einmal
command-yes = ja, j, ja bitte, ja mach, ja gern
command-unsubscribe = abbestellen, abmelden, mails aus, keine mails mehr
command-no = nein, nö, nein danke

# Lines that mails suggest.
suggest-off = Züge aus
suggest-digest = Übersicht 8:00
suggest-quiet = Ruhe 22-7
suggest-rematch = Revanche
suggest-yes = ja
suggest-no = nein

# Words that negate, ask, correct, weigh or put off, alone or two together: beside an order they make it doubtful.
doubt-words = nicht, nichts, kein, keine, keinen, nie, niemals, nein, nö, sondern, oder, ob, falls, wenn, aber, lieber, eher, besser, stattdessen, statt, vielleicht, eventuell, vermutlich, unsicher, überlege, denke, glaube, meinte, falsch, fehler, irrtum, versehen, korrektur, halt, stopp, warte, moment, ups, vergiss, ignorier, ignoriere, könnte, sollte, würde, soll, sobald, nachdem, später, morgen, übermorgen, nächste runde, nächste woche, zurück, anders
# Words of a line that leads to an order, as in `Mein Zug:`.
leading-words = zug, züge, spiele, ziehe

# The words of orders for later, as in `wenn d4 n1 dann store`, `sonst pass`, `immer occupy all`, `immer erzwungen`.
orders-if = wenn, falls
orders-then = dann
orders-otherwise = sonst
orders-always = immer
orders-forced = erzwungen
