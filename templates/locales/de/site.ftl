# What every page has.
layout-skip = Zum Inhalt
layout-menu = Menü
layout-navigation = Seiten
layout-check = Ein Spiel prüfen
layout-log-in = Anmelden
layout-log-out = Abmelden
layout-sign-up = Mitmachen
layout-logged-in-as = Angemeldet als
layout-preferences = Einstellungen

# Signing up and logging in.
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
sign-up-email-refused = Das ist eine Adresse dieses Servers oder eines Rechners. Nimm deine eigene.
sign-up-email-not-carried = Der Mailserver dieser Seite kann an keine Adresse senden, die vor dem @ Buchstaben wie ü hat. Gib eine andere Adresse von dir an.
sign-up-button = Konto anlegen
sign-up-have = Du hast schon ein Konto? { $log_in }.
forgot-title = Ein neues Passwort
forgot-text = Sag uns die Adresse deines Kontos, und eine Mail bringt dir einen Link, mit dem du ein neues Passwort setzt.
forgot-button = Schickt mir den Link
forgot-sent-title = Sieh in dein Postfach
forgot-sent-text = Wenn ein Konto diese Adresse hat, ist eine Mail mit einem Link unterwegs. Der Link gilt zwei Stunden.

# Sessions.
sessions-title = Wo du angemeldet bist
sessions-text = Jeder Browser und jedes Programm, mit dem du dich angemeldet hast. Kennst du eines nicht, dann beende es und ändere dein Passwort.
sessions-program = Ein Programm
sessions-this = dieser Browser
sessions-since = Seit { $since }, zuletzt benutzt am { $used }
sessions-end = Beenden

# What went wrong.
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

# Where the navigation leads.
language-name = Deutsch
# The direction of writing: ltr or rtl.
language-direction = ltr
layout-lobby = Spiele
layout-my-games = Meine Spiele
layout-rules = Regeln
layout-about = Über diesen Server
layout-api = Für Programme
layout-look = Sprache und Aussehen

# The front page.
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

# Lists of games.
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
new-game-renews = Ein neues anlegen, wenn dieses Spiel zu Ende ist
new-game-renews-hint = Ein gleiches in deinem Namen, immer wieder, bis sich niemand dazusetzt oder du es beendest. Im Urlaub wartet es. Nach einem, das abgebrochen wird oder das du durch die Uhr verlierst, gibt es keines.
renewal-on = ein neues folgt
renewal-told = Wenn dieses Spiel zu Ende ist, wird in deinem Namen ein gleiches angelegt.
renewal-end = Kein neues anlegen
lobby-all = Alle Spiele
lobby-empty = Gerade wartet kein Spiel auf Mitspieler. Leg eines an, dann können sich andere dazusetzen.
list-empty = Noch gibt es keine.
list-more = Mehr Spiele
list-private = privat
list-time-left = noch { $left }
list-last-move = letzter Zug { $at }
invitation-accept = Annehmen
invitation-decline = Ablehnen
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
my-games-invitations = Du bist eingeladen
my-games-next = Nächstes Spiel
player-since = Hier seit { $since }
player-results = Ergebnisse
player-results-of = { $won } gewonnen, { $drawn } unentschieden, { $lost } verloren
player-me = Das sehen andere von dir. Nur du siehst: { $preferences }.
player-games = Öffentliche Spiele
player-no-games = Noch keine öffentlichen Spiele.
# How reliable a player is: parts of one line.
reliability-title = Verlässlichkeit:
reliability-new = noch keine Spiele
reliability-answers = antwortet in { $median }; { $games }
reliability-answers-most = antwortet in { $median } (9 von 10 Mal in { $most }); { $games }
reliability-finished = { $count } beendet
reliability-left = { $count } vorzeitig verlassen
reliability-timed-out = { $count } durch Zeitüberschreitung verloren
reliability-aborted = { $count } abgebrochen
reliability-hint = Aus den neuesten 100 öffentlichen Spielen, die vorbei sind. Die Hälfte der Antworten brauchte nicht länger als die erste Zeit. Nächte, freie Tage, Urlaub und Pausen zählen nicht.

# Chancen vor einem Spiel, und Zahlen zu Spielen und Personen.
chance-of = gewinnt zu { $percent } %
chance-unrated = noch keine Wertung
chance-yours = Wenn du mitspielst, gewinnst du zu { $percent } %.
chance-hint = Das Spiel wird gewertet. Die Chancen folgen aus den Wertungen von jetzt; ein Unentschieden zählt als halber Sieg. Hat jemand noch keine Wertung, oder verbirgt sie, gibt es keine.
figures-title = Wie Spiele verlaufen
figures-hint = Aus den neuesten { $most } öffentlichen Spielen, die vorbei sind und nicht abgebrochen wurden. Die Hälfte der Spiele liegt zwischen den beiden Zahlen in Klammern.
figures-none = Noch ist kein öffentliches Spiel vorbei.
figures-first-seat = Erster Platz am Tisch gewann
figures-first = { $percent } % (ausgeglichen: { $even } %)
figures-percent = { $percent } %
figures-range = { $median } ({ $lower } bis { $upper })
figures-events = Ereignisse
figures-spans = Dauer
figures-won = Gewonnen
figures-drawn = Unentschieden
figures-lost = Verloren
figures-of = Zahlen zu { $player }
figures-link = Gegner, beste Siege, Tageszeiten
figures-counted = { $count ->
    [one] Aus den neuesten { $most } öffentlichen Spielen; eines davon ist vorbei.
   *[other] Aus den neuesten { $most } öffentlichen Spielen; { $count } davon sind vorbei.
}
figures-opponents = Häufigste Gegner
figures-opponents-hint = Bei mehr als zweien hat gegen den anderen gewonnen, wer den besseren Platz hat.
figures-best = Beste Siege
figures-best-hint = Mit der Wertung des Gegners vor dem Tag. Vorläufige Wertungen fehlen.
figures-hours = Tageszeiten
figures-hour = { $from } bis { $to } Uhr ({ $count })
figures-hours-told = Die meisten Züge: { $hours }.
figures-hours-hint = { $moves } Züge der neuesten { $games } öffentlichen Spiele, nach den Stunden von { $zone }.

# Wertungen: die Besten, die eigenen, und wie sie entstehen.
layout-ratings = Wertungen
ratings-best = Die Besten
ratings-filters = Welche Wertungen
ratings-pace-fast = Bis zu einem Tag je Zug
ratings-pace-slow = Mehr als ein Tag je Zug
ratings-pace-unlimited = Ohne Zeitlimit
ratings-pool-people = Menschen
ratings-pool-bots = Mit Programmen
ratings-player = Spieler
ratings-rating = Wertung
ratings-games = Spiele
ratings-day = Das letzte
ratings-empty = Hier steht noch niemand.
ratings-listed = Hier steht, wer mindestens { $games } gewertete Spiele und eine Abweichung von höchstens { $deviation } hat und im letzten Jahr gespielt hat.
ratings-figure = { $rating } ± { $deviation }
ratings-provisional = vorläufig
ratings-count = { $count ->
    [one] 1 gewertetes Spiel
   *[other] { $count } gewertete Spiele
}
ratings-history = Von { $from } am { $first } bis { $to } am { $last }
ratings-how = Wie Wertungen entstehen
ratings-how-rule = Glicko-2 macht aus deinen beendeten öffentlichen Spielen drei Zahlen: die Wertung, wie weit sie danebenliegen kann (die Abweichung), und wie sehr sie schwankt. Alle beginnen mit 1500 ± 350. Eine Wertung ist vorläufig, solange ihre Abweichung über { $deviation } liegt.
ratings-how-classes = Jede Art von Spiel hat eigene Wertungen, für jedes von drei Tempos: Ein Zug bringt bis zu 24 Stunden (seine Zeit und was die Bank gewinnt), oder mehr, oder es gibt kein Limit. Auch Spiele mit Programmen ergeben eigene Wertungen.
ratings-how-days = Alle Spiele, die an einem Tag (UTC) enden, zählen zusammen, sobald der Tag vorbei ist, gegen die Wertungen des Tages davor. Tage ohne Spiele erhöhen die Abweichung.
ratings-how-many = Mit mehr als zwei Spielern spielst du gegen jeden der anderen, nach euren Plätzen. Das alles zusammen wiegt so viel wie ein Spiel.
ratings-how-not = Private Spiele, abgebrochene Spiele und Spiele mit Gästen zählen nicht. Übernimmt jemand einen Platz, so ist das Ergebnis das derjenigen Person, die begonnen hat.
ratings-how-hide = Du kannst deine Wertungen vor anderen verbergen: { $preferences }. Deine Spiele zählen trotzdem, damit niemand aussuchen kann, welche.
ratings-how-check = Alle Wertungen lassen sich aus den Aufzeichnungen der Spiele nachrechnen, bis zur letzten Stelle:

# Creating a game.
new-game-choose = Was soll es sein?
new-game-choose-text = Such ein Spiel aus. Dann sagst du, wie viele mitspielen und wie schnell.
new-game-title = Ein neues Spiel: { $title }
new-game-own-title = Titel
new-game-own-title-hint = Freiwillig. Alle, die das Spiel sehen dürfen, sehen ihn.
new-game-title-bad = Ein Titel hat höchstens 60 Zeichen in einer Zeile und enthält keine geheimen Links.
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
new-game-quota-title = Kein Platz für noch ein Spiel
new-game-quota = Deine Spiele nehmen so viel Platz ein, wie einem Spieler zusteht. Bring erst einige zu Ende.
new-game-bot-full = Du spielst schon so viele Spiele gegen unseren Bot, wie er mit einem spielt, oder er hat gerade keinen Platz.
new-game-too-many = Viele deiner Spiele warten schon auf Mitspieler. Lass erst einige beginnen, oder verlass sie.
new-game-options = Diese Optionen gehen nicht: { $why }.
new-game-limit = Diese Bedenkzeit geht nicht.

# A game that waits for players.
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

# Rules.
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

# Preferences.
preferences-text = Das hier siehst nur du. Was andere von dir sehen: { $player }.
preferences-save = Speichern
preferences-since = seit { $since }
preferences-done-mails = Gespeichert: Mails kommen so, wie du es willst.
preferences-done-browser = Dieser Browser sagt dir von jetzt an Bescheid.
preferences-done-look = Gespeichert.
preferences-done-password = Dein neues Passwort gilt. Alle anderen Sitzungen sind beendet.
preferences-done-name = Dein Name wird von jetzt an so geschrieben.
preferences-done-email = Eine Mail mit einem Link ging an deine neue Adresse. Sie gilt, sobald du den Link öffnest.
preferences-done-resent = Die Mail ist noch einmal unterwegs.
preferences-done-token = Erledigt.
preferences-done-ended = Beendet.
blocks-title = Gesperrt
blocks-text = Sie können dich nicht einladen und erfahren nichts davon.
blocks-end = Entsperren
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
preferences-digest-problem = Die tägliche Übersicht hat die Aufgabe des Tages
preferences-reminders = Wenn meine Zeit abläuft
preferences-games = Wenn Spiele beginnen und enden, und wenn jemand eine Pause vorschlägt
preferences-invitations = Wenn mich jemand einlädt oder herausfordert, und zu Clubs
preferences-messages = Wenn andere am Tisch schreiben
preferences-quiet = Ruhezeit
preferences-last-reminder-in-quiet-hours = Aber die letzte Erinnerung, bevor meine Zeit um ist, kommt sofort
preferences-ratings = Andere sehen meine Wertungen
preferences-schedule = Wann ich an einen Zug erinnert werde
preferences-schedule-hint = Bis zu sechs; jede kommt einmal, vom nächsten Zug an.
preferences-schedule-bad = Wähle eine bis sechs Erinnerungen. Wenn du keine willst, schalte Erinnerungen oben aus.
preferences-from = Von
preferences-until = Bis
preferences-zone = Zeitzone
preferences-zone-hint = Schreib den Anfang einer Stadt, wie Berlin oder New_York, und wähle sie aus der Liste. Alle Zeiten auf Seiten und in Mails gelten in dieser Zone.
preferences-zone-bad = Diese Zeitzone gibt es nicht. Wähle eine aus der Liste, wie Europe/Berlin.
preferences-account = Konto
preferences-email = Deine Adresse ist { $email }.
preferences-email-unconfirmed = Deine Adresse { $email } ist nicht bestätigt. Öffne den Link in der Mail, die wir dorthin geschickt haben.
preferences-email-pending = Die neue Adresse { $email } gilt, sobald du den Link in der Mail öffnest, die wir dorthin geschickt haben.
preferences-resend = Mail noch einmal schicken
preferences-name = Schreibweise deines Namens
preferences-name-label = Dein Name
preferences-name-hint = Nur Groß- und Kleinschreibung lassen sich ändern. Begonnene Partien behalten den Namen, wie er war.
preferences-name-other = An deinem Namen lässt sich nur die Groß- und Kleinschreibung ändern.
preferences-email-change = Adresse ändern
preferences-email-new = Neue Adresse
preferences-email-button = Ändern
preferences-password = Passwort ändern
preferences-password-current = Bisheriges Passwort
preferences-password-wrong = Das ist nicht dein Passwort.
preferences-password-tokens = Auch Tokens, Apps und Webhooks beenden: wenn jemand anderes das Passwort gehabt haben kann
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

# About the server, and for programs.
about-title = Über diesen Server
about-text = { $site } bewahrt langsame Spiele auf und beweist, dass sie fair waren. Jeder Zug ist ein Ereignis, das nie geändert wird, jeder Würfel und jede Karte folgt aus einer Zahl, die vorher festlag, und jeder angenommene Zug ist unterschrieben. { $check }.
about-keys = Seine Schlüssel
about-keys-text = Mit diesen Schlüsseln unterschreibt der Server die Quittungen der Züge. Für Programme: { $keys }.
about-limits = Seine Grenzen
about-limit-games = { $count } deiner Spiele dürfen gleichzeitig auf Mitspieler warten.
about-limit-invitations = { $count } Einladungen gehen für ein Spiel hinaus.
about-limit-time = { $days } Tage sind die längste Bedenkzeit.
about-limit-events = Ein Spiel hat höchstens { $count } Ereignisse.
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

# Webhooks.
webhooks-title = Webhooks
webhooks-text = Ein Webhook sagt einem Programm oder einem Kanal von Discord oder Slack sofort, was in deinen Spielen und Turnieren geschieht.
webhooks-text-programs = Was ein Programm bekommt und wie es das prüft, steht auf der { $docs }.
webhooks-to = Webhooks ansehen und hinzufügen
webhooks-none = Du hast noch keinen.
webhooks-new = Ein neuer Webhook
webhooks-url = Adresse
webhooks-url-hint = Sie beginnt mit https:// und führt zu einem öffentlichen Server. Für einen Kanal zeigen dir Discord und Slack die Adresse, wenn du dort einen Webhook hinzufügst.
webhooks-url-bad = An diese Adresse lässt sich nichts senden. Sie muss mit https:// beginnen, ohne Benutzer, Passwort und #, mit Port 443 oder einem ab 1024, und zu einem öffentlichen Server führen.
webhooks-format = Wer es erfährt
webhooks-format-standard = ein Programm
webhooks-format-discord = ein Kanal von Discord
webhooks-format-slack = ein Kanal von Slack
webhooks-kinds = Was
webhooks-kinds-bad = Setze mindestens einen Haken.
webhooks-kind-turn = dass ich am Zug bin
webhooks-kind-game_started = dass Spiele beginnen
webhooks-kind-game_over = dass Spiele enden
webhooks-kind-message = dass andere am Tisch schreiben
webhooks-kind-tournament = was in meinen Turnieren geschieht
webhooks-kind-event = jedes Ereignis
webhooks-game = Welche Spiele
webhooks-game-all = alle meine Spiele
webhooks-game-bad = In diesem Spiel bist du nicht.
webhooks-other-game = einem anderen Spiel
webhooks-register = Hinzufügen
webhooks-many = Du hast { $most } Webhooks, mehr darf eine Person nicht haben. Lösche zuerst einen.
webhooks-no-address = Ein Webhook ohne lesbare Adresse
webhooks-badge-active = aktiv
webhooks-badge-failing = schlägt fehl
webhooks-badge-off = ausgeschaltet
webhooks-badge-unverified = nicht bestätigt
webhooks-badge-disabled = abgeschaltet
webhooks-title-active = Aktiv
webhooks-title-failing = Aktiv, schlägt aber fehl
webhooks-title-off = Ausgeschaltet
webhooks-title-unverified = Noch nicht bestätigt
webhooks-title-disabled = Abgeschaltet
webhooks-unreadable = Dieser Server kann nicht mehr lesen, wohin er führt. Gib ihm eine Adresse und ein neues Geheimnis.
webhooks-unverified-program = Bevor er bestätigt ist, wird ihm nur die Probe gesendet. Sende sie: Antwortet ein Programm damit, ist der Webhook sofort aktiv.
webhooks-unverified-chat = Bevor er bestätigt ist, wird ihm nur die Probe gesendet. Sende sie, lies den Code im Kanal und gib ihn hier ein.
webhooks-off-text = Du hast ihn ausgeschaltet. Schaltest du ihn ein, macht er dort weiter, wo er aufgehört hat.
webhooks-disabled-text = Er schlägt seit { $since } fehl, deshalb wird dorthin nichts mehr gesendet. Sende eine Probe: Ist sie bestanden, macht er mit dem ersten Ereignis weiter, das ihm fehlt.
webhooks-failing-text = Er schlägt seit { $since } fehl. Nichts Späteres wird gesendet, bevor das Ereignis angekommen ist.
webhooks-retry = Nächster Versuch: { $at }.
webhooks-cursor = Weiß Bescheid bis
webhooks-since = Hinzugefügt
webhooks-previous = Das alte Geheimnis unterschreibt bis
webhooks-event = Ereignis { $number } von { $game }
webhooks-switch-on = Einschalten
webhooks-switch-off = Ausschalten
webhooks-challenge = Probe senden
webhooks-challenge-again = Neu bestätigen
webhooks-code = Code, der angekommen ist
webhooks-code-hint = Nur wenn kein Programm damit geantwortet hat. Ein Code gilt 15 Minuten.
webhooks-code-bad = Das ist nicht der Code, der zuletzt gesendet wurde, oder er ist zu alt. Sende noch einmal eine Probe.
webhooks-verify = Bestätigen
webhooks-not-verified = Dafür muss er aktiv sein. Bestätige ihn zuerst, oder schalte ihn ein.
webhooks-sends-already = Gerade wird einem deiner Webhooks etwas gesendet. Warte, bis das zu Ende ist.
webhooks-change = Ändern
webhooks-change-what = Adresse und was er erfährt
webhooks-change-hint = Eine andere Adresse muss neu bestätigt werden.
webhooks-secret = Neues Geheimnis
webhooks-secret-text = 24 Stunden lang unterschreibt auch das alte Geheimnis, damit dein Programm umsteigen kann.
webhooks-secret-button = Neues Geheimnis machen
webhooks-secret-made = Hier ist sein Geheimnis, mit dem dein Programm die Unterschriften prüft. Es ist nur jetzt zu sehen: Kopiere es dorthin, wo dein Programm es findet.
webhooks-registered = Er ist hinzugefügt. Bevor er bestätigt ist, wird ihm nichts gesendet.
webhooks-delete = Löschen
webhooks-delete-text = Soll dieser Webhook gelöscht werden, mit seinem Protokoll? Ihm wird nichts mehr gesendet.
webhooks-delete-button = Webhook löschen
webhooks-log = Was gesendet wurde
webhooks-log-text = Die neuesten Versuche, höchstens hundert.
webhooks-log-none = Noch nichts.
webhooks-log-message = Nachricht am Tisch
webhooks-log-challenge = Probe
webhooks-log-nth = Versuch { $count }
webhooks-log-took = { $count } ms
webhooks-outcome-delivered = zugestellt
webhooks-outcome-refused = abgelehnt
webhooks-outcome-not_readable = nicht gesendet: nicht lesbar
webhooks-outcome-unreachable = nicht erreicht
webhooks-outcome-too_slow = keine rechtzeitige Antwort
webhooks-redeliver = Noch einmal senden
webhooks-go-back = Alles danach
webhooks-go-back-confirm = Alles nach diesem Ereignis noch einmal senden?
webhooks-event-bad = Dieses Ereignis gibt es in deinen Spielen nicht.
webhooks-done-deleted = Der Webhook ist gelöscht.
webhooks-done-changed = Gespeichert.
webhooks-done-sent = Die Probe ist gesendet. Gib den Code ein, der angekommen ist.
webhooks-done-active = Die Probe ist bestanden: Der Webhook ist aktiv.
webhooks-done-verified = Der Code stimmt: Der Webhook ist aktiv.
webhooks-done-on = Der Webhook ist eingeschaltet.
webhooks-done-off = Der Webhook ist ausgeschaltet.
webhooks-done-delivered = Das Ereignis ist noch einmal zugestellt.
webhooks-done-gone-back = Alles nach diesem Ereignis wird noch einmal gesendet.
webhooks-done-not-sent = Die Probe kam nicht an. Warum, steht im Protokoll.
webhooks-done-not-delivered = Das Ereignis kam nicht an. Warum, steht im Protokoll.

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
home-bot-guest = Sofort gegen unseren Bot spielen, ohne Konto:
card-bot = Gegen unseren Bot spielen
card-bot-alone = { $title } gegen unseren Bot spielen
new-game-choose-guest = Gegen unseren Bot spielst du auch ohne Konto.
guest-keep-title = Du spielst als Gast. Willst du das Spiel behalten?
guest-keep-text = Mit einem Konto bleiben deine Spiele deine, du kannst mit anderen spielen, und eine Mail sagt dir, wann du am Zug bist. Ohne Konto sind sie { $days ->
    [one] einen Tag
   *[other] { $days } Tage
} nach deinem letzten Zug weg.
guest-keep-button = Meine Spiele behalten
about-figures = Seine Zahlen
about-running = Öffentliche Spiele, die laufen
about-finished = Öffentliche Spiele, die beendet sind
about-players = Spielerinnen und Spieler
about-figures-text = Alle zehn Minuten gezählt. Private Spiele zählen nicht.
# Die Seiten der Einstellungen.
preferences-page-notices = Wie du Nachricht bekommst
preferences-page-time = Zeit, Nächte und Urlaub
preferences-page-look = Sprache und Aussehen
preferences-page-account = Name, Adresse und Passwort
preferences-page-access = Sitzungen, Programme und Feeds
preferences-page-data = Deine Daten
preferences-about-notices = Mails, Meldungen dieses Browsers, Ruhezeiten, Erinnerungen, Webhooks, gesperrte und stumm geschaltete Leute
preferences-about-time = Deine Zeitzone, und wann deine Uhren stillstehen: Nächte, Ruhetage, Urlaub
preferences-about-look = Die Sprache von Seiten und Mails, hell oder dunkel
preferences-about-account = Die Schreibweise deines Namens, deine Mailadresse, dein Passwort
preferences-about-access = Wo du angemeldet bist, Feeds für Kalender und Feedreader, Apps und Tokens
preferences-about-data = Alles herunterladen, was über dich gespeichert ist, oder das Konto löschen
preferences-done-time = Gespeichert.
preferences-done-feeds = Die Feeds haben neue Adressen. Die alten zeigen nichts mehr.
reminder-share = { $percent ->
    [75] wenn drei Viertel der Zeit übrig sind
    [50] wenn die Hälfte der Zeit übrig ist
    [25] wenn ein Viertel der Zeit übrig ist
   *[other] wenn { $percent } Prozent der Zeit übrig sind
}
reminder-hours = { $span } vor Ablauf der Zeit

# Zeit.
time-now = Jetzt ist { $time }.
time-zone-here = Die Zone dieses Browsers nehmen: { $zone }
time-nights = Nächte
time-nights-text = Meine Uhren stehen nachts still
time-nights-bad = Eine Nacht hat Anfang und Ende und dauert höchstens 12 Stunden.
time-rest-days = Ruhetage
time-rest-days-text = An diesen Tagen jeder Woche stehen deine Uhren still. Höchstens zwei.
time-rest-days-bad = Höchstens zwei Tage der Woche können Ruhetage sein.
time-from-next-turn = Es gilt in Spielen, die es beachten, von deinem nächsten Zug an. In einer Woche kannst du es { $changes }-mal ändern.
time-too-many = Du hast deinen Kalender diese Woche oft geändert. Versuch es in einigen Tagen wieder.
holidays-title = Urlaub
holidays-text = In deinem Urlaub stehen deine Uhren still, in allen Spielen, die Urlaub beachten. Ein Kalenderjahr hat davon { $days } Tage.
holidays-none = Es ist kein Urlaub gebucht.
holidays-now = Er hat begonnen.
holidays-days = { $first } bis { $last }
holidays-book = Urlaub buchen
holidays-first = Erster Tag
holidays-last = Letzter Tag
holidays-final = Urlaub lässt sich nicht zurücknehmen.
holidays-button = Buchen
holidays-unreadable = Gib den ersten und den letzten Urlaubstag an.
holidays-not-bookable = Urlaub beginnt heute oder später, und höchstens ein Jahr im Voraus.
holidays-too-long = Ein Urlaub hat höchstens 28 Tage, und sein letzter Tag liegt nicht vor dem ersten.
holidays-overlap = An einigen dieser Tage hast du schon Urlaub.
holidays-over-budget = Von deinen Urlaubstagen in { $year } sind { $left } übrig.
holidays-too-many = So viele Urlaube lassen sich nicht zugleich buchen.
automatic-title = Urlaub, der von selbst beginnt
automatic-text = Wenn deine Zeit in einem Spiel abliefe, das Urlaub beachtet, kann mit diesem Tag von selbst ein Urlaub beginnen. Endet er und du hast noch nicht gezogen, beginnt ein weiterer, bis keine Tage übrig sind.
automatic-days = Für wie viele Tage
automatic-hint = 0 für keinen.

# Feeds.
feeds-title = Feeds deiner Spiele
feeds-text = Deine Spiele, die warten, für Feedreader, und ihre Fristen, für Kalender. Wer die Adresse hat, kann lesen, welche Spiele auf dich warten, aber nichts, was in ihnen verborgen ist. Gib sie nicht weiter.
feeds-turns = Für Feedreader (RSS)
feeds-deadlines = Für Kalender (iCalendar)
feeds-renew-text = Wenn jemand anderes die Adressen haben könnte, mach neue. Die alten zeigen dann nichts mehr.
feeds-renew = Neue Adressen machen
feeds-channel = { $site }: Spiele, die auf dich warten
feeds-calendar = { $site }: Fristen
feeds-turn = { $title }: { $players }: du bist am Zug
feeds-deadline = { $title }: { $players }: deine Zeit läuft ab
feeds-until = Du hast Zeit bis { $until }.

# Suchen und auswählen.
search-title = Suche
search-label = Leute und Spiele
search-hint = Der Anfang eines Namens oder des Titels eines Spiels, die Nummer eines deiner Spiele wie #12, oder die Adresse eines Spiels.
search-button = Suchen
search-players = Leute
search-games = Spiele
search-games-with = Eure Spiele
search-nothing = Nichts heißt „{ $wanted }“, und kein Name beginnt so.
list-unread = { $count ->
    [one] 1 neue Nachricht
   *[other] { $count } neue Nachrichten
}
list-since = { $from ->
    [start] { $count ->
        [one] Ein Zug bisher:
       *[other] { $count } Züge bisher, der neueste:
    }
    [long] Mindestens { $count } Züge seit deinem letzten, der neueste:
   *[own] { $count ->
        [one] Ein Zug seit deinem letzten:
       *[other] { $count } Züge seit deinem letzten, der neueste:
    }
} { $newest }
filter-title = Nur einige davon
filter-opponent = Gegen
filter-rules = Spiel
filter-pace = Zeit für einen Zug
filter-any-pace = Egal
filter-pace-fast = Bis zu einem Tag
filter-pace-days = Bis zu einer Woche
filter-pace-slow = Mehr, oder ohne Grenze
filter-button = Zeigen
filter-none = Alle zeigen

# Die Zeit, die man in einem neuen Spiel hat.
control-own = Selbst festlegen
control-more = Mehr zur Zeit
control-own-hint = Wenn du oben „Selbst festlegen“ wählst. Lass die Zeit für einen Zug leer, wenn es keine Grenze geben soll.
control-limit = Zeit für einen Zug
control-unit = Gezählt in
control-hours = Stunden
control-days = Tagen
control-bank = Ein Zeitkonto
control-bank-hint = Wer mehr braucht als die Zeit für einen Zug, nimmt sie von dort.
control-bank-start = Darauf am Anfang
control-bank-gain = Mehr mit jedem Zug
control-bank-cap = Es fasst höchstens
control-wait = Wie lange der Tisch wartet
control-wait-hint = Auf jede Person insgesamt, wenn die Zeit verbraucht ist. Leer: gar nicht.
control-rests = Uhren stehen still
control-nights = in den Nächten der Spielenden
control-rest_days = an ihren Ruhetagen
control-holidays = in ihrem Urlaub

# Die ersten Züge eines Spiels.
guide-title = { $title }: die ersten Züge
guide-link = Die ersten Züge ansehen
guide-all-rules = Alle Regeln
guide-step = { $step ->
    [0] Vor dem ersten Zug
   *[other] Zug { $step } von { $steps }
}
guide-next = Weiter
guide-now = Jetzt bist du dran
waiting-reload = Ohne Skripte ändert sich diese Seite nicht, wenn sich jemand dazusetzt.
dumps-title = Öffentliche Spiele zum Herunterladen
dumps-link = Alle öffentlichen Spiele als Dateien, je Tag eine
dumps-text = Die Aufzeichnungen der öffentlichen Spiele, die an einem Tag (UTC) zu Ende gingen, mit ihren Uhren, gepackt mit zstd; ein Verzeichnis mit Ort und Hash jedes Spiels und dem Beweis, dass das Log es hat; und ein Manifest mit den Hashes. Alle dürfen sie verwenden. Wer darin nicht vorkommen will, sagt es unter { $preferences }. Dieser Befehl prüft alles:
dumps-games = { $count ->
    [one] Ein Spiel.
   *[other] { $count } Spiele.
}
dumps-left-out = { $count ->
    [one] Eines fehlt, weil es jemand so will.
   *[other] { $count } fehlen, weil es jemand so will.
}
dumps-records = Aufzeichnungen, { $size }
dumps-index = Verzeichnis, { $size }
dumps-manifest = Manifest
dumps-earlier = Frühere Tage
dumps-none = Noch ist kein Tag geschrieben: Die Spiele eines Tages kommen eine Stunde nach seinem Ende.
preferences-in-dumps = Meine öffentlichen Spiele dürfen in den täglichen Dateien stehen, die alle herunterladen können
preferences-in-dumps-hint = Das gilt für Spiele, die von heute an zu Ende gehen. Was heruntergeladen ist, lässt sich nicht zurückholen.
preferences-done-data = Gespeichert.
layout-tournaments = Turniere
tournament-new = Neues Turnier
tournament-create = Turnier anlegen
tournament-filters = Welche Turniere zu sehen sind
tournament-status-open = Offen
tournament-status-running = Laufend
tournament-status-finished = Zu Ende
tournament-status-cancelled = Abgesagt
tournament-none = Noch gibt es keines.
tournament-more = Mehr Turniere
tournament-kind = Wer gegen wen spielt
tournament-kind-round_robin = Jeder gegen jeden
tournament-kind-round_robin-hint = Alle treffen auf alle. Bis zu { $most } Spieler.
tournament-kind-swiss = Schweizer System
tournament-kind-swiss-hint = In jeder Runde triffst du auf jemanden mit etwa gleich vielen Punkten.
tournament-kind-knock_out = K.-o.-System
tournament-kind-knock_out-hint = Wer verliert, ist raus. Bei Gleichstand kommt weiter, wer nachgezogen hat.
tournament-kind-double_elimination = Doppel-K.-o.
tournament-kind-double_elimination-hint = Wer zweimal verliert, ist raus. Ein Gleichstand gilt für die Person als verloren, die zuerst gezogen hat.
tournament-kind-league = Liga
tournament-kind-league-hint = In jeder Spielklasse treffen alle auf alle. Nach jeder Saison steigen die Besten auf und die Letzten ab, und die nächste Saison beginnt von selbst.
tournament-rounds = { $count ->
    [one] 1 Runde
   *[other] { $count } Runden
}
tournament-round = Runde { $round }
tournament-rounds-label = Runden
tournament-rounds-hint = Im Schweizer System. Bei wenigen Spielern sind es weniger, damit niemand zweimal auf dieselbe Person trifft.
tournament-players = { $players } von { $most } Spielern
tournament-most = Höchstens so viele Spieler
tournament-most-hint = Wer später kommt, wartet auf einen Platz.
tournament-start = Beginn
tournament-starts-at = beginnt { $at }
tournament-starts-full = Sobald es voll ist
tournament-starts-in = { $days ->
    [one] In einem Tag
   *[other] In { $days } Tagen
}
tournament-title = Titel
tournament-title-refused = Ein Titel hat 1 bis 64 sichtbare Zeichen.
tournament-rounds-refused = Möglich sind 1 bis 15 Runden.
tournament-players-refused = So viele Spieler gehen hier nicht.
tournament-limit-refused = Ein Turnier braucht ein Zeitlimit, damit es endet.
tournament-for-two = Turnierspiele sind für zwei. Wähle Optionen für zwei.
tournament-confirm-first = Bestätige erst deine E-Mail-Adresse. Der Link steht in der Mail, die du bei der Anmeldung bekommen hast.
tournament-organised = Du veranstaltest schon viele Turniere. Warte, bis eines zu Ende ist.
tournament-entered = Du nimmst schon an vielen Turnieren teil. Warte, bis eines zu Ende ist.
tournament-refused = Das geht gerade nicht
tournament-game-choice = Welches Spiel
tournament-each = Jedes seiner Spiele
tournament-enter = Teilnehmen
tournament-sign-up = Registrieren und teilnehmen
tournament-withdraw = Zurückziehen
tournament-withdraw-confirm = Aus diesem Turnier zurückziehen? Ein laufendes Spiel geht weiter.
tournament-cancel = Turnier absagen
tournament-cancel-confirm = Dieses Turnier für alle absagen?
tournament-in = Du nimmst teil.
tournament-own-game = Zu deiner Partie
tournament-waits = Du wartest auf einen Platz. Zieht sich vor dem Beginn jemand zurück, rückt die nächste Person nach.
tournament-first-place = Erster Platz: { $players }
tournament-others = Andere Turniere
tournament-organiser = Veranstaltet von
tournament-field = Spieler
tournament-pairings = Paarungen der Runde
tournament-first = Zieht zuerst
tournament-second = Zieht nach
tournament-result = Ergebnis
tournament-bye = Freilos
tournament-running = Spiel
tournament-game = { $first } gegen { $second }: { $outcome }
tournament-standings = Tabelle
tournament-registered = Angemeldet
tournament-nobody = Noch niemand.
tournament-waiting = Warten auf einen Platz
tournament-place = Platz
tournament-points = Punkte
tournament-buchholz = Buchholz: die Punkte aller Gegner
tournament-short-buchholz = Bh
tournament-sonneborn = Sonneborn-Berger: die Punkte geschlagener Gegner und die Hälfte derer bei Gleichstand
tournament-short-sonneborn = SB
tournament-direct = Direkter Vergleich: Punkte gegen die bis hierher Gleichen
tournament-short-direct = DV
tournament-wins = Gewonnene Spiele
tournament-short-wins = S
tournament-left = ausgeschieden in Runde { $round }
tournament-how = Ein Sieg oder Freilos zählt 1 Punkt, ein Gleichstand ½. Bei gleichen Punkten entscheiden Buchholz (Bh, die Punkte aller Gegner), Sonneborn-Berger (SB, die der geschlagenen Gegner und die Hälfte derer bei Gleichstand), der direkte Vergleich (DV) und die Siege (S). Wer ein Spiel abbricht, verliert es; wessen Zeit abläuft, bekommt keine weiteren Spiele.
tournament-how-knock_out = Punkte sind überstandene Runden. Bei Gleichstand kommt weiter, wer nachgezogen hat. Wer ein Spiel abbricht, verliert es.
tournament-how-double_elimination = Punkte sind überstandene Runden. Wer noch nicht verloren hat, trifft auf andere ohne Niederlage, und wer einmal verloren hat, auf andere mit einer. Die letzten zwei treffen im Finale aufeinander, und noch einmal, wenn verliert, wer bis dahin keine Niederlage hatte. Ein Gleichstand gilt für die Person als verloren, die zuerst gezogen hat. Wer ein Spiel abbricht, verliert es.
tournament-season = Saison { $season }
tournament-season-of = Saison { $season } von { $seasons }
tournament-seasons = Saisons
tournament-divisions = Spielklassen
tournament-division = Spielklasse { $number }
tournament-division-rules = je { $size } Spieler, von denen { $promoted } aufsteigen und { $promoted } absteigen
tournament-league-division_size = Spieler je Spielklasse
tournament-league-promoted = Wie viele aufsteigen und wie viele absteigen
tournament-league-seasons = Saisons
tournament-league-hint = Nur für eine Liga. Höchstens die Hälfte einer Spielklasse steigt auf oder ab. Ohne eine Zahl von Saisons geht sie weiter, bis du sie beendest.
tournament-league-refused = Eine Spielklasse hat 4 bis 16 Spieler, von denen höchstens die Hälfte auf- oder absteigt. Möglich sind 1 bis 100 Saisons.
tournament-end = Keine weitere Saison
tournament-end-confirm = Diese Liga nach der laufenden Saison beenden?
tournament-waits-season = Du wartest auf einen Platz in der nächsten Saison.
tournament-club-choice = Du spielst für
tournament-club-none = Keinen Club
tournament-club-choose = Für diesen Club spielen
tournament-teams-label = Spieler, die für einen Club zählen
tournament-teams-hint = Ihre Punkte werden für die Clubwertung addiert. Lass das Feld leer, wenn es keine geben soll.
tournament-teams-refused = 2 bis 20 Spieler eines Clubs zählen. Eine Liga hat keine Clubwertung.
tournament-teams-counted = Die besten { $size } jedes Clubs zählen
tournament-teams-places = Clubwertung
tournament-teams-club = Club
tournament-teams-how = Die Punkte der besten { $size } jedes Clubs werden addiert. Bei gleichen Punkten entscheidet die Summe ihrer Buchholz-Zahlen (Bh), dann der beste einzelne Platz.
tournament-teams-swiss = Zwei aus einem Club treffen nur aufeinander, wenn sich nicht alle anders paaren lassen.
tournament-teams-hidden = Ein Club
tournament-teams-not-in = Du bist nicht in diesem Club.
tournament-chance = Auslosung und Zufall
tournament-chance-text = Bevor sich jemand angemeldet hat, hat dieser Server festgelegt, woraus Auslosung und Zufall aller Spiele folgen, und diese Festlegungen veröffentlicht. Die Auslosung wird beim Beginn gezeigt, der Rest am Ende.
tournament-commitment = Festlegung
tournament-draw-commitment = Festlegung der Auslosung
tournament-draw = Die Auslosung
tournament-secret = Das Geheimnis

# Moderation.
moderation-title = Moderation
moderation-text = Was der Betreiber dieses Servers auf Meldungen hin getan hat, ohne Namen, das Neueste zuerst. Wen es betrifft, der sieht den Grund und kann widersprechen; was daraus wird, steht auch hier.
moderation-mine = Was mich betrifft
moderation-none = Noch musste nichts getan werden.
moderation-more = Früheres
moderation-kind-warning = Ein Spieler wurde verwarnt
moderation-kind-mute = Ein Spieler wurde stumm geschaltet
moderation-kind-removal = Ein Text wurde entfernt
moderation-kind-dismissal = Eine Meldung wurde abgewiesen
text-removed = Vom Betreiber entfernt
moderation-until = bis { $day }
moderation-for-good = für immer
moderation-appealed = Widerspruch, noch nicht entschieden
moderation-verdict-upheld = noch einmal geprüft: es bleibt dabei
moderation-verdict-lifted = noch einmal geprüft: aufgehoben
moderation-mine-none = Nichts betrifft dich. Was der Betreiber über dich entscheidet, stünde hier, mit dem Grund.
moderation-words = Der Betreiber sagt:
moderation-evidence = Du hast geschrieben:
moderation-game = Das Spiel, bei Ereignis { $seq }
moderation-appeal = Warum ist das falsch? Du kannst einmal widersprechen.
moderation-appeal-send = Widersprechen
moderation-appeal-is = Dein Widerspruch:
moderation-reports = Deine Meldungen
report-link = Melden oder stumm schalten
report-title = { $player } melden
report-text = Der Betreiber dieses Servers liest deine Meldung und entscheidet: nichts, eine Verwarnung, einen Text entfernen, stumm schalten, oder das Ende des Kontos. Wer gemeldet hat, wird nicht gesagt. Was getan wurde, steht ohne Namen unter:
report-reason = Was ist falsch?
report-reason-cheating = Betrug: Hilfe eines Programms oder anderer, mehrere Konten
report-reason-insult = Beleidigung oder Drohung
report-reason-spam = Werbung, oder viel vom Gleichen
report-reason-stalling = Spielt weiter, ohne zu wollen: verschleppt, oder verliert mit Absicht
report-reason-name = Der Name
report-reason-other = Etwas anderes
report-more = Mehr, wenn es hilft (höchstens 500 Zeichen)
report-send = Melden
report-no-reason = Wähle, was falsch ist.
report-waits = Diesen Spieler hast du schon gemeldet. Der Betreiber hat noch nicht entschieden.
report-too-many = Du kannst am Tag { $most } Meldungen senden. Versuche es morgen wieder.
report-too-long = Das ist zu lang: höchstens 500 Zeichen.
report-done-title = Gemeldet
report-done-text = Der Betreiber liest es und entscheidet. Was daraus wird, steht unter „Was mich betrifft“, und ohne Namen auf der Seite „Moderation“.
report-own-title = Das bist du
report-own-text = Dich selbst kannst du nicht melden.
report-open = noch nicht entschieden
report-decided = entschieden
mute-title = Oder keine Nachrichten mehr sehen
mute-text = Du siehst keine Nachrichten von { $player } mehr, an keinem Tisch, und bekommst sie in keiner Mail. { $player } erfährt das nicht. In den Einstellungen kannst du es zurücknehmen.
mute-send = { $player } stumm schalten
mutes-title = Stumm geschaltete Spieler
mutes-text = Du siehst ihre Nachrichten nicht. Sie erfahren das nicht.
mutes-end = Wieder zeigen
preferences-done-muted = Stumm geschaltet: Du siehst keine Nachrichten dieses Spielers mehr.
my-games-moderated = Der Betreiber hat etwas getan, das dich betrifft.

following-title = Wem ich folge
following-text = Die öffentlichen Spiele derer, denen du folgst, soweit sie laufen oder in den letzten { $days } Tagen endeten, und deine Favoriten. Niemand erfährt, wem du folgst. Du siehst, was alle sehen; darum ändert es nichts, wer stumm geschaltet oder gesperrt ist.
following-games = Ihre Spiele
following-none = Gerade spielt niemand von ihnen öffentlich.
following-nobody = Du folgst noch niemandem. Auf jedem Profil ist ein Knopf dafür.
following-players = Wem du folgst
following-limits = Du kannst { $players } Spielern folgen und { $games } Spiele merken.
following-full-title = Deine Liste ist voll
following-full-text = Nimm erst jemanden oder etwas von der Seite „Wem ich folge“.
follow-begin = Folgen
follow-end = Nicht mehr folgen
favourites-title = Deine Favoriten
favourites-none = Du hast noch kein Spiel gemerkt. Auf jeder Seite eines Spiels ist ein Knopf dafür.
favourite-begin = Als Favorit merken
favourite-end = Kein Favorit mehr
week-title = Spiele der Woche
week-rule = Von den gewerteten Spielen unter Leuten, die in den letzten 7 Tagen endeten, die { $most }, deren niedrigste Wertung am höchsten ist: { $ratings }, wie die Profile der Spieler sie heute zeigen, ohne vorläufige und verborgene; von gleichen das neuere.
moderation-kind-close = Ein Konto wurde geschlossen
log-in-closed = Der Betreiber hat dieses Konto geschlossen. Eine Mail sagt, warum und wie du widersprechen kannst.

# Aufgaben aus beendeten Spielen.
problems-title = Aufgaben
problems-text = Stellungen aus beendeten Spielen, in denen ein Zug klar der beste ist. Du siehst, was der Spieler sah.
problems-filter = Welches Spiel
problems-all = Alle Spiele
problems-empty = Noch wurde keine Aufgabe gefunden.
problem-title = Aufgabe: { $title }
problem-from = Aus dem Spiel { $names }
problem-question = { $player } ist am Zug. Was ist am besten?
problem-answer = Dein Zug
problem-send = Antworten
problem-right = Richtig: Mit diesem Zug gewinnt man zu { $best } %.
problem-wrong = Es geht besser: { $answer } gewinnt zu { $best } %, dein Zug zu { $given } %.
problem-not-legal = Diesen Zug erlauben die Regeln hier nicht.
problem-played = { $player } spielte { $move }.
problem-chances = Die Gewinnchance nach jedem Zug
problem-move = Zug
problem-chance = Chance
problem-yours = deine Antwort
problem-hint = Das hat unser Bot geschätzt, durch Zufallsspiele ab dieser Stellung.
problem-moment = Diesen Moment im Spiel ansehen
problem-more = Mehr Aufgaben
problem-none-title = Keine solche Aufgabe
problem-none-text = Unter dieser Adresse gibt es keine Aufgabe.
home-problem = Die Aufgabe des Tages
home-problem-text = { $title }: Ein Zug ist klar der beste. Findest du ihn?
home-problem-solve = Ansehen
bot-strength = Wie gut unser Bot spielt
bot-strength-easy = ein leichter Bot
bot-strength-medium = ein mittlerer Bot
bot-strength-strong = ein starker Bot

# Studien: Zugfolgen einer Analyse, die Spieler aufheben.
studies-title = Studien
studies-text = Zugfolgen, die Spieler aus beendeten Spielen heraus ausprobiert haben, und was sie dazu schreiben. Eine eigene hebst du auf der Analyseseite eines beendeten Spiels auf.
studies-empty = Noch gibt es keine Studie.
studies-more = Ältere Studien
studies-own = Deine Studien
studies-own-none = Du hast noch keine Studie aufgehoben.
studies-limit = Du kannst { $most } Studien aufheben.
study-by-link = nur über den Link
study-keep = Diese Zugfolge als Studie aufheben
study-keep-text = Sie bekommt eine eigene Adresse. Wer den Link hat, kann sie lesen, wenn er das Spiel sehen darf.
study-title = Titel
study-comment = Text zu dieser Stellung
study-listed = In der Liste der Studien und auf der Seite des Spiels zeigen
study-save = Aufheben
study-of = Eine Zugfolge aus dem Spiel { $names } ({ $title })
study-where = Stellung { $at } von { $all }
study-steps = Stellungen
study-first = Die Stellung vor der Zugfolge
study-previous = Die Stellung davor
study-next = Die nächste Stellung
study-last = Die letzte Stellung
study-line = Die Zugfolge
study-see = Die Stellung nach Zug { $number }
study-edit = Titel und Text ändern
study-delete = Diese Studie löschen
study-delete-text = Sie ist dann für alle weg, für immer.
study-refused = Diese Studie wird nicht aufgehoben
study-not-over = Ein Spiel lässt sich studieren, sobald es zu Ende ist.
study-no-title = Gib ihr einen Titel von höchstens 80 Zeichen.
study-too-long = Ein Text hat höchstens 1000 Zeichen, alle Texte einer Studie zusammen 16 KB.
study-too-many = Du hast so viele Studien, wie ein Spieler haben darf. Lösch erst eine.
study-changed = Du hast sie inzwischen woanders geändert. Öffne sie noch einmal.
study-none-title = Keine solche Studie
study-none-text = Unter dieser Adresse gibt es keine Studie, oder du darfst ihr Spiel nicht sehen.

# Invitations to the server.
sign-up-closed = Auf diesem Server legt der Betreiber alle Konten an. Frag ihn nach einem.
sign-up-invited = Auf diesen Server kommt man mit einer Einladung. So bekommst du eine:
sign-up-invited-player = Frag jemanden, der hier spielt, oder den Betreiber nach einem Link. Spieler machen ihn in ihren Einstellungen unter „Einladungen“.
sign-up-invited-game = Hat dich eine Mail zu einem Spiel eingeladen, öffne den Link darin und leg dein Konto mit der Adresse an, an die sie ging.
sign-up-invitation = Code der Einladung
sign-up-invitation-hint = Was im Link hinter „invitation=“ steht.
sign-up-invitation-button = Weiter
sign-up-invitation-bad = Diese Einladung wurde benutzt, ist abgelaufen oder war nie eine. Die zu einem Spiel gilt für die Adresse, an die ihre Mail ging.
preferences-page-invitations = Einladungen
preferences-about-invitations = Links, mit denen andere auf diesem Server ein Konto anlegen
server-invitations-text = Auf diesen Server kommt man mit einer Einladung. Jeder Link gilt { $days } Tage lang für ein Konto. Höchstens { $most } von dir können offen sein.
server-invitations-of = Ein Link vom { $since }
server-invitations-none = Kein Link von dir ist offen.
server-invitations-button = Link machen
server-invitations-made = Hier ist der Link. Er ist nur jetzt zu sehen: Schick ihn der Person, die du einlädst.
server-invitations-withdraw = Zurückziehen
server-invitations-many = Mehr offene Links kannst du nicht haben. Zieh einen zurück oder warte, bis einer benutzt wird.
server-invitations-unconfirmed = Bestätige zuerst deine Mailadresse: Öffne den Link in der Mail, die du bekommen hast.
own-terms = Nutzungsbedingungen
own-imprint = Impressum
sign-up-terms = Wer ein Konto anlegt, ist mit dem einverstanden, was hier steht: { $terms }.

# Clubs.
clubs-title = Clubs
clubs-text = Spieler unter einem Namen: Ein Club zeigt seine Mitglieder und die öffentlichen Spiele, die sie spielen oder in denen sie auf Mitspieler warten.
clubs-order = Reihenfolge der Clubs
clubs-newest = Neueste
clubs-largest = Größte
clubs-more = Weitere Clubs
clubs-empty = Noch gibt es keinen Club.
clubs-own = Deine Clubs
clubs-own-none = Du bist noch in keinem Club.
clubs-limits = Du kannst in { $most } Clubs sein, { $owned } davon als Inhaber.
club-members = { $count ->
    [one] 1 Mitglied
   *[other] { $count } Mitglieder
}
club-is-open = offen für alle
club-is-by-asking = auf Anfrage
club-since = seit { $since }
club-role-asking = Du wartest auf den Einlass.
club-role-member = Du bist Mitglied.
club-role-owner = Du bist Inhaber.
club-ask-count = { $count ->
    [one] 1 Anfrage
   *[other] { $count } Anfragen
}
club-make = Einen Club gründen
club-name = Name
club-about = Worum es geht
club-how = Wer hineinkommt
club-open = Alle, die wollen
club-by-asking = Wer anfragt und von einem Inhaber eingelassen wird
club-hidden = Der Betreiber hat das Konto, das Namen und Text geschrieben hat, stumm geschaltet oder geschlossen. Bis ein Inhaber andere schreibt, sehen nur Mitglieder den Club.
club-join = Beitreten
club-ask = Um Einlass bitten
club-log-in = Anmelden und beitreten
club-open-game = Ein Spiel eröffnen
club-leave = Den Club verlassen
club-leave-confirm = Diesen Club verlassen?
club-ask-no-more = Anfrage zurückziehen
club-is-full = Der Club hat { $most } Mitglieder, mehr kann ein Club nicht haben.
club-asking = Wer um Einlass bittet
club-asks-since = bittet seit { $since }
club-admit = Einlassen
club-refuse = Ablehnen
club-waiting = Spiele, die auf Mitspieler warten
club-running = Spiele der Mitglieder
club-running-none = Kein Mitglied spielt gerade ein öffentliches Spiel.
club-finished = In den letzten { $days } Tagen zu Ende gegangen
club-members-title = Mitglieder
club-owner = Inhaber
club-in-since = dabei seit { $since }
club-manage = Verwalten
club-name-owner = Auch zum Inhaber machen
club-hand-on = An deiner Stelle zum Inhaber machen
club-hand-on-confirm = Deinen Platz als Inhaber an diesen Spieler weitergeben?
club-remove = Entfernen
club-remove-confirm = Diesen Spieler aus dem Club entfernen?
club-report = Namen oder Text melden
club-edit = Namen und Text ändern
club-close = Diesen Club schließen
club-close-text = Er ist dann für alle weg, für immer. Die Spiele bleiben.
club-close-confirm = Diesen Club für immer schließen?
club-refused = Das ging nicht
club-no-name = Gib dem Club einen Namen aus einer Zeile mit höchstens 60 Zeichen.
club-too-long = Der Text über einen Club hat höchstens 500 Zeichen.
club-taken = Ein anderer Club hat diesen Namen.
club-too-many = Du bist in so vielen Clubs, wie ein Spieler sein darf. Verlass erst einen.
club-too-many-owned = Das wäre ein Club mehr, als ein Spieler innehaben darf.
club-full = Der Club nimmt gerade niemanden mehr auf: Er hat so viele Mitglieder oder Anfragen, wie er haben darf.
club-last-owner = Sonst hat diesen Club niemand inne. Mach erst jemanden zum Inhaber, oder schließ den Club.
club-none-title = Kein solcher Club
club-none-text = Unter dieser Adresse gibt es keinen Club von dir oder anderen.

# Ladders.
ladders-title = Ranglisten
ladders-text = Auf einer Rangliste forderst du heraus, wer über dir steht. Gewinnst du, nimmst du den Platz ein. Für jedes Spiel zu zweit gibt es eine.
ladder-players = { $count ->
    [one] 1 Person
   *[other] { $count } Personen
}
ladder-own-place = dein Platz: { $place }
ladder-how = Du beginnst unten und forderst heraus, wer höchstens { $reach } Plätze über dir steht; niemand hat mehr als { $most } Herausforderungen zugleich. Eine Herausforderung wird innerhalb von { $days } Tagen beantwortet, Urlaub zählt nicht; sonst ist der Platz verloren wie durch ein verlorenes Spiel. Ein Unentschieden ändert nichts. Die Spiele sind öffentlich und gewertet, { $pace }. Wer { $unanswered } Herausforderungen nacheinander nicht beantwortet oder { $idle } Tage nicht spielt, steht nicht mehr auf der Rangliste.
ladder-title = Rangliste: { $title }
ladder-none-title = Keine solche Rangliste
ladder-none-text = Für so ein Spiel gibt es keine Rangliste.
ladder-asked = { $player } fordert dich heraus. Nimmst du bis { $until } nicht an, verlierst du deinen Platz.
ladder-accept = Herausforderung annehmen
ladder-join = Auf die Rangliste
ladder-leave = Rangliste verlassen
ladder-leave-confirm = Diese Rangliste verlassen? Wer wiederkommt, beginnt unten.
ladder-log-in = Melde dich an, um mitzumachen
ladder-nobody = Noch steht hier niemand.
ladder-places = Plätze
ladder-challenge = Herausfordern
ladder-open = Herausforderungen und Spiele
ladder-game = Spiel
ladder-waits = wartet auf eine Antwort
ladder-waits-until = wartet bis { $until } auf eine Antwort
ladder-happened = Was geschehen ist
ladder-told-joined = { $player } ist dazugekommen.
ladder-told-challenged = { $player } fordert { $other } heraus.
ladder-told-accepted = { $other } spielt gegen { $player }.
ladder-told-expired = { $other } hat { $player } nicht rechtzeitig geantwortet.
ladder-told-ended-challenger = { $player } hat gegen { $other } gewonnen.
ladder-told-ended-challenged = { $other } hat gegen { $player } gewonnen.
ladder-told-ended-draw = { $player } und { $other } haben unentschieden gespielt.
ladder-told-ended-void = Das Spiel von { $player } und { $other } hat kein Ergebnis.
ladder-told-left-wish = { $player } ist gegangen.
ladder-told-left-unanswered = { $player } hat keine Herausforderung beantwortet und steht nicht mehr auf der Rangliste.
ladder-told-left-idle = { $player } hat nicht gespielt und steht nicht mehr auf der Rangliste.
ladder-told-left-account = { $player } steht nicht mehr auf der Rangliste.
ladder-refused = Gerade nicht möglich
ladder-already-in = Du stehst schon auf dieser Rangliste.
ladder-not-in = Du stehst nicht auf dieser Rangliste.
ladder-full = Diese Rangliste ist voll.
ladder-out-of-reach = So weit über dir fordert man nicht heraus.
ladder-too-many = Jemand von euch hat so viele Herausforderungen, wie man haben darf, oder zwischen euch gibt es schon eine.
ladder-no-challenge = Diese Herausforderung ist vorbei oder schon beantwortet.
my-games-challenged = Jemand fordert dich auf einer Rangliste heraus: { $title }.
