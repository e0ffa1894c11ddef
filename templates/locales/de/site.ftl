# Was jede Seite hat.
layout-skip = Zum Inhalt
layout-navigation = Seiten
layout-check = Ein Spiel prüfen
layout-log-in = Anmelden
layout-log-out = Abmelden
layout-sign-up = Mitmachen
layout-logged-in-as = Angemeldet als
layout-preferences = Einstellungen

# Konto anlegen und anmelden.
log-in-others = { $forgot } · Noch kein Konto? { $sign_up }.
log-in-forgot = Passwort vergessen?
log-in-sign-up = Mitmachen
sign-up-title = Mitmachen
sign-up-text = Mit einem Konto setzt du dich an Tische, und eine Mail sagt dir, wann du am Zug bist. Es kostet nichts, und sonst ist nichts dabei.
sign-up-handle = Dein Name hier
sign-up-handle-hint = Alle sehen ihn, und er bleibt in den Aufzeichnungen deiner Spiele. 2 bis 32 Buchstaben, Ziffern, Binde- und Unterstriche.
sign-up-handle-bad = Ein Name hat 2 bis 32 Buchstaben ohne Umlaute, Ziffern, Binde- und Unterstriche und beginnt und endet mit einem Buchstaben oder einer Ziffer.
sign-up-handle-taken = Diesen Namen hat schon jemand. Nimm einen anderen.
sign-up-email = E-Mail-Adresse
sign-up-email-hint = Niemand sieht sie. Mails kommen dorthin, wenn du am Zug bist; welche, bestimmst du.
sign-up-email-bad = Das ist keine E-Mail-Adresse.
sign-up-button = Konto anlegen
sign-up-have = Du hast schon ein Konto? { $log_in }.
forgot-title = Ein neues Passwort
forgot-text = Sag uns die Adresse deines Kontos, und eine Mail bringt dir einen Link, mit dem du ein neues Passwort setzt.
forgot-button = Schickt mir den Link
forgot-sent-title = Sieh in dein Postfach
forgot-sent-text = Wenn ein Konto diese Adresse hat, ist eine Mail mit einem Link unterwegs. Der Link gilt zwei Stunden.

# Sitzungen.
sessions-title = Wo du angemeldet bist
sessions-text = Jeder Browser und jedes Programm, mit dem du dich angemeldet hast. Kennst du eines nicht, dann beende es und ändere dein Passwort.
sessions-program = Ein Programm
sessions-this = dieser Browser
sessions-since = Seit { $since }, zuletzt benutzt am { $used }
sessions-end = Beenden

# Was schiefging.
error-onward = Weiter geht es auf der { $home }.
error-home = Startseite
error-foreign-form-title = Dieses Formular ist zu alt
error-foreign-form-text = Es stammt aus der Zeit, bevor du dich an- oder abgemeldet hast, oder von einer anderen Website. Geh zurück, lade die Seite neu und schick das Formular noch einmal.
error-log-in-title = Melde dich zuerst an
error-log-in-text = Deine Sitzung ist zu Ende, oder es gab keine. Melde dich an und versuch es noch einmal; geändert hat sich nichts.
error-not-found-title = Hier ist nichts
error-not-found-text = Vielleicht ist die Adresse nicht vollständig, oder was hier war, ist weg.
error-forbidden-title = Das ist nicht für dich
error-forbidden-text = Du darfst das nicht. Wenn du es doch dürfen solltest, melde dich unter einem anderen Namen an.
error-too-many-title = Das war zu schnell
error-too-many-text = Von dir oder aus deinem Netz kamen zu viele Anfragen. Die nächste geht in { $seconds ->
    [one] einer Sekunde
   *[other] { $seconds } Sekunden
}.
error-busy-title = Zu viel auf einmal
error-busy-text = Der Server hat gerade viel zu tun. Versuch es in ein paar Sekunden noch einmal.
error-failure-title = Etwas ist kaputtgegangen
error-failure-text = Du kannst nichts dafür, und wer den Server betreibt, kann es sehen. Deine Spiele sind sicher: Ein Zug, der als angenommen gemeldet wurde, bleibt.
error-bad-request-title = Das lässt sich nicht lesen
error-bad-request-text = Was dein Browser geschickt hat, passt nicht zu dieser Seite. Geh zurück und versuch es noch einmal.

# Wohin die Navigation führt.
language-name = Deutsch
# The direction of writing: ltr or rtl.
language-direction = ltr
layout-lobby = Spiele
layout-my-games = Meine Spiele
layout-rules = Regeln
layout-about = Über diesen Server
layout-api = Für Programme
layout-look = Sprache und Aussehen

# Die Startseite.
home-play = Jetzt spielen
home-look = Umsehen
home-how-1 = Setz dich.
home-how-1-text = Leg ein Spiel an oder setz dich dazu. Lade Freunde mit ihrem Namen, per Mail oder mit einem Link ein.
home-how-2 = Zieh, wann du magst.
home-how-2-text = Eine Stunde, ein Tag oder eine Woche für einen Zug: Das bestimmst du. Eine Mail zeigt dir das Brett; zieh auf der Seite oder antworte auf die Mail.
home-how-3 = Prüf alles nach.
home-how-3-text = Jeder Würfel und jede Karte liegt fest, bevor jemand es wissen kann, und alle können das ganze Spiel noch einmal durchspielen.
home-live = Gerade jetzt
home-live-alt = Das Brett von { $title } zwischen { $players }, wie es jetzt steht
home-example = { $title }, aus einem Beispielspiel
home-example-alt = Ein Brett von { $title }
home-mail-title = Es kommt in dein Postfach
home-mail-from = Von:
home-mail-subject = Betreff:
home-mail-subject-text = { $title }: Du bist am Zug
home-mail-text = Du bist am Zug und hast noch sechs Tage. Antworte auf diese Mail mit deinem Zug, oder öffne mit einem Klick die Seite.
home-games = Die Spiele
home-open-title = Spiele, die auf Mitspieler warten
home-all-open = Alle wartenden Spiele
home-honest = Du musst uns nicht glauben
home-honest-text = Bevor ein Spiel beginnt, legt sich der Server auf seinen Zufall fest, und alle Mitspieler geben etwas dazu. Die Aufzeichnung beweist, was geschah, bis zum letzten Würfel: { $check }, im Browser, auch ohne Netz.

# Listen von Spielen.
lobby-title = Spiele
lobby-create = Neues Spiel
lobby-filters = Welche Spiele zu sehen sind
lobby-open = Warten auf Mitspieler
lobby-running = Laufen
lobby-finished = Zu Ende
lobby-seats = Freie Plätze
substitutes-title = Ersatz
substitutes-allowed = Plätze können übernommen werden
new-game-substitutes = Ersatz
new-game-substitutes-hint = Wer aufgibt oder wessen Zeit abläuft, kann durch jemand anderes ersetzt werden. Ab drei Spielern.
new-game-substitutes-few = Ersatz gibt es ab drei Spielern.
lobby-all = Alle Spiele
lobby-empty = Gerade wartet kein Spiel auf Mitspieler. Leg eines an, dann können sich andere dazusetzen.
list-empty = Noch gibt es keine.
list-more = Mehr Spiele
list-private = privat
list-time-left = noch { $left }
pace-unlimited = ohne Zeitlimit
pace-per-turn = { $span } je Zug
pace-bank = { $start } auf dem Zeitkonto, mit jedem Zug { $gain } mehr
my-games-title = Meine Spiele
my-games-unconfirmed = Wir haben eine Mail an { $email } geschickt. Öffne den Link darin, um deine Adresse zu bestätigen: Bis dahin sagt dir keine Mail, wann du am Zug bist, und du kannst niemanden einladen.
my-games-empty = Du spielst noch nirgends mit. Leg ein Spiel an, oder setz dich zu einem, das auf Mitspieler wartet.
my-games-turns = { $count ->
    [one] Ein Spiel wartet auf dich
   *[other] { $count } Spiele warten auf dich
}
my-games-no-turn = Kein Spiel wartet auf dich
my-games-waiting = Noch nicht begonnen
player-since = Hier seit { $since }
player-me = Das sehen andere von dir. Nur du siehst: { $preferences }.
player-games = Öffentliche Spiele
player-no-games = Noch keine öffentlichen Spiele.
# Wie verlässlich jemand ist: Teile einer Zeile.
reliability-title = Verlässlichkeit:
reliability-new = noch keine Spiele
reliability-answers = antwortet in { $median }; { $games }
reliability-answers-most = antwortet in { $median } (9 von 10 Mal in { $most }); { $games }
reliability-finished = { $count } beendet
reliability-left = { $count } vorzeitig verlassen
reliability-timed-out = { $count } durch Zeitüberschreitung verloren
reliability-hint = Aus den neuesten 100 öffentlichen Spielen, die vorbei sind. Die Hälfte der Antworten brauchte nicht länger als die erste Zeit. Nächte, freie Tage, Urlaub und Pausen zählen nicht.

# Ein Spiel anlegen.
new-game-choose = Was soll es sein?
new-game-choose-text = Such ein Spiel aus. Dann sagst du, wie viele mitspielen und wie schnell.
new-game-title = Ein neues Spiel: { $title }
new-game-players = Mitspieler
new-game-players-hint = { $least } bis { $most }, mit dir. Wie viele gehen, hängt von den Optionen ab.
new-game-range = { $least } bis { $most }.
new-game-empty = Leer heißt: keine.
new-game-pace = Zeit für jeden Zug
new-game-pace-hint = Wer nicht rechtzeitig zieht, verliert seinen Platz. Vorher kommt eine Erinnerung.
new-game-seating = Wer beginnt
new-game-random = Die Plätze werden beim Beginn ausgelost
new-game-joined = In der Reihenfolge, in der sich alle setzen
new-game-visibility = Wer es sieht
new-game-public = Alle können zusehen und sich dazusetzen
new-game-private = Nur wer eingeladen ist oder den Link hat
new-game-button = Spiel anlegen
new-game-other = Ein anderes Spiel
new-game-rules = Regeln lesen
new-game-seats = Mit diesen Optionen können { $least } bis { $most } mitspielen. Ändere die Zahl der Mitspieler oder die Optionen.
new-game-too-many = Viele deiner Spiele warten schon auf Mitspieler. Lass erst einige beginnen, oder verlass sie.
new-game-options = Diese Optionen gehen nicht: { $why }.
new-game-limit = Diese Bedenkzeit geht nicht.

# Ein Spiel, das auf Mitspieler wartet.
waiting-table = Der Tisch
waiting-free = ein freier Platz
join-button = Mitspielen
join-sign-up = Konto anlegen und mitspielen
join-full-title = Das Spiel ist voll
join-full-text = Den letzten Platz hat jemand anders genommen. Such ein anderes Spiel, oder leg eines an.
leave-button = Spiel verlassen
leave-confirm = Dieses Spiel verlassen? Wenn niemand übrig bleibt, wird es abgesagt.
invite-title = Jemanden einladen
invite-label = Name oder E-Mail-Adresse
invite-hint = Eine Mail mit einem Link geht hinaus. Wer noch kein Konto hat, kann unterwegs eines anlegen.
invite-button = Einladen
invite-done = Eine Einladung an { $invitee } ist unterwegs.
invite-link-title = Oder gib den Link weiter
invite-link-public = Alle können ihn öffnen: Das Spiel ist öffentlich.
invite-link-private = Wer ihn hat, kann mitspielen. Gib ihn nur denen, die mitspielen sollen.
invite-copy = Kopieren
invite-copied = Kopiert
invite-qr = Der Link als QR-Code
invite-unreadable = Das ist weder ein Name noch eine E-Mail-Adresse.
invite-unknown = Hier heißt niemand { $handle }.
invite-already = Diese Person spielt schon mit.
invite-not-confirmed = Bestätige zuerst deine eigene Adresse: Öffne den Link in der Mail, die beim Anlegen deines Kontos kam.
invite-too-many = So viele Einladungen können nicht hinausgehen. Warte auf Antworten, oder gib den Link weiter.

# Regeln.
ruleset-title = Die Spiele und ihre Regeln
ruleset-text = Jede Seite hat die Regeln in einfachen Worten und ein Beispiel zum Durchklicken.
ruleset-players = Zu { $least ->
    [2] zweit
   *[other] { $least }
}
ruleset-players-range = Für { $least } bis { $most } Personen
ruleset-play = Das spielen
ruleset-example = Ein Beispiel
ruleset-example-alt = Das Brett des Beispiels; unten als Text.
ruleset-step = { $step ->
    [0] Der Anfang
    [one] Nach einem Zug
   *[other] Nach { $step } Zügen
}
ruleset-back = Zurück
ruleset-next = Nächster Zug

# Einstellungen.
preferences-text = Das hier siehst nur du. Was andere von dir sehen: { $player }.
preferences-save = Speichern
preferences-since = seit { $since }
preferences-done-mails = Gespeichert: Mails kommen so, wie du es willst.
preferences-done-browser = Dieser Browser sagt dir von jetzt an Bescheid.
preferences-done-look = Gespeichert.
preferences-done-password = Dein neues Passwort gilt. Alle anderen Sitzungen sind beendet.
preferences-done-email = Eine Mail mit einem Link ging an deine neue Adresse. Sie gilt, sobald du den Link öffnest.
preferences-done-resent = Die Mail ist noch einmal unterwegs.
preferences-done-token = Erledigt.
preferences-done-ended = Beendet.
preferences-mails = Wie du Bescheid bekommst
preferences-quiet-text = In diesen Stunden nichts zu Spielen; es kommt danach
channels-title = Was du erfährst, und wie
channels-mail = Mail
channels-push = Browser
channels-turns-each = jeder Zug
channels-turns-once = eine, bis ich wieder da bin
channels-turns-digest = tägliche Übersicht
channels-turns-none = keine
channels-news-each = sofort
channels-news-digest = tägliche Übersicht
channels-news-none = keine
channels-events = Jedes Ereignis, für Programme
channels-webhooks = durch { $webhooks }
channels-webhooks-link = Webhooks
channels-push-hint = Browser: eine Meldung auf dem Bildschirm jedes Browsers in der Liste { $browsers }.
browsers-title = Browser, die dir Bescheid sagen
browsers-text = Ein Browser sagt dir zu deinen Spielen Bescheid, auch wenn keine Seite dieses Servers offen ist. Was er bekommt, ist für ihn verschlüsselt, und es endet, wenn du dich dort abmeldest.
browsers-this = dieser Browser
browsers-none = Noch sagt dir kein Browser Bescheid.
browsers-failing = nicht erreicht seit { $since }
browsers-scripts = Um diesen Browser hinzuzufügen, schalte Skripte ein.
browsers-on = Diesem Browser Bescheid sagen
browsers-off = Diesem Browser nicht mehr Bescheid sagen
browsers-denied = Dieser Browser lässt diese Seite keine Meldungen zeigen. Erlaube Meldungen in den Einstellungen des Browsers, und versuch es noch einmal.
browsers-failed = Das ging nicht. Versuch es später noch einmal.
browsers-impossible = Dieser Browser kann keine Meldungen bekommen. Füge diese Seite auf einem iPhone oder iPad zuerst zum Home-Bildschirm hinzu.
preferences-mail-enabled = Schickt mir Mails zu meinen Spielen
preferences-turns = Wenn ich am Zug bin
preferences-digest = Uhrzeit der täglichen Übersicht
preferences-reminders = Wenn meine Zeit abläuft
preferences-games = Wenn Spiele beginnen und enden, und wenn jemand eine Pause vorschlägt
preferences-invitations = Wenn mich jemand einlädt
preferences-quiet = Ruhezeit
preferences-last-in-quiet = Aber die letzte Erinnerung, bevor meine Zeit um ist, kommt sofort
preferences-schedule = Wann ich an einen Zug erinnert werde
preferences-schedule-hint = Wie in 50% 24h: wenn noch die Hälfte der Zeit übrig ist, und wenn noch 24 Stunden übrig sind. Bis zu sechs, jede kommt einmal, vom nächsten Zug an.
preferences-schedule-bad = Schreib bis zu sechs verschiedene Zeiten, jede als Teil der Zeit, der noch übrig ist (1% bis 75%), oder in Stunden, die noch übrig sind (1h bis 1440h), wie in 50% 24h.
preferences-from = Von
preferences-until = Bis
preferences-zone = Zeitzone
preferences-zone-hint = Der Name einer Stadt aus der Liste aller Zeitzonen, wie Europe/Berlin oder America/New_York.
preferences-zone-bad = Diese Zeitzone gibt es nicht. Schreib sie wie Europe/Berlin.
preferences-account = Konto
preferences-email = Deine Adresse ist { $email }.
preferences-email-unconfirmed = Deine Adresse { $email } ist nicht bestätigt. Öffne den Link in der Mail, die wir dorthin geschickt haben.
preferences-email-pending = Die neue Adresse { $email } gilt, sobald du den Link in der Mail öffnest, die wir dorthin geschickt haben.
preferences-resend = Mail noch einmal schicken
preferences-email-change = Adresse ändern
preferences-email-new = Neue Adresse
preferences-email-button = Ändern
preferences-password = Passwort ändern
preferences-password-current = Bisheriges Passwort
preferences-password-wrong = Das ist nicht dein Passwort.
preferences-password-button = Ändern
preferences-apps = Programme anderer, die für dich handeln
preferences-no-apps = Du lässt keines für dich handeln.
preferences-tokens = Token für eigene Programme
preferences-tokens-text = Mit einem Token spielt ein Programm von dir in deinem Namen. Wie: { $api }.
preferences-token-new = Ein neues Token
preferences-token-name = Name, zum Unterscheiden
preferences-token-may = Was das Programm darf
preferences-token-button = Token machen
preferences-token-made = Hier ist das Token. Es ist nur jetzt zu sehen: Kopiere es dorthin, wo dein Programm es findet.
preferences-token-until = bis { $until }
preferences-token-bad = Ein Token hat einen Namen mit 1 bis 64 Zeichen und darf mindestens etwas.
preferences-token-many = Mehr Token kannst du nicht haben. Beende zuerst eines.
look-language = Sprache
look-theme = Farben
look-auto = Wie mein Gerät sie hat
look-light = Hell
look-dark = Dunkel

# Über den Server, und für Programme.
about-title = Über diesen Server
about-text = pippost bewahrt langsame Spiele auf und beweist, dass sie fair waren. Jeder Zug ist ein Ereignis, das nie geändert wird, jeder Würfel und jede Karte folgt aus einer Zahl, die vorher festlag, und jeder angenommene Zug ist unterschrieben. { $check }.
about-keys = Seine Schlüssel
about-keys-text = Mit diesen Schlüsseln unterschreibt der Server die Quittungen der Züge. Für Programme: { $keys }.
about-limits = Seine Grenzen
about-limit-games = { $count } deiner Spiele dürfen gleichzeitig auf Mitspieler warten.
about-limit-invitations = { $count } Einladungen gehen für ein Spiel hinaus.
about-limit-time = { $days } Tage sind die längste Bedenkzeit.
about-limit-events = { $count } Ereignisse sind das längste Spiel.
about-limit-tokens = { $count } Token darf eine Person haben.
about-privacy = Was er von dir behält
about-privacy-text = Dein Name steht in den Aufzeichnungen deiner Spiele, für immer. Deine Adresse dient den Mails und wird niemandem gezeigt. Die Seiten setzen ein Cookie, wenn du dich anmeldest, eines, wenn du ein Formular öffnest, und je eines für Sprache und Farben, wenn du sie wählst. Für Zeiten ohne Verbindung behält dein Browser die Spiele, die du angesehen hast, bis du dich abmeldest. Nichts kommt von anderen Servern, und niemand zählt Besuche.
api-title = Für Programme
api-text = Alles, was hier geht, können auch Programme: { $try } im Browser, oder mach dir ein Programm aus dem { $document }.
api-first = Die ersten Schritte
api-step-token = Mach dir ein Token in den { $preferences }, oder leg über die API ein Konto an.
api-step-ask = { $ask } zählt die Spiele auf, die auf dich warten.
api-step-move = { $actions } zählt auf, was du darfst, und { $move } tut es.
api-apps = Programme für andere
api-apps-text = Ein Programm, das für andere spielt, fragt jede Person auf einer Seite dieses Servers (OAuth 2.1) und sieht nie ein Passwort.

data-title = Deine Daten
data-text = Alles, was dieser Server von dir speichert, in einer Datei: Konto, Einstellungen, Spiele, Nachrichten, Notizen, Mails und die Aufzeichnungen deiner Spiele. Programme lesen sie als JSON.
data-button = Alle meine Daten herunterladen
delete-title = Konto löschen
delete-text = Das lässt sich nicht rückgängig machen.
delete-erased = Deine Adresse, dein Passwort, Sitzungen, Tokens, Apps, Webhooks, Web-Push, Einstellungen, Notizen, Nachrichten und Mails werden sofort gelöscht.
delete-games = Spiele, die noch auf Mitspieler warten, verlässt du. Laufende Spiele gibst du auf: Die anderen gewinnen oder spielen weiter.
delete-stays = Beendete Spiele gehören auch deinen Gegnern und lassen sich weiter prüfen. Darin steht dein Name { $handle }, den niemand sonst haben kann.
delete-sure = Ich will mein Konto löschen.
delete-button = Konto endgültig löschen
delete-not-sure = Setze den Haken, wenn du sicher bist.
deleted-title = Dein Konto ist gelöscht
deleted-text = Was deins war, ist gelöscht. Danke, dass du mitgespielt hast.
offline-title = Keine Verbindung
offline-text = Diese Seite war hier noch nicht offen. Deine Spiele, die du zuletzt angesehen hast, öffnen sich auch ohne Verbindung, so wie sie damals standen.
home-bot = Sofort gegen unseren Bot spielen:
about-figures = Seine Zahlen
about-running = Öffentliche Spiele, die laufen
about-finished = Öffentliche Spiele, die beendet sind
about-players = Spielerinnen und Spieler
about-figures-text = Alle zehn Minuten gezählt. Private Spiele zählen nicht.
