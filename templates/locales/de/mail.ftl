# Jede Mail.
hello = Hallo { $name },
hello-stranger = Guten Tag,
or-open = Oder öffne { $link }
why-player = Du bekommst diese Mail, weil du auf { $home } spielst.
stop-kind = Keine Mails dieser Art mehr: { $link }
stop-link = Keine Mails dieser Art mehr:
stop-label = ein Klick
wishes = Wann und wie du Bescheid bekommst, bestimmst du: { $address } auf der { $page }.
api-page = API-Seite

# Mails zu einem Spiel.
happened-since = Was seit deinem letzten Zug geschehen ist
happened-so-far = Was bisher geschehen ist
happened-at-the-end = Was zum Schluss geschah
board = Das Brett
notation = In Notation, zum Beispiel:
time-left = Du hast { $left } Zeit, bis { $deadline }.
time-left-short = Du hast { $left } Zeit.
button-move = Zum Zug
button-see = Zum Spiel
link-move = Hier geht es zu deinem Zug:
link-see = Hier geht es zum Spiel:

turn-subject = { $game }: du bist am Zug
turn-title = Du bist am Zug in { $game }

reminder-subject = { $game }: deine Zeit läuft ab
reminder-title = Du bist noch am Zug in { $game }
reminder-opening = Zur Erinnerung: Du bist noch am Zug in { $game }.
reminder-time = Du hast noch { $left }, bis { $deadline }. Wenn du bis dahin nicht gezogen hast, bist du aus dem Spiel.

started-subject = { $game }: das Spiel hat begonnen
started-title = Dein Spiel { $game } hat begonnen
started-your-turn = Du bist am Zug.
started-not-yet = Du bist noch nicht am Zug: Eine Mail sagt dir, wann es so weit ist.

over-subject = { $game }: das Spiel ist zu Ende
over-title = Dein Spiel { $game } ist zu Ende
over-button = Nachspielen und prüfen
over-link = Das Spiel mit seiner Aufzeichnung, zum Nachspielen und Prüfen:

# Alle Spiele auf einmal.
digest-subject = { $count ->
    [one] Ein Spiel wartet auf dich
   *[other] { $count } Spiele warten auf dich
}
digest-title = { $count ->
    [one] Ein Spiel wartet auf dich
   *[other] { $count } Spiele warten auf dich
}
digest-left = noch { $left }, bis { $deadline }
digest-no-limit = ohne Zeitbegrenzung
digest-others = Wo du auf andere wartest
digest-waits = { $player } ist am Zug
why-digest = Du bekommst diese Mail einmal am Tag, weil du auf { $home } darum gebeten hast.

# Einladungen.
invitation-subject = { $from } lädt dich zu einem Spiel { $rules } ein
invitation-title = { $from } lädt dich zu einem Spiel { $rules } per Mail ein
invitation-seats = { $seats ->
    [one] Es ist ein Spiel für eine Person.
   *[other] Es ist ein Spiel für { $seats } Personen.
}
invitation-joined = { $count ->
    [one] { $names } ist schon dabei.
   *[other] { $names } sind schon dabei.
}
invitation-limit = Für jeden Zug gibt es { $limit } Zeit.
invitation-no-limit = Es gibt keine Zeitbegrenzung für einen Zug.
invitation-button = Mitspielen
invitation-link = Hier geht es zum Spiel:
invitation-why = Du bekommst diese Mail, weil { $from } auf { $home } spielt und deine Adresse genannt hat. Wenn du nicht mitspielen möchtest, musst du nichts tun.

# Konten.
confirm-subject = Bestätige deine E-Mail-Adresse
confirm-title = Bitte bestätige deine Adresse
confirm-preview = Dann können wir dir sagen, wann du am Zug bist.
confirm-text = Bitte bestätige, dass dies deine Adresse ist. Dann kann { $home } dir per Mail sagen, wann du am Zug bist.
confirm-button = Diese Adresse bestätigen
confirm-link = Bestätige sie hier:
confirm-expires = Der Link gilt bis { $expires }.
confirm-why = Du bekommst diese Mail, weil jemand deine Adresse für das Konto { $name } angegeben hat. Wenn du das nicht warst, musst du nichts tun: Ohne deine Bestätigung kommen keine Mails zu Spielen.

reset-subject = Neues Passwort setzen
reset-text = Du kannst ein neues Passwort für dein Konto auf { $home } setzen.
reset-button = Neues Passwort setzen
reset-link = Setze es hier:
reset-expires = Der Link gilt einmal, bis { $expires }.
reset-why = Du bekommst diese Mail, weil jemand um ein neues Passwort für das Konto { $name } gebeten hat. Wenn du das nicht warst, musst du nichts tun: Dein Passwort bleibt, wie es ist.

# Antworten auf Mails, die gespielt werden.
to-move = Um zu ziehen, antworte auf diese Mail mit deinem Zug in der ersten Zeile. "help" in der ersten Zeile sagt dir, was du noch schreiben kannst.
answer-subject = { $game }: deine Mail
answer-subject-refused = { $game }: deine Mail wurde nicht verstanden
answer-moved = Erledigt: { $asked }.
answer-resigned = Du hast aufgegeben: { $game }.
answer-told = So steht { $game }.
answer-empty = Über dem, was deine Mail zitiert, stand nichts, und so ist nichts geschehen. Schreib deinen Zug in die erste Zeile der Antwort.
answer-unreadable = "{ $part }" ist nicht zu lesen: { $why }. Nichts ist geschehen.
answer-illegal = "{ $part }" ist nicht möglich: { $why }. Nichts ist geschehen.
answer-line-too-long = Eine Zeile mit Befehlen hat höchstens { $most } Zeichen
answer-too-many-actions = Eine Mail hat höchstens { $most } Aktionen
answer-resign-alone = Es steht für sich, ohne Aktionen
answer-message-too-long = Eine Nachricht an den Tisch hat höchstens { $most } Zeichen
answer-not_your_turn = Du bist nicht am Zug, und so ist nichts geschehen. Eine Mail sagt dir, wann es so weit ist.
answer-left = Du bist aus diesem Spiel ausgestiegen, und so ist nichts geschehen.
answer-game_over = Das Spiel ist zu Ende, und so ist nichts geschehen.
answer-late = Das Spiel ist weitergegangen seit der Mail, auf die du geantwortet hast, und so ist nichts geschehen. So steht es jetzt; um zu ziehen, antworte auf diese Mail.
answer-used = Die Mail, auf die du geantwortet hast, hatte ihre Arbeit schon getan, und so ist diesmal nichts geschehen. So steht das Spiel jetzt; um zu ziehen, antworte auf diese Mail.
answer-expired = Die Mail, auf die du geantwortet hast, ist zu alt, und so ist nichts geschehen. So steht das Spiel jetzt; um zu ziehen, antworte auf diese Mail.
answer-other_address = Jemand hat auf eine Mail an dich zu diesem Spiel geantwortet, von einer Adresse, die nicht die deines Kontos ist, und so ist nichts geschehen. Wenn du das warst, antworte von dieser Adresse. Wenn nicht, hat jemand eine Mail von dir gesehen; von anderswo kann damit niemand für dich ziehen.
answer-confirm_resign = Du möchtest aufgeben: { $game }. Dann antworte auf diese Mail mit dieser Zeile:
answer-to-table = Deine Nachricht ist am Tisch angekommen.
answer-not-to-table = Auch deine Nachricht an den Tisch wurde nicht weitergegeben.
answer-legal = Was du jetzt darfst:
answer-more = und { $count } weitere
answer-happened = Was geschehen ist
answer-help = So schreibst du
answer-help-moves = Die ersten Zeilen deiner Antwort sind Aktionen in Notation, eine je Zeile, oder mehrere in einer Zeile mit ";" dazwischen. Sie geschehen alle oder keine.
answer-help-words = "status" und "board" sagen, wie das Spiel steht, "history", was geschehen ist, "resign" gibt auf (du wirst noch einmal gefragt), "help" sagt dies hier.
answer-help-table = Was auf eine Zeile "---" folgt, ist eine Nachricht an die anderen am Tisch.
answer-help-quotes = Was du zitierst, und was nach einer leeren Zeile kommt, wird nicht gelesen.
