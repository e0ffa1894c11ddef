# Was geschehen ist.
pip-pip-rolled = { $player } hat eine { $die } gewürfelt.
pip-pip-stored = { $player } hat die { $die } ins Lager gelegt.
pip-pip-pulled = { $player } hat eine { $die } aus dem Lager genommen.
pip-pip-placed = { $player } hat eine { $top } auf { $cell } gesetzt, mit der { $north } nach Norden.
pip-pip-converted = { $count ->
    [one] Der Würfel auf { $cells } hat die Farbe gewechselt.
   *[other] Die Würfel auf { $cells } haben die Farbe gewechselt.
}
pip-pip-decided = { $dice ->
    [0] { $colour ->
        [light] { $player } hat keinen hellen Würfel auf einem hellen Feld: keine Punkte.
       *[dark] { $player } hat keinen dunklen Würfel auf einem dunklen Feld: keine Punkte.
    }
    [one] { $colour ->
        [light] { $player } hat einen hellen Würfel auf einem hellen Feld, für { $points }.
       *[dark] { $player } hat einen dunklen Würfel auf einem dunklen Feld, für { $points }.
    }
   *[other] { $colour ->
        [light] { $player } hat { $dice } helle Würfel auf hellen Feldern: { $tops } = { $points }.
       *[dark] { $player } hat { $dice } dunkle Würfel auf dunklen Feldern: { $tops } = { $points }.
    }
}

# Was ein Zug tun wird, bevor er abgeschickt ist.
pip-pip-stored-soon = Du legst die { $die } ins Lager.
pip-pip-pulled-soon = Du nimmst eine { $die } aus dem Lager.
pip-pip-placed-soon = Du setzt eine { $top } auf { $cell }, mit der { $north } nach Norden.
pip-pip-converted-soon = { $count ->
    [one] Der Würfel auf { $cells } wird die Farbe wechseln.
   *[other] Die Würfel auf { $cells } werden die Farbe wechseln.
}

# Was zu tun ist.
pip-pip-place-or-store = Du hast eine { $die } gewürfelt: Setze sie, oder lege sie ins Lager.
pip-pip-place = Du hast eine { $die } gewürfelt: Setze sie.
pip-pip-roll-or-pull = Würfle, oder nimm einen Würfel aus deinem Lager.
pip-pip-pull = Setze einen Würfel aus deinem Lager.

# Warum etwas nicht geht.
pip-pip-rolled-already = Es ist schon gewürfelt: Setze den Würfel, oder lege ihn ins Lager
pip-pip-must-pull = Jeder Würfel, den du noch setzt, muss aus dem Lager kommen: Nimm einen mit pull
pip-pip-nothing-to-store = Es ist nichts gewürfelt, was ins Lager könnte
pip-pip-store-full = Das Lager nimmt nichts mehr auf: höchstens drei Würfel, und alle müssen noch einen Platz finden
pip-pip-nothing-rolled = Es ist nichts gewürfelt: Würfle mit roll, oder nimm mit pull einen Würfel aus dem Lager
pip-pip-rolled-stays = Ein gewürfelter Würfel kann nur gesetzt oder ins Lager gelegt werden
pip-pip-not-stored = Im Lager liegt keine { $die }
pip-pip-norths = Mit { $top } oben liegt im Norden eine von { $possible }
pip-pip-here = Erwartet: roll, store, pull oder ein Feld von c3 bis f6, wie in `d4 n2`
pip-pip-here-north = Erwartet: n und die Zahl, die nach Norden zeigt, wie in n2
pip-pip-here-face = Erwartet: die Zahl, die nach Norden zeigt, 1 bis 6
pip-pip-here-stored = Erwartet: die Zahl des Würfels im Lager, 1 bis 6

# Das Brett als Text; die Zeilen haben höchstens 78 Zeichen.
pip-pip-line = { $colour ->
    [light] hell: { $name }, { $points }, noch { $dice }, Lager { $store }
   *[dark] dunkel: { $name }, { $points }, noch { $dice }, Lager { $store }
}
pip-pip-dice = { $count ->
    [one] 1 Würfel
   *[other] { $count } Würfel
}
pip-pip-empty = leer
pip-pip-lies = { $cell } oben { $top } Norden { $north } Osten { $east }
pip-pip-rolled-now = Gewürfelt: { $die }

# Das Bild, und was es zeigt.
pip-pip-remaining = { $colour ->
    [light] hell, noch { $remaining }
   *[dark] dunkel, noch { $remaining }
}
pip-pip-label-rolled = gewürfelt
pip-pip-label-store = Lager
pip-pip-label-points = { $count ->
    [one] Punkt
   *[other] Punkte
}
pip-pip-title = Pip•Pip: { $light } (hell) { $lights }, { $dark } (dunkel) { $darks }
pip-pip-die = { $top } auf { $cell } mit { $north } nach Norden und { $east } nach Osten
pip-pip-no-dice = keine auf dem Brett
pip-pip-player = { $colour ->
    [light] { $name }, { $points }, helle Würfel: { $dice }. Lager: { $store }.
   *[dark] { $name }, { $points }, dunkle Würfel: { $dice }. Lager: { $store }.
}
pip-pip-has-rolled = { $name } hat { $die } gewürfelt.
pip-pip-to-roll = { $name } würfelt oder nimmt aus dem Lager.

# Was auf der Seite gewählt wird.
pip-pip-target-stored = { $die } aus dem Lager
pip-pip-button-roll = Würfeln
pip-pip-button-store = Ins Lager legen, neu würfeln
pip-pip-button-lies = { $top }, { $north } nach Norden, { $east } nach Osten

# Wörter für Aktionen neben der Notation, und wie man Notation schreibt.
pip-pip-orders = lager: store; lagern: store; behalten: store; würfeln: roll; würfle: roll; würfel: roll; nimm: pull; ziehe: pull
pip-pip-notation = "c6 n1" legt den Würfel auf c6 mit der 1 nach Norden, "store" legt ihn ins Lager und würfelt den nächsten, "roll" würfelt, und "pull 5 c6 n1" legt die 5 aus dem Lager. Spalten c bis f zählen von Westen, Zeilen 3 bis 6 von Süden.

# Was Seiten über das Spiel sagen.
pip-pip-about = Sechzehn Würfel, ein Brett von vier mal vier und der knappste aller Siege.

# Die ersten Züge eines vorbereiteten Spiels.
pip-pip-guide-0 = Jede Seite setzt acht Würfel. ann spielt die hellen, bob die dunklen, und am Ende zählen Würfel deiner Farbe auf Feldern deiner Farbe. ann hat eine 4 gewürfelt: Sie darf sie auf irgendein freies Feld setzen, gedreht, wie sie will, oder sie ins Lager legen und noch einmal würfeln.
pip-pip-guide-1 = ann setzt ihre 4 auf d3, ein helles Feld: Dort würde sie 4 für sie zählen. Die 2 dreht sie nach Norden, und diese Seite ist schwach.
pip-pip-guide-2 = bob setzt seine 3 daneben, auf d4. Sein Würfel zeigt nach Süden die 6, gegen ihre 2. Die höhere Seite gewinnt, also wird ihr Würfel auf d3 dunkel: Er steht jetzt auf einem hellen Feld und zählt für niemanden. Nur der Würfel, der gerade gesetzt wurde, färbt andere um.
pip-pip-guide-3 = ann hat eine 1 gewürfelt. Sie legt sie in ihr Lager, das bis zu drei Würfel fasst, und würfelt noch einmal: eine 5. Ein Würfel aus dem Lager kann in einem späteren Zug gesetzt werden, statt zu würfeln.
pip-pip-guide-4 = Sie setzt die 5 auf d5, mit der 6 gegen die 1 von bobs Würfel. Der Würfel auf d4 wird hell. Ihre 5 steht auf einem hellen Feld und zählt. So geht es weiter, bis alle sechzehn Felder voll sind.
