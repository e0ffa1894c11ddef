# Was geschehen ist.
serpent-card = { $card }
serpent-dealt = Hand { $hand } ist ausgeteilt; { $player } leitet sie.
serpent-given = { $player } hat { $other } offen { $cards } gegeben.
serpent-shown = { $player } hat { $cards } aufgedeckt.
serpent-played = { $player } hat { $card } auf Platz { $position } gespielt.
serpent-scored = Hand { $hand } ist vollständig und bringt { $player } { $points } Punkte mit { $parts }.
serpent-scored-nothing = Hand { $hand } ist vollständig und bringt { $player } keine Punkte.
serpent-pairs = { $count ->
    [one] einem Paar
   *[other] { $count } Paaren
}
serpent-runs = { $count ->
    [one] einer Folge von { $lengths }
   *[other] Folgen von { $lengths }
}
serpent-decided-richest = Die ergiebigste Hand war Hand { $hand }: { $points } Punkte für { $player }.
serpent-decided-equal = Nach { $hands } Händen stand es gleich, also wurden zwei weitere gespielt.

# Was ein Zug tun wird, bevor er abgeschickt ist.
serpent-given-soon = Du gibst { $other } offen { $cards }.
serpent-shown-soon = Du deckst { $cards } auf.
serpent-played-soon = Du spielst { $card } auf Platz { $position }.
serpent-scored-soon = Hand { $hand } wird vollständig und { $player } { $points } Punkte bringen, mit { $parts }.
serpent-scored-nothing-soon = Hand { $hand } wird vollständig und { $player } keine Punkte bringen.

# Was zu tun ist.
serpent-do-give = Hand { $hand }: Gib der Verteidigung drei deiner neun Karten.
serpent-do-show = Lege drei deiner sechs Karten offen hin; sie bleiben deine.
serpent-do-follow = Spiele auf Platz { $position } eine Karte, die { $lead } in Farbe oder Rang folgt, wenn du kannst.
serpent-do-lead = Spiele auf Platz { $position } eine beliebige Karte aus.

# Warum etwas nicht geht.
serpent-give-first = Gib zuerst drei deiner Karten an die Verteidigung
serpent-show-now = Lege jetzt drei deiner Karten offen hin
serpent-play-now = Alle Karten sind vergeben und gezeigt: Spiele eine
serpent-not-hidden = { $card } ist nicht unter den verdeckten Karten der Leitung
serpent-played-before = { $card } hätte schon gespielt werden müssen, um { $lead } zu folgen
serpent-not-in-hand = { $card } ist nicht in dieser Hand
serpent-does-not-follow = { $card } folgt { $lead } weder in Farbe noch im Rang, { $following } aber schon
serpent-here = Erwartet: eine Karte: ein Rang A 2 bis 9 T J Q K und eine Farbe c d h s, wie in 5h

# Der Tisch als Text; die Zeilen haben höchstens 78 Zeichen.
serpent-role = { $role ->
    [director] Leitung
   *[defender] Verteidigung
}
serpent-hand-of = { $tie ->
    [yes] Hand { $hand }, bei Gleichstand. Leitung: { $name }.
   *[no] Hand { $hand }. Leitung: { $name }.
}
serpent-to-follow = Zu bedienen: { $lead }, { $card }.
serpent-face-up = offen:    { $cards }
serpent-hidden = verdeckt: { $cards }
serpent-over = Die Partie ist zu Ende.

# Das Bild, und was es zeigt.
serpent-label-hand = { $tie ->
    [yes] Hand { $hand }, bei Gleichstand
   *[no] Hand { $hand } von { $most }
}
serpent-ask-give = Gib drei Karten
serpent-ask-show = Zeig drei Karten
serpent-ask-follow = Bediene { $card }
serpent-ask-lead = Spiel eine beliebige Karte
serpent-ask-nothing = Die Partie ist zu Ende
serpent-label-face-up = offen
serpent-label-no-cards = keine Karten mehr
serpent-label-hidden-from-other = für die anderen verdeckt
serpent-label-hidden = verdeckt
serpent-label-that-hand = Hand { $hand }
serpent-label-pairs = { $count ->
    [one] 1 Paar
   *[other] { $count } Paare
}
serpent-label-runs = { $count ->
    [one] 1 Folge
   *[other] { $count } Folgen
}
serpent-title = Serpent, Hand { $hand }: { $players }
serpent-table = Auf dem Tisch, der Reihe nach: { $cards }.
serpent-holds = { $name }, { $role }, { $points }. Offen: { $shown }. Verdeckt: { $hidden }.
serpent-earlier = Hand { $hand }: { $points } für { $name }.

# Wörter für Aktionen neben der Notation, und wie man Notation schreibt.
serpent-orders = gib: give; gebe: give; geben: give; zeige: show; zeigen: show; spiele: play; lege: play
serpent-notation = "5h" spielt die Herz-Fünf; "give 5h 6c Kd" gibt drei Karten ab und "show 5h 6c Kd" legt drei offen hin. Ränge sind A 2 bis 9 T J Q K, Farben c d h s (Kreuz, Karo, Herz, Pik).

# Was Seiten über das Spiel sagen.
serpent-about = Zwölf Karten entlang eines gewundenen Wegs: Die eine Seite baut Paare und Folgen, die andere verdirbt sie.

# Die ersten Züge eines vorbereiteten Spiels.
serpent-guide-0 = ann leitet die erste Hand: In ihr bekommt nur sie Punkte, für Paare und Folgen auf dem Tisch. bob versucht nur, sie zu stören; die nächste Hand ist seine. Sie hat neun Karten bekommen, bob drei. Du siehst ihre Karten.
serpent-guide-1 = Sie gibt bob drei Karten, die zu nichts passen, was sie vorhat, offen. Er muss sie später spielen, und sie kennt sie.
serpent-guide-2 = Drei ihrer sechs Karten muss sie zeigen. Ihre zwei Fünfen und die Sechs bleiben verdeckt. Jetzt legen beide Karten den Weg entlang, von 1 bis 12; ann spielt die untere Reihe, bob die obere.
serpent-guide-3 = Auf ungeraden Plätzen wird ausgespielt, und da darf jede Karte liegen. ann beginnt mit einer Fünf.
serpent-guide-4 = Eine Antwort muss der Karte davor in Farbe oder Rang folgen, wenn eine Karte das kann. bob hat ein Kreuz, die Dame, also muss er sie spielen. Sie hilft ihr nicht.
serpent-guide-5 = Auf 3 spielt bob aus. Er nimmt die Herz-Acht.
serpent-guide-6 = ann folgt mit der Herz-Fünf. Sie liegt neben ihrer ersten Fünf, und so sind die zwei ein Paar: 2 Punkte, wenn die Hand vorbei ist.
serpent-guide-7 = Die Sechs liegt neben einer Fünf. Kommt die Sieben daneben, sind Fünf, Sechs und Sieben eine Folge, mit einem Punkt für jede Karte. Nach zwölf Karten wird gewertet, und bob leitet die nächste Hand.
