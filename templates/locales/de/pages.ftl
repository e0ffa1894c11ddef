# Every page.
api-page = API-Seite
page-sandbox = Dies ist ein Sandkasten für alle, die Programme für diese API schreiben: Hier zählt nichts. Mitspieler stellen die Uhr vor und wählen die Würfel, und keine Mail wird verschickt. Mehr auf der { $docs }.
page-bounced = Mails an deine Adresse sind zurückgekommen, deshalb gehen keine mehr dorthin. In deinen { $preferences } lässt du die Mail noch einmal schicken, oder du änderst die Adresse.

# Switching off a kind of mail.
stop-page-title = Weniger Mails
stop-turns = Keine Mails mehr, wenn du am Zug bist?
stop-reminders = Keine Erinnerungen mehr, wenn deine Zeit abläuft?
stop-games = Keine Mails mehr, wenn Spiele beginnen und enden oder jemand eine Pause vorschlägt?
stop-digest = Keine tägliche Übersicht deiner Spiele mehr?
stop-invitations = Keine Einladungen mehr?
stop-invitations-account = Keine Einladungen, Herausforderungen und Mails zu Clubs mehr?
stop-messages = Keine Mails mehr, wenn andere am Tisch schreiben?
stop-explanation = Alle anderen Mails kommen weiterhin. Du kannst das jederzeit in deinem Konto ändern.
stop-explanation-address = Niemand kann dich dann mehr per Mail zu einem Spiel einladen.
stop-button = Ja, abbestellen
stopped-title = Erledigt
stopped-text = Mails dieser Art kommen nicht mehr.
block-explanation = Oder keine Mails mehr, weil { $from } dich einlädt, herausfordert oder in einen Club möchte. Niemand erfährt davon.
block-button = { $from } sperren
blocked-text = Solche Mails kommen wegen dieses Mitglieds nicht mehr.
stop-bad-title = Dieser Link funktioniert nicht
stop-bad-text = Er ist nicht von uns, oder er ist nicht vollständig. Kopiere ihn ganz aus der Mail.

# The front door.
home-title = Langsame Spiele, ehrliche Würfel
home-text = { $site } ist ein Server für Spiele, die Tage dauern: { $games }. Jeder Zug wird aufbewahrt, jeder Würfel und jede Karte lässt sich von allen prüfen, und eine Mail sagt dir, wann du am Zug bist.
home-check = Du musst uns nicht glauben: { $check }, im Browser, auch ohne Netz.
home-check-link = Prüf ein Spiel selbst
home-try = Probier die API aus
home-document = OpenAPI-Dokument

# A game.
page-board-text = Das Brett als Text
page-record-link = die Aufzeichnung
page-details = Einzelheiten
page-commitment = Bevor jemand etwas dazugab, hat sich der Server für den Zufall dieses Spiels festgelegt, mit { $commitment }.
page-commitment-opened = Bevor jemand etwas dazugab, hat sich der Server für den Zufall dieses Spiels festgelegt, mit { $commitment }; die letzte Zeile der Aufzeichnung deckt es auf.
page-waiting = { $free ->
    [one] Es fehlt noch eine Person
   *[other] Es fehlen noch { $free } Personen
}
page-starting = Alle sind da: Das Spiel beginnt mit der nächsten öffentlichen Zufallszahl
page-cancelled = Abgesagt: Alle sind gegangen, bevor es begann
page-expired = Verfallen: Es hat nicht rechtzeitig begonnen
page-expires = Wartet bis
page-your-turn = Du bist am Zug
page-turn-of = { $player } ist am Zug
page-running = Läuft
page-time-left = noch { $left }, bis { $deadline }
page-no-game-title = Hier ist kein solches Spiel
page-no-game-text = Vielleicht ist es privat, und der Link, dem du gefolgt bist, gehört nicht dazu.
page-link-ended-text = Der Link aus deiner Mail gilt nicht mehr: Das Spiel ist seitdem weitergegangen, oder es gibt kein solches Spiel. Die neueste Mail zu dem Spiel hat einen neuen Link.

# Links about accounts.
confirm-page-title = Bestätige deine Adresse
confirm-page-text = Ein Klick, und { $site } darf dir schreiben, wenn du am Zug bist.
confirm-page-button = Ja, das ist meine Adresse
confirm-page-not-you = Du hast dich hier nicht angemeldet? Dann schließ einfach diese Seite, und du hörst nichts mehr von uns.
confirmed-title = Adresse bestätigt
confirmed-text = Danke. Von jetzt an sagt dir eine Mail, wann du am Zug bist.
reset-page-label = Neues Passwort
reset-page-hint = Mindestens 10 Zeichen. Ein paar Wörter, die du behältst, sind besser als ein Rätsel.
reset-page-button = Setzen
reset-page-bad = Ein Passwort hat 10 bis 256 Zeichen.
reset-page-common = Dieses Passwort gehört zu den häufigsten, oder es ist dein eigener Name oder deine Adresse. Nimm ein anderes.
reset-done-title = Neues Passwort gesetzt
reset-done-text = Melde dich damit an. Alle Sitzungen mit dem alten Passwort sind beendet.
link-bad-title = Dieser Link funktioniert nicht mehr
link-bad-text = Er wurde schon benutzt oder ist abgelaufen. Lass dir einen neuen schicken.

# Letting an app act for you.
authorize-title = Darf { $app } für dich handeln?
authorize-text = Die App { $app } ({ $home }), die { $player } hier eingetragen hat, bittet darum, in deinem Namen dies zu dürfen:
authorize-read = sehen, was du siehst: deine Spiele mit deinen verdeckten Karten, Nachrichten, deine Mails von hier und deine Mailadresse
authorize-read-game = sehen, was du in diesem Spiel siehst, auch deine verdeckten Karten und Nachrichten
authorize-play = Spielen beitreten und sie verlassen, ziehen, aufgeben und Nachrichten schreiben
authorize-play-game = in diesem Spiel ziehen, aufgeben und Nachrichten schreiben
authorize-manage = Spiele anlegen, andere einladen und Spiele abbrechen
authorize-manage-game = andere zu diesem Spiel einladen und es abbrechen
authorize-mail = ändern, wann dir Mails von deinen Spielen berichten
authorize-webhooks = Programmen und Browsern durch Webhooks und Web-Push von deinen Spielen berichten lassen, auch von privaten
authorize-one-game = Nur in diesem einen Spiel: { $game }.
authorize-all-games = In allen deinen Spielen.
authorize-never = Dein Passwort sieht sie nie, und weder das Passwort noch deine Mailadresse kann sie ändern.
authorize-login = Name oder Mailadresse
authorize-password = Passwort
authorize-allow = Erlauben
authorize-deny = Nicht erlauben
authorize-to-site = Danach geht es weiter zu { $site }.
authorize-to-device = Danach geht es weiter zu einem Programm auf diesem Gerät.
authorize-end = Du kannst das jederzeit in deinen Einstellungen beenden: { $page }.
authorize-wrong = Name, Adresse oder Passwort ist falsch.
authorize-too-many = Zu viele Versuche. Der nächste ist möglich in { $seconds ->
    [one] einer Sekunde
   *[other] { $seconds } Sekunden
}.
authorize-no-game = Du bist nicht in dem Spiel, um das die App bittet.
authorize-refused-title = Das geht nicht
authorize-refused-text = Eine App hat dich mit einer Anfrage hierher geschickt, die dieser Server nicht beantworten kann. Es liegt nicht an dir: Geh zurück zur App und versuch es noch einmal, oder sag es denen, die sie gemacht haben.
authorize-ended-text = Diese Seite wurde schon beantwortet, oder sie ist abgelaufen. Geh zurück zur App und fang noch einmal an.
authorize-back-link = Zurück zur App
device-title = Eine App verbinden
device-text = Gib den Code ein, den dir eine App auf einem anderen Gerät zeigt, etwa auf einem Fernseher oder in einer Befehlszeile.
device-code = Code
device-go = Weiter
device-compare = Erlaub es nur, wenn dir die App auf deinem eigenen Gerät gerade jetzt den Code { $code } zeigt. Wer dir einen Code schickt, will als du spielen.
device-wrong = Auf diesen Code wartet keine App. Er hat acht Buchstaben und gilt zehn Minuten lang.
device-allowed-title = { $app } darf jetzt für dich handeln
device-allowed-text = Geh zurück zu deinem Gerät: { $app } macht dort von selbst weiter. Beenden kannst du das jederzeit in deinen Einstellungen.
device-denied-title = { $app } darf nicht für dich handeln
device-denied-text = { $app } erfährt das, und nichts über dich.
authorized-title = Zurück zu { $app }
authorized-text = Falls nichts von selbst geschieht: { $link }.
