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
