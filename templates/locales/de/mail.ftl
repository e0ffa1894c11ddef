# Every mail.
hello = Hallo { $name },
hello-stranger = Guten Tag,
or-open = Oder öffne { $link }
why-player = Du bekommst diese Mail, weil du auf { $home } spielst.
stop-kind = Keine Mails dieser Art mehr: { $link }
stop-link = Keine Mails dieser Art mehr:
stop-label = ein Klick
log-checkpoint = Das Log aller Spiele: { $origin }, Größe { $size }, Wurzel { $root }
preferences = Antworte mit einer Zeile wie { $off }, { $digest } oder { $quiet }, um zu bestimmen, wann und wie du Bescheid bekommst.

# Mails about a game.
happened-since = Was seit deinem letzten Zug geschehen ist
happened-so-far = Was bisher geschehen ist
happened-at-the-end = Was zum Schluss geschah
board = Das Brett
notation = In Notation, zum Beispiel:
time-left = Du hast { $left } Zeit, bis { $deadline }.
time-left-short = Du hast { $left } Zeit.
button-see = Zum Spiel
link-see = Hier geht es zum Spiel:

turn-subject = { $game }: du bist am Zug
turn-title = Du bist am Zug in { $game }

pause-proposed-subject = { $game }: eine Pause?
resume-proposed-subject = { $game }: die Pause beenden?
pause-title = Eine Pause in { $game }?
resume-title = Die Pause in { $game } beenden?
pause-asked = { $by } schlägt vor, alle Uhren bis { $until } anzuhalten.
resume-asked = { $by } schlägt vor, die Pause jetzt zu beenden, damit alle Uhren weiterlaufen.
pause-how = Das gilt, sobald ihr alle zugestimmt habt. Antworte ja oder nein, oder stimm auf der Seite des Spiels zu oder lehn ab.
pause-link = Zustimmen oder ablehnen:
pause-button = Zustimmen oder ablehnen
seat-offered-subject = { $game }: ein Platz ist frei
seat-offered-title = Ein Platz in { $game } ist frei
seat-offered = { $before } möchte abgelöst werden und spielt weiter, bis jemand den Platz übernimmt.
seat-vacant = Die Zeit von { $before } ist abgelaufen. Bis { $until } kann jemand den Platz übernehmen; danach geht das Spiel ohne ihn weiter.
seat-how = Wer nicht in diesem Spiel ist, kann den Platz auf der Seite des Spiels übernehmen. Bei einem privaten Spiel zeigt dir die Seite den Link für andere.
seat-taken-subject = { $game }: jemand springt ein
seat-taken-title = Jemand springt in { $game } ein
seat-taken = { $by } hat den Platz von { $before } übernommen und spielt von jetzt an.

message-subject = { $game }: eine Nachricht am Tisch
message-title = Eine Nachricht in { $game }
message-how = Um zurückzuschreiben, antworte mit einer Zeile { $dashes } und deinem Text darunter.

reminder-subject = { $game }: deine Zeit läuft ab
reminder-title = Du bist noch am Zug in { $game }
reminder-opening = Zur Erinnerung: Du bist noch am Zug in { $game }.
reminder-holiday = Deine Zeit war abgelaufen oder wäre es, und so gilt dein Urlaub: Er hat { $days ->
    [one] einen Tag
   *[other] { $days } Tage
} und dauert, bis der { $last } vorüber ist. Von den Tagen dieses Jahres sind noch { $left } übrig.
reminder-time = Du hast noch { $left }, bis { $deadline }. Wenn du bis dahin nicht gezogen hast, bist du aus dem Spiel.

game-started-subject = { $game }: das Spiel hat begonnen
started-title = Dein Spiel { $game } hat begonnen
started-your-turn = Du bist am Zug.
started-not-yet = Du bist noch nicht am Zug: Eine Mail sagt dir, wann es so weit ist.

game-over-subject = { $game }: das Spiel ist zu Ende
over-title = Dein Spiel { $game } ist zu Ende
over-again = Um noch einmal zu spielen, antworte mit einem Wort:
over-button = Nachspielen und prüfen
over-link = Das Spiel mit seiner Aufzeichnung, zum Nachspielen und Prüfen:

expired-subject = { $game }: das Spiel ist verfallen
expired-title = Dein Spiel { $game } ist verfallen
expired-text = Dein Spiel { $game }, angelegt am { $created }, ist verfallen, weil es nicht rechtzeitig begonnen hat.
expired-missing = { $missing ->
    [one] Eine Person hat gefehlt.
   *[other] { $missing } Personen haben gefehlt.
}
expired-full = Alle waren da, aber die öffentliche Zufallszahl, mit der es beginnen sollte, ist nicht gekommen.
expired-then = Niemand hat gewonnen oder verloren, und es gibt keine Aufzeichnung davon. Wenn du noch spielen möchtest, leg so ein Spiel neu an.
expired-button = Ein neues Spiel anlegen
expired-link = Hier legst du ein neues Spiel an:

# All games at once.
digest-subject = { $count ->
    [one] Ein Spiel wartet auf dich
   *[other] { $count } Spiele warten auf dich
}
digest-title = { $count ->
    [one] Ein Spiel wartet auf dich
   *[other] { $count } Spiele warten auf dich
}
digest-left = Noch { $left }, bis { $deadline }
digest-no-limit = Ohne Zeitbegrenzung
digest-news = Was geschehen ist
digest-more-news = { $count ->
    [one] … und eines mehr, das die Seiten zeigen.
   *[other] … und { $count } mehr, die die Seiten zeigen.
}
digest-news-subject = Neues zu deinen Spielen
digest-problem-subject = Die Aufgabe des Tages: { $title }
digest-problem-link = Hier beantwortest du sie:
digest-problem-button = Beantworten
digest-problem-before = Die Lösung der Aufgabe von gestern
digest-how = Um in einem dieser Spiele zu ziehen, antworte mit seiner Nummer vor dem Zug, wie in { $line }
digest-example = #{ $number } …
digest-others = Wo du auf andere wartest
digest-open = Wo noch jemand mitspielen muss
digest-nothing = Du bist in keinem Spiel, das nicht zu Ende ist. Eine Zeile wie „neu“ mit dem Namen eines Spiels eröffnet eines.
digest-waits = { $player } ist am Zug
why-digest = Du bekommst diese Mail einmal am Tag, weil du auf { $home } darum gebeten hast.

# Invitations.
invitation-subject = { $from } lädt dich zu einem Spiel { $rules } ein
invitation-subject-stranger = Eine Einladung zu einem Spiel { $rules }
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
invitation-bank = Jeder hat ein Zeitkonto: { $start } zu Beginn, und mit jedem Zug { $gain } mehr.
invitation-no-limit = Es gibt keine Zeitbegrenzung für einen Zug.
invitation-substitutes = Gibt jemand seinen Platz auf, darf ihn jemand anderes übernehmen.
invitation-answered-subject = Dein Spiel { $rules }: noch ein Schritt
invitation-answered-title = Noch ein Schritt zu deinem Spiel { $rules }
invitation-answered-text = Du hast auf die Einladung von { $from } geantwortet. Um mitzuspielen, brauchst du hier nur einen Namen: Wähl ihn auf der Seite des Spiels, mit dieser Adresse, und spiel mit. Von da an geht alles per Mail.
invitation-button = Mitspielen
invitation-link = Hier geht es zum Spiel:
invitation-how = Oder antworte auf diese Mail: ja, um mitzuspielen, nein, um abzulehnen.
invitation-why = Du bekommst diese Mail, weil { $from } auf { $home } spielt und deine Adresse genannt hat. Wenn du nicht mitspielen möchtest, musst du nichts tun.
invitation-block = Willst du keine mehr von { $from }, nimm den letzten Link dieser Mail.

# Challenges on ladders.
challenge-subject = { $from } fordert dich auf der Rangliste von { $rules } heraus
challenge-until = Nimm bis { $until } an, dann beginnt ein Spiel.
challenge-otherwise = Sonst nimmt { $from } deinen Platz ein, als hättest du das Spiel verloren.
challenge-last = Schon die letzte Herausforderung hast du nicht beantwortet: Bleibt auch diese ohne Antwort, stehst du nicht mehr auf der Rangliste.
challenge-holidays = Tage eines Urlaubs, den du einträgst, zählen nicht.
challenge-button = Herausforderung annehmen
challenge-link = Hier nimmst du sie an:
challenge-why = Du bekommst diese Mail, weil { $name } auf { $home } auf einer Rangliste steht.

# Clubs.
club-subject-asked = { $player } möchte in deinen Club
club-subject-admitted = Du bist im Club
club-subject-refused = Der Club hat dich nicht aufgenommen
club-text-asked = { $player } möchte in deinen Club { $club }. Du oder jemand anderes, dem der Club gehört, entscheidet das auf der Seite des Clubs.
club-text-admitted = Der Club { $club } hat dich aufgenommen.
club-text-refused = Der Club { $club } hat dich nicht aufgenommen. Es gibt andere Clubs, und alle können einen gründen.
club-button = Club öffnen
club-link = Die Seite des Clubs:
club-why-owner = Du bekommst diese Mail, weil dieser Club auf { $home } { $name } gehört.
club-why-asked = Du bekommst diese Mail, weil { $name } auf { $home } in diesen Club wollte.

# Accounts.
confirm-subject = Bestätige deine E-Mail-Adresse
confirm-title = Bitte bestätige deine Adresse
confirm-preview = Dann können wir dir sagen, wann du am Zug bist.
confirm-text = Bitte bestätige, dass dies deine Adresse ist. Dann kann { $home } dir per Mail sagen, wann du am Zug bist.
confirm-how = Oder antworte auf diese Mail mit einem Wort:
confirm-help-subject = So bestätigst du deine E-Mail-Adresse
confirm-help-text = In deiner Antwort stand kein klares Ja, deshalb ist nichts geschehen. Wenn du Mails von { $home } an diese Adresse willst, antworte mit einem Wort:
confirm-help-link = Oder öffne diesen Link:
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

in-use-subject = Jemand hat deine Adresse für ein Konto angegeben
in-use-preview = Deine Adresse gehört schon zu deinem Konto.
in-use-text = Jemand hat deine Adresse für ein weiteres Konto auf { $home } angegeben. Daraus ist nichts geworden: Deine Adresse gehört zu deinem Konto { $name }.
in-use-you = Wenn du das warst: Melde dich wie bisher an, oder setze ein neues Passwort.
in-use-why = Du bekommst diese Mail, weil jemand deine Adresse auf dem oben genannten Server angegeben hat. Wenn du das nicht warst, musst du nichts tun.

changed-subject = Dein Konto hat eine neue E-Mail-Adresse
changed-text = Dein Konto { $name } auf { $home } hat ab jetzt eine andere E-Mail-Adresse. Sie wurde mit einem Link bestätigt, der dorthin ging.
changed-not-you = Wenn du das nicht warst, kennt jemand dein Passwort und liest Mails an die neue Adresse: Melde dich an und ändere Passwort und Adresse, oder wende dich an die Betreiber des Servers.
changed-why = Du bekommst diese letzte Mail, weil dies die Adresse des Kontos { $name } war.

# Answers to players' mails.
to-move = Um zu ziehen, antworte auf diese Mail mit deinem Zug in der ersten Zeile. "Hilfe" sagt dir, was du noch schreiben kannst.
answer-subject-moved = { $game }: { $done } erledigt
answer-subject-stopped = { $game }: { $done } erledigt, der Rest nicht
answer-subject-resigned = { $game }: du hast aufgegeben
answer-subject-told = { $game }: so steht es
answer-subject-preferences = { $game }: deine Einstellungen sind geändert
answer-subject-orders = { $game }: deine Aufträge für später
answer-subject-message = { $game }: deine Nachricht ist am Tisch
answer-subject-empty = { $game }: deine Mail war leer
answer-subject-unreadable = { $game }: nicht verstanden
answer-subject-incomplete = { $game }: nicht vollständig
answer-subject-no_order = { $game }: kein Zug gefunden
answer-subject-no_game = { $game }: welches?
answer-subject-not_started = { $game }: noch nicht begonnen
answer-subject-did = { $game }: worum du gebeten hast
answer-subject-games = { $game }
answer-subject-too_much = { $game }: deine Mail war zu lang
answer-subject-sealed = { $game }: deine Mail ließ sich nicht öffnen
answer-subject-too_many_mails = { $game }: heute keine Mails mehr
answer-subject-preview = { $game }: nach { $orders }
answer-subject-asked = { $game }: meintest du { $orders }?
answer-subject-declined = { $game }: nichts gespielt
answer-subject-pause_agreed = { $game }: du hast zugestimmt
answer-subject-pause_declined = { $game }: du hast abgelehnt
answer-subject-pause_gone = { $game }: nichts geschehen, der Vorschlag gilt nicht mehr
answer-subject-confirmed = Deine E-Mail-Adresse ist bestätigt
answer-subject-nothing_asked = { $game }: nichts war gefragt
answer-subject-illegal = { $game }: nicht möglich
answer-subject-not_your_turn = { $game }: du bist nicht am Zug
answer-subject-left = { $game }: du bist ausgestiegen
answer-subject-game_over = { $game }: das Spiel ist zu Ende
answer-subject-too_long = { $game }: das Spiel ist zu lang
answer-subject-late = { $game }: nichts geschehen, das Spiel ist weiter
answer-subject-used = { $game }: nichts geschehen, schon beantwortet
answer-subject-expired = { $game }: nichts geschehen, die Mail war zu alt
answer-subject-other_address = { $game }: eine Mail von einer anderen Adresse
answer-subject-no_sender = { $game }: eine Mail ohne klaren Absender
answer-subject-forged = { $game }: eine Mail mit gefälschtem Absender
answer-subject-confirm_resign = { $game }: möchtest du aufgeben?
answer-subject-unknown = { $game }: deine Mail ist angekommen

answer-moved = Erledigt: { $done }.
answer-resigned = Du hast aufgegeben: { $game }.
answer-your-games = Deine Spiele
answer-no_game = Deine Mail gehört zu keinem einzelnen Spiel, und so ist nichts geschehen. Beginn die Zeile mit der Nummer des Spiels, wie in „#12 …“; „Partien“ zeigt deine.
answer-not_started = Das Spiel hat noch nicht begonnen, und so ist nichts geschehen. Eine Mail sagt dir, wenn es beginnt.
answer-did-join-unsure = Möchtest du mitspielen? Dann antworte auf die Einladung mit einem Wort: ja. Deine Mail sagte es nicht eindeutig.
answer-did-nothing = Worum du sonst batest, ist nicht geschehen, denn deine Mail sagte es nicht eindeutig. Schreib es noch einmal in eine eigene Zeile.
answer-did-no-number = Keines deiner Spiele hat die Nummer { $number }. „Partien“ zeigt sie.
answer-did-opened = Du hast das Spiel #{ $number } eröffnet: { $about }, für { $more } Spieler. Um jemanden einzuladen, antworte mit einer Zeile wie „#{ $number } einladen bob“: ein Spielername oder eine Adresse.
answer-did-joined = Du spielst mit in Spiel #{ $number }: { $about }. Eine Mail sagt dir, wenn du am Zug bist.
answer-did-in-already = Du spielst in diesem Spiel schon mit.
answer-did-join-which = In welchem Spiel möchtest du mitspielen? „mitspielen“ steht allein in der Antwort auf eine Einladung; sonst folgt ein Name: { $about }.
answer-did-none-open = Kein Spiel { $about } wartet gerade auf Mitspieler. „neu { $more }“ eröffnet eines.
answer-did-declined = Du hast abgelehnt. Niemand erfährt davon, und du musst sonst nichts tun.
answer-did-invited = Eingeladen zu Spiel #{ $number }: { $about }.
answer-did-none-to-invite-to = Keines deiner Spiele wartet auf Mitspieler, und so ist niemand eingeladen. Eine Zeile wie „neu“ mit dem Namen eines Spiels eröffnet eines.
answer-did-rematch = Du hast das Spiel #{ $number } eröffnet, noch einmal { $about }, und { $more } eingeladen.
answer-did-not-over = Eine Revanche folgt, wenn das Spiel zu Ende ist.
answer-did-which-game = Es ist nicht klar, für welches deiner Spiele das war. Beginn die Zeile mit seiner Nummer, wie in „#12 …“; „Partien“ zeigt sie.
answer-did-pause-proposed = Du hast vorgeschlagen, dass alle Uhren stillstehen, bis { $about } vorüber ist. Es gilt, sobald alle zugestimmt haben.
answer-did-resume-proposed = Du hast vorgeschlagen, dass die Uhren weiterlaufen. Es gilt, sobald alle zugestimmt haben.
answer-did-no-pause = So lassen sich die Uhren dieses Spiels gerade nicht ändern: Nur Uhren, die ablaufen können, stehen still, höchstens 60 Tage, und nur ein Vorschlag wartet zur selben Zeit.
answer-did-holiday = Du hast Urlaub vom { $about } bis zum { $more }. In Spielen, die Urlaub beachten, steht deine Uhr so lange still.
answer-did-no-holiday = Ein Urlaub beginnt heute oder innerhalb eines Jahres und hat höchstens 28 Tage. Nichts ist eingetragen.
answer-did-holiday-twice = An einigen dieser Tage hast du schon Urlaub. Nichts ist eingetragen.
answer-did-holiday-over = Von deinen Urlaubstagen in { $more } sind noch { $about } übrig. Nichts ist eingetragen.
answer-did-no-days = „{ $about }“ nennt keinen Tag, den ich lesen kann. Schreib „12.12.-20.12.“ oder „2026-12-12 2026-12-20“.
answer-did-note-kept = Deine Notiz ist aufgehoben. Niemand sonst sieht sie.
answer-did-note-gone = Deine Notiz ist weg.
answer-did-note-none = Du hast keine Notiz zu diesem Spiel. „Notiz“ und was du dir merken willst, beginnt eine.
answer-did-note-long = Dafür ist in deiner Notiz kein Platz: Sie hat höchstens 4000 Zeichen.
answer-did-note = Deine Notiz: { $about }
answer-did-notation = { $about }: { $more }
answer-did-no-rules = Ein Spiel „{ $about }“ gibt es hier nicht. Es gibt: { $more }.
answer-did-no-seats = Dieses Spiel ist für { $about } bis { $more } Spieler.
answer-did-no-options = Nichts ist eröffnet: { $about } { $more ->
    [none] hat keine Optionen, und so steht der Name allein.
   *[other] hat keine solchen Optionen. Hinter dem Namen kann stehen: { $more }.
}
answer-did-no-player = Es gibt keinen Spieler namens „{ $about }“.
answer-did-full = In dem Spiel ist kein Platz mehr frei.
answer-did-gone = Das Spiel gibt es nicht mehr: Es wurde abgesagt, ehe es begann.
answer-did-started = Das Spiel hat begonnen, und so kann niemand mehr eingeladen werden.
answer-did-not-in = Du spielst in diesem Spiel nicht mit.
answer-did-not-confirmed = Bestätige erst deine eigene Adresse.
answer-did-many-invitations = Du hast so viele eingeladen, wie du vorerst darfst.
answer-did-too-often = Darum hast du zuletzt oft gebeten, und so ist nichts geschehen. Warte eine Weile und schreib es noch einmal.
answer-did-many-games = Du hast so viele Spiele, wie du haben darfst. Ist eines zu Ende, kannst du ein anderes beginnen.
who-acts-until = { $player } ist am Zug und hat noch { $left }.
who-acts = { $player } ist am Zug, ohne Zeitbegrenzung.
who-waits = { $player } wartet.
who-left = { $player } ist ausgestiegen.
answer-told = So steht { $game }.
answer-empty = Über dem, was deine Mail zitiert, stand nichts, und so ist nichts geschehen. Schreib deinen Zug in die erste Zeile der Antwort.
answer-no_order = In deiner Mail war kein Zug zu finden, und so ist nichts geschehen.
answer-unreadable = Ich habe "{ $part }" nicht verstanden. { $why }. Nichts ist geschehen.
answer-unreadable-after = Ich habe "{ $understood }" verstanden, aber nicht "{ $rest }" danach. { $why }. Nichts ist geschehen.
answer-unreadable-after-whole = Ich habe "{ $understood }" verstanden, aber nicht "{ $rest }" danach. Nichts ist geschehen.
answer-incomplete = "{ $part }" ist nicht vollständig. { $why }. Nichts ist geschehen.
answer-too_much = Deine Mail enthält mehr, als ich lese, deshalb ist nichts geschehen: von dir selbst höchstens 200 Zeilen mit 300 Anweisungen, mit allem Zitierten 3000 Zeilen, und nur, was in den ersten 256 Kilobyte steht, Bilder und Dateien mitgezählt. Schreib eine neue Antwort mit deinem Zug in der ersten Zeile.
answer-sealed = Deine Mail ist verschlüsselt oder mit ihrer Signatur verpackt (S/MIME), und nur dein Mailprogramm kann sie öffnen. Deshalb habe ich nichts gelesen. Schick sie noch einmal als reinen Text.
answer-too_many_mails = Ich habe binnen eines Tages 300 Mails von dir gelesen, deshalb habe ich diese nicht gelesen, und nichts ist geschehen. Bis es weniger sind, lese ich keine mehr. Ziehen kannst du auf der Seite des Spiels.
answer-preview = So steht das Spiel nach { $orders }. Noch ist nichts gespielt. Um es zu spielen, antworte auf diese Mail mit einem Wort:
answer-asked = Meintest du { $orders }? Dann antworte auf diese Mail mit einem Wort:
answer-asked-how = Noch ist nichts gespielt, denn deine Mail sagte es nicht eindeutig: Was folgt, zeigt das Spiel, wie es dann stünde. Für einen anderen Zug schreib ihn allein in die erste Zeile.
answer-declined = Nichts wurde gespielt.
answer-pause_agreed = Du hast zugestimmt. Es gilt, sobald alle zugestimmt haben.
answer-pause_declined = Du hast abgelehnt, und die Uhren bleiben, wie sie sind.
answer-pause_gone = Was die Mail vorschlug, wartet nicht mehr auf dich; deshalb ist nichts geschehen.
answer-confirmed = Deine Adresse ist bestätigt. Von jetzt an sagt dir eine Mail, wenn du am Zug bist. Mehr brauchst du nicht zu tun. Um ein Spiel zu beginnen, antworte mit einer Zeile wie „neu“ mit dem Namen eines Spiels; „mitspielen“ setzt dich in eines, das auf Spieler wartet, und „Hilfe“ sagt dir, was du noch schreiben kannst.
answer-nothing_asked = Du hast ja oder nein gesagt, aber die Mail, auf die du antwortest, fragt nichts; deshalb ist nichts geschehen. Schreib deinen Zug in die erste Zeile der Antwort.
answer-illegal = "{ $part }" ist nicht möglich. { $why }. Nichts ist geschehen.
answer-stopped-unreadable = Dann habe ich "{ $part }" nicht verstanden. { $why }.
answer-stopped-unreadable-after = Dann habe ich "{ $understood }" verstanden, aber nicht "{ $rest }" danach. { $why }. Das ist nicht geschehen.
answer-stopped-unreadable-after-whole = Dann habe ich "{ $understood }" verstanden, aber nicht "{ $rest }" danach. Das ist nicht geschehen.
answer-stopped-illegal = Dann war "{ $part }" nicht möglich. { $why }.
answer-stopped-turn_over = Mit "{ $last }" war dein Zug zu Ende, und so ist dies nicht geschehen: { $rest }.
answer-stopped-game_over = Mit "{ $last }" war das Spiel zu Ende, und so ist dies nicht geschehen: { $rest }.
answer-stopped-too_long = "{ $last }" war der letzte Zug, für den das Spiel Platz hat, und so ist dies nicht geschehen: { $rest }. Aufgeben kannst du noch.
answer-not-done = Was folgte, ist nicht geschehen: { $rest }.
answer-left-out = Diese Zeilen habe ich für keinen Zug gehalten und ausgelassen: { $lines }.
answer-expected = Erwartet: ein Zug wie `{ $first }` oder `{ $second }`
answer-expected-one = Erwartet: `{ $first }`
answer-no-command = Das ist hier kein Befehl
answer-too-many-actions = Eine Mail hat höchstens { $most } Züge
answer-resign-alone = Es muss allein stehen, ohne Züge
answer-not_your_turn = Du bist nicht am Zug, und so ist nichts geschehen. Eine Mail sagt dir, wann es so weit ist.
answer-left = Du bist aus diesem Spiel ausgestiegen, und so ist nichts geschehen.
answer-game_over = Das Spiel ist zu Ende, und so ist nichts geschehen.
answer-too_long = Das Spiel hat so viele Züge, wie ein Spiel haben kann, und so ist nichts geschehen. Aufgeben kannst du noch.
answer-late = Das Spiel ist weitergegangen seit der Mail, auf die du geantwortet hast, und so ist nichts geschehen. So steht es jetzt; um zu ziehen, antworte auf diese Mail.
answer-used = Die Mail, auf die du geantwortet hast, hatte ihre Arbeit schon getan, und so ist diesmal nichts geschehen. So steht das Spiel jetzt; um zu ziehen, antworte auf diese Mail.
answer-expired = Die Mail, auf die du geantwortet hast, ist zu alt, und so ist nichts geschehen. So steht das Spiel jetzt; um zu ziehen, antworte auf diese Mail.
answer-other_address = Jemand hat auf eine Mail an dich zu diesem Spiel geantwortet, von einer Adresse, die nicht die deines Kontos ist, und so ist nichts geschehen. Wenn du das warst, antworte von dieser Adresse. Wenn nicht, hat jemand eine Mail von dir gesehen; von anderswo kann damit niemand für dich ziehen.
answer-no_sender = Auf eine Mail an dich zu diesem Spiel kam eine Antwort, die keinen Absender nennt oder mehr als einen, und so ist nichts geschehen. Wenn du das warst, trage deine Adresse in deinem Mailprogramm ein und antworte noch einmal.
answer-forged = Auf eine Mail an dich zu diesem Spiel kam eine Antwort mit deiner Adresse als Absender, aber der Mailserver hält den Absender für gefälscht, und so ist nichts geschehen. Wenn du das warst, schicke sie über den Mailserver deiner eigenen Adresse.
answer-doubted = Der Mailserver bezweifelt, dass diese Mail von dir kam. Wenn nicht, hat jemand anders eine Mail von dir gesehen.
answer-confirm_resign = Du möchtest aufgeben: { $game }. Dann antworte auf diese Mail mit dieser Zeile:
answer-unknown = Deine Mail ist angekommen. Was sie bewirkt hat, zeigt das Spiel, das jetzt so steht.
answer-unsubscribed = Du bekommst keine Mails über deine Züge mehr und keine Erinnerungen. Um das zurückzunehmen, antworte mit den Zeilen „Züge an“ und „Erinnerungen an“.
answer-preferences = Deine Einstellungen sind geändert.
answer-orders-given = Von jetzt an gelten diese Aufträge für später. Niemand sonst weiß davon, und sie enden mit allem, was sie nicht sagen:
answer-orders-shown = Das sind deine Aufträge für später:
answer-orders-without = Du hast in diesem Spiel keine Aufträge für später.
answer-orders-cancelled = Deine Aufträge für später sind gestrichen.
answer-orders-not_taken = Deine Aufträge für später wurden nicht angenommen. Die von früher gelten weiter.
answer-orders-unsure = Deine Aufträge für später sind, wie sie waren, denn deine Mail sagte nicht eindeutig, was anders werden soll. Schreib es noch einmal und sonst nichts.
answer-orders-your_turn = Du bist noch am Zug, und was andere danach tun, lässt sich erst beantworten, wenn du gezogen hast. Deine Aufträge für später wurden also nicht angenommen: Schreib deinen Zug darüber.
answer-orders-late = Das Spiel ist weitergegangen seit der Mail, auf die du geantwortet hast, und so wurden deine Aufträge für später nicht angenommen.
answer-orders-too_many = Deine Aufträge für später sind zu viele und wurden nicht angenommen: höchstens 100 Zweige mit je 10 Zügen von dir, und 8 Antworten.
orders-not-always = Zu "immer" gehört eine Antwort, die man im Voraus geben kann, oder "erzwungen"
orders-too-many = Das sind zu viele Aufträge
orders-contradict = Eine Zeile darüber sagt etwas anderes für denselben Fall
orders-not-notation = Das ist kein Zug in Notation
orders-not-complete = Zwischen "wenn" und "dann" gehören Züge der anderen, hinter "dann" gehören deine
answer-table-told = Deine Nachricht ist am Tisch angekommen.
answer-table-part = Nur dies wurde dem Tisch gesagt: "{ $text }" Was darunter stand, sieht wie eine Signatur oder eine zitierte Mail aus und wurde ausgelassen.
answer-table-empty = Unter den Strichen stand nichts von dir, und so wurde dem Tisch nichts gesagt.
answer-table-signature = Was unter den Strichen stand, sieht wie eine Signatur oder eine zitierte Mail aus und wurde dem Tisch nicht gesagt.
answer-table-address = Deine Nachricht enthält einen Link oder eine Adresse, die nur du kennen solltest, und wurde dem Tisch nicht gesagt.
answer-table-too_long = Deine Nachricht ist zu lang und wurde dem Tisch nicht gesagt: höchstens 1000 Zeichen.
answer-table-too_many = Du hast dem Tisch in der letzten Stunde viel gesagt; diese Nachricht wurde nicht weitergegeben.
answer-table-muted = Der Betreiber hat dich stumm geschaltet, und so wurde deine Nachricht nicht weitergegeben.
answer-table-not_told = Auch deine Nachricht an den Tisch wurde nicht weitergegeben.
answer-also = Du hattest in der letzten Stunde viele Antworten; diese Mails von dir werden hier zusammen beantwortet:
answer-also-more = { $count ->
    [one] Eine weitere Mail von dir ist auch bearbeitet; was sie bewirkt hat, zeigt das Spiel.
   *[other] { $count } weitere Mails von dir sind auch bearbeitet; was sie bewirkt haben, zeigt das Spiel.
}
answer-legal = Was du jetzt darfst:
answer-more = und { $count } weitere
answer-happened = Was geschehen ist
answer-help = So schreibst du
answer-help-moves = Schreib deinen Zug in die erste Zeile deiner Antwort; mehr braucht es nicht. Mehrere Züge: einer je Zeile, oder mit ";" dazwischen; sie geschehen der Reihe nach, bis zum ersten, der nicht möglich ist.
answer-help-later = Für später, unter deinem Zug: "wenn", was die anderen tun, "dann", was du tust; "sonst" für alles andere; "immer erzwungen" spielt den einzigen möglichen Zug. "Aufträge" zeigt sie, "Aufträge aus" streicht sie.
answer-help-words = Außerdem: "Stand" (wie das Spiel steht), "Verlauf" (was geschehen ist), "wer" (mitspielt), "Vorschau" und ein Zug (zeigt das Spiel danach), "Pause 3 Tage", "Notiz" und ein Text nur für dich, "aufgeben" (du wirst noch einmal gefragt), "Hilfe".
answer-help-games = Deine Spiele: "Partien" zeigt sie. "#12" und ein Zug gilt dem Spiel mit dieser Nummer. "neu" und "mitspielen" mit dem Namen eines Spiels, "einladen" mit einem Namen oder einer Adresse, "Revanche", "Urlaub 12.12.-20.12.".
answer-help-table = Was auf eine Zeile "---" folgt, ist eine Nachricht an die anderen am Tisch.
answer-help-settings = Wie du Bescheid bekommst: "Mails aus" (keine mehr über deine Züge und keine Erinnerungen), "Züge aus", "Züge einmal", "Züge an", "Übersicht 8:00", "Ruhe 22-7", "Erinnerungen aus", "Erinnerungen 50% 24h", "Nachrichten an", "Sprache en".

# Mails to the server that answer none of its mails.
how-to-move-subject = So ziehst du per Mail
how-to-move-title = Antworte auf die Mail zu deinem Spiel
how-to-move-text = Deine Mail kam an die Adresse des Servers, und so ist nicht sicher, von wem sie kam und für welches Spiel. Jede Mail hat für Antworten eine eigene Adresse: Öffne die neueste Mail zu dem Spiel und wähle „Antworten“. Oder antworte auf diese, mit der Nummer des Spiels vor deinem Zug, wie in „#12 …“; „Hilfe“ sagt, was du sonst schreiben kannst.
how-to-move-waiting = Diese Spiele warten auf dich:

# What an operator did.
moderation-mail-subject = Was der Betreiber über dich entschieden hat
moderation-mail-warning = Du wurdest gemeldet, und der Betreiber dieses Servers verwarnt dich.
moderation-mail-mute-until = Du wurdest gemeldet, und der Betreiber dieses Servers hat dich bis { $ends } stumm geschaltet. Du spielst weiter, schreibst aber nichts mehr an Tische.
moderation-mail-mute = Du wurdest gemeldet, und der Betreiber dieses Servers hat dich für immer stumm geschaltet. Du spielst weiter, schreibst aber nichts mehr an Tische.
moderation-mail-close = Du wurdest gemeldet, und der Betreiber dieses Servers hat dein Konto geschlossen. Du kannst dich nicht anmelden, und deine Plätze geben die laufenden Spiele auf.
moderation-mail-removal = Du wurdest gemeldet, und der Betreiber dieses Servers hat entfernt, was du geschrieben hast. Niemand bekommt es mehr zu sehen.
moderation-mail-reason = Der Grund:
moderation-mail-link = Wenn das falsch ist, kannst du einmal widersprechen, ohne dich anzumelden:
moderation-mail-button = Lesen und widersprechen
moderation-mail-why = Du bekommst diese Mail, weil es dein Konto { $name } betrifft.

# Webhooks: what chats are told, and the mail when one is switched off.
webhook-turn = Du bist dran: { $game }
webhook-started = Begonnen: { $game }
webhook-over = Vorbei: { $game }
webhook-moved = { $player } hat gehandelt: { $game }
webhook-said = { $player } schreibt in { $game }: { $text }
webhook-went-on = Es geht weiter: { $game }
webhook-tournament-started = Begonnen: { $tournament }
webhook-tournament-round-began = Runde { $round } beginnt: { $tournament }
webhook-tournament-round-ended = Runde { $round } ist vorbei: { $tournament }
webhook-tournament-left = { $player } spielt nicht weiter mit: { $tournament }
webhook-tournament-finished = Vorbei: { $tournament }
webhook-tournament-cancelled = Abgesagt: { $tournament }
webhook-challenge = Dieser Webhook will hier von Spielen berichten. Wenn er das darf, bestätigt ihn sein Besitzer mit diesem Code:
webhook-disabled-subject = Einer deiner Webhooks wurde abgeschaltet
webhook-disabled-text = Dein Webhook an { $host } schlägt seit { $since } fehl. Deshalb wird dorthin nichts mehr gesendet.
webhook-disabled-then = Nichts geht verloren: Sobald er wieder funktioniert und du ihn neu bestätigst, erfährt er alles ab dem ersten Ereignis, das ihm fehlt.
webhook-disabled-button = Meine Webhooks
webhook-disabled-why = Du bekommst diese Mail, weil ein Webhook deines Kontos { $name } abgeschaltet wurde.
