# Was geschehen ist.
dominion-dealt = Das Spielfeld wurde Reihe für Reihe von Nordwesten her ausgelegt: { $cards }.
dominion-turned = { $reshuffled ->
    [yes] Die abgelegten Karten wurden wieder zum Stapel. { $player } hat { $card } aufgedeckt: { $means }.
   *[no] { $player } hat { $card } aufgedeckt: { $means }.
}
dominion-means-reinforce = eine Armee mehr, auf einem Feld, das sie aufnimmt
dominion-means-withdraw = eine Armee muss abgezogen werden
dominion-means-colour = { $colour ->
    [red] in diesem Zug ist jede rote Karte um 1 stärker
   *[black] in diesem Zug ist jede schwarze Karte um 1 stärker
}
dominion-means-rank = { $colour ->
    [red] in diesem Zug sind rote { $ranks } um 2 stärker, schwarze { $ranks } um 2 schwächer
   *[black] in diesem Zug sind schwarze { $ranks } um 2 stärker, rote { $ranks } um 2 schwächer
}
dominion-ranks = { $rank ->
    [1] Asse
    [2] Zweien
    [3] Dreien
    [4] Vieren
    [5] Fünfen
    [6] Sechsen
    [7] Siebenen
    [8] Achten
    [9] Neunen
    [10] Zehnen
   *[11] Buben
}
dominion-attacked = { $attacker } hat { $defender } von { $from } nach { $to } angegriffen, { $odds }: { $ours } gegen { $theirs }. { $result }
dominion-odds = { $side ->
    [advantage] mit Vorteil { $by }
    [disadvantage] mit Nachteil { $by }
   *[even] ausgeglichen
}
dominion-lost-nothing = Niemand hat eine Armee verloren.
dominion-lost = { $armies ->
    [one] { $player } hat 1 Armee verloren.
   *[other] { $player } hat { $armies } Armeen verloren.
}
dominion-conquered = Auf { $cell } ist keine Armee mehr: { $player } hat das Feld erobert und bestimmt, wie viele Armeen einziehen.
dominion-now = { $clauses }.
dominion-now-has = { $player } hat jetzt { $armies }
dominion-armies-on = { $armies ->
    [one] 1 Armee auf { $cell }
   *[other] { $armies } Armeen auf { $cell }
}
dominion-unoccupied = { $count ->
    [one] { $cells } ist unbesetzt
   *[other] { $cells } sind unbesetzt
}
dominion-reinforced = { $player } hat für den roten König auf { $cell } eine Armee hinzugefügt.
dominion-withdrew = { $player } hat für den schwarzen König von { $cell } eine Armee abgezogen.
dominion-occupied = { $armies ->
    [0] { $player } ist mit keiner Armee in das eroberte Feld gezogen.
    [one] { $player } ist mit 1 Armee in das eroberte Feld gezogen.
   *[other] { $player } ist mit { $armies } Armeen in das eroberte Feld gezogen.
}
dominion-advanced = { $armies ->
    [one] { $player } ist mit 1 Armee von { $from } nach { $to } vorgerückt.
   *[other] { $player } ist mit { $armies } Armeen von { $from } nach { $to } vorgerückt.
}
dominion-deployed = { $armies ->
    [one] { $player } hat 1 Armee auf { $cell } aufgestellt.
   *[other] { $player } hat { $armies } Armeen auf { $cell } aufgestellt.
}
dominion-passed = { $next ->
    [advance] { $player } hat gepasst und ist zum Vorrücken übergegangen.
    [deploy] { $player } hat gepasst und ist zum Aufstellen übergegangen.
   *[others] { $player } hat gepasst.
}
dominion-rolled = { $armies ->
    [one] { $player } hat zum Aufstellen { $first } und { $second } gewürfelt: 1 Armee auf einer Karte vom Rang { $rank } oder niedriger.
   *[other] { $player } hat zum Aufstellen { $first } und { $second } gewürfelt: bis zu { $armies } Armeen auf einer Karte vom Rang { $rank } oder niedriger.
}
dominion-rolled-in-vain = { $player } hat zum Aufstellen { $first } und { $second } gewürfelt: Kein Feld vom Rang { $rank } oder niedriger nimmt Armeen auf, und so war der Zug zu Ende.
dominion-may-attack = { $player } darf angreifen.
dominion-may-advance = { $player } darf vorrücken.
dominion-decided-all = Jede Karte des Feldes gehört { $player }.
dominion-decided-rounds = Die letzte Runde ist gespielt. Vorn liegt, wer die meisten Karten besitzt, und bei Gleichstand, wer die meisten Armeen hat.
dominion-decided-holds = { $player } besitzt { $cells } mit { $armies }.

# Was ein Zug tun wird, bevor er abgeschickt ist.
dominion-now-has-soon = { $player } wird { $armies } haben
dominion-unoccupied-soon = { $count ->
    [one] { $cells } wird unbesetzt sein
   *[other] { $cells } werden unbesetzt sein
}
dominion-reinforced-soon = Du fügst für den roten König auf { $cell } eine Armee hinzu.
dominion-withdrew-soon = Du ziehst für den schwarzen König von { $cell } eine Armee ab.
dominion-occupied-soon = { $armies ->
    [0] Du ziehst mit keiner Armee in das eroberte Feld.
    [one] Du ziehst mit 1 Armee in das eroberte Feld.
   *[other] Du ziehst mit { $armies } Armeen in das eroberte Feld.
}
dominion-advanced-soon = { $armies ->
    [one] Du rückst mit 1 Armee von { $from } nach { $to } vor.
   *[other] Du rückst mit { $armies } Armeen von { $from } nach { $to } vor.
}
dominion-deployed-soon = { $armies ->
    [one] Du stellst 1 Armee auf { $cell } auf.
   *[other] Du stellst { $armies } Armeen auf { $cell } auf.
}
dominion-passed-soon = { $next ->
    [advance] Du passt und gehst zum Vorrücken über.
    [deploy] Du passt und gehst zum Aufstellen über.
   *[others] Du passt.
}
dominion-may-attack-soon = { $player } wird angreifen dürfen.
dominion-may-advance-soon = { $player } wird vorrücken dürfen.

# Was zu tun ist.
dominion-do-turn = Decke eine Karte auf, um anzugreifen, rücke vor, oder geh mit pass zum nächsten Abschnitt weiter.
dominion-do-attack-first = Du hast eine Karte aufgedeckt: Greif mindestens einmal an.
dominion-do-attack-again = Greif noch einmal an, rücke vor, oder geh mit pass zum nächsten Abschnitt weiter.
dominion-do-reinforce = Ein roter König wurde aufgedeckt: Verstärke eines deiner Felder um eine Armee.
dominion-do-withdraw = Ein schwarzer König wurde aufgedeckt: Zieh von einem deiner Felder eine Armee ab. Kannst du danach niemanden angreifen, musst du es nicht.
dominion-do-occupy = { $most ->
    [one] Du hast { $to } erobert: Zieh mit 1 Armee von { $from } ein, oder mit keiner.
   *[other] Du hast { $to } erobert: Zieh mit 0 bis { $most } Armeen von { $from } ein.
}
dominion-do-advance = Rücke mit Armeen von einem deiner Felder auf ein benachbartes vor, oder passe.
dominion-do-roll = Würfle zum Aufstellen.
dominion-do-deploy = Du hast { $first } und { $second } gewürfelt: Stell { $most ->
    [one] 1 Armee
   *[other] bis zu { $most } Armeen
} auf einer Karte auf, die nicht höher ist als { $rank ->
    [11] der Bube
   *[other] { $rank }
}, oder passe.

# Warum etwas nicht geht.
dominion-not-your-choice = Die Wahl liegt nicht bei diesem Platz
dominion-awaits-attack = Jetzt wird angegriffen: Decke eine Karte auf, greif an, rücke vor, oder passe
dominion-awaits-reinforcement = Ein roter König wurde aufgedeckt: Verstärke eines deiner Felder
dominion-awaits-withdrawal = Ein schwarzer König wurde aufgedeckt: Zieh von einem deiner Felder eine Armee ab
dominion-awaits-occupation = Ein Feld wurde erobert: Sag, wie viele Armeen es besetzen, 0 zum Bleiben
dominion-awaits-advance = Jetzt wird vorgerückt: Rücke vor, oder passe
dominion-awaits-roll = Zuerst wird zum Aufstellen gewürfelt
dominion-awaits-deployment = Jetzt wird aufgestellt: Stell Armeen auf, oder passe
dominion-awaits-nothing = Das Spiel ist zu Ende
dominion-may-occupy = { $number ->
    [one] 1 Armee kann einziehen
   *[many] { $least } bis { $most } Armeen können einziehen
}
dominion-may-advance-there = { $number ->
    [one] 1 Armee kann dorthin vorrücken
   *[many] { $least } bis { $most } Armeen können dorthin vorrücken
}
dominion-may-deploy-there = { $number ->
    [one] 1 Armee kann dort aufgestellt werden
   *[many] { $least } bis { $most } Armeen können dort aufgestellt werden
}
dominion-turned-already = Es ist schon eine Karte aufgedeckt: In jedem Zug ist es eine
dominion-attack-first = Eine Karte ist aufgedeckt: Zuerst musst du mindestens einmal angreifen
dominion-not-yours = { $cell } ist keines deiner Felder
dominion-strongest = { $cell } hat schon die Stärke { $strength }
dominion-turn-first = Decke eine Karte auf, bevor du angreifst
dominion-off-field = { $cell } liegt nicht auf diesem Spielfeld
dominion-no-enemy = { $cell } gehört niemand anderem
dominion-out-of-reach = { $to } ist außer Reichweite: Sieh nach, wie die Karte auf { $from } liegt
dominion-not-next = { $to } liegt nicht neben { $from }
dominion-full = { $cell } ist voll: Die Stärke ist { $strength } oder mehr
dominion-others = { $cell } ist von jemand anderem besetzt
dominion-rank-too-high = Die Würfel erlauben höchstens eine Karte vom Rang { $most }, und { $cell } hat den Rang { $rank }
dominion-here = Erwartet: turn, reinforce, withdraw, attack, occupy, advance, deploy oder pass
dominion-here-cell = { $which ->
    [reinforced] Erwartet: das Feld, das die Armee bekommt: eine Spalte a bis e und eine Zeile 1 bis 5
    [withdrawn] Erwartet: das Feld, das die Armee verliert: eine Spalte a bis e und eine Zeile 1 bis 5
    [deployed] Erwartet: das Feld, auf dem aufgestellt wird: eine Spalte a bis e und eine Zeile 1 bis 5
    [from] Erwartet: das Feld, von dem die Armeen kommen: eine Spalte a bis e und eine Zeile 1 bis 5
   *[to] Erwartet: das Feld, auf das die Armeen ziehen: eine Spalte a bis e und eine Zeile 1 bis 5
}
dominion-here-armies = Erwartet: die Zahl der Armeen

# Das Spielfeld als Text; die Zeilen haben höchstens 78 Zeichen, und was in einem Feld steht, 12.
dominion-vertical = N-S
dominion-horizontal = O-W
dominion-legend = N-S greift nach Norden und Süden an, O-W nach Osten und Westen.
dominion-free = frei
dominion-armies = { $count ->
    [one] 1 Armee
   *[other] { $count } Armeen
}
dominion-cells = { $count ->
    [one] 1 Feld
   *[other] { $count } Felder
}
dominion-in-turn = am Zug
dominion-on = { $armies } auf { $cell }
dominion-state-occupy = { $name } darf mit bis zu { $armies } von { $from } nach { $to } ziehen.
dominion-state-deploy = { $name } hat { $first } und { $second }: höchstens { $armies }, höchstens Rang { $rank }.
dominion-state-reinforce = { $name } fügt eine Armee hinzu, für den roten König.
dominion-state-withdraw = { $name } zieht eine Armee ab, für den schwarzen König.
dominion-state-advance = { $name } darf vorrücken.
dominion-state-roll = { $name } würfelt zum Aufstellen.
dominion-state-attack-first = { $name } muss angreifen.
dominion-state-attack = { $name } darf angreifen.
dominion-turned-now = Aufgedeckt: { $notation }, { $card }. Angriffe in diesem Zug: { $attacks }.
dominion-round = Runde { $round }. Stapel: { $cards }.

# Das Bild, und was es zeigt.
dominion-label-no-losses = keine Verluste
dominion-label-lost = { $cell } verlor { $armies }
dominion-label-round = Runde { $round }
dominion-label-turned = offen
dominion-label-no-card = nichts
dominion-label-attacks = { $count ->
    [one] 1 Angriff
   *[other] { $count } Angriffe
}
dominion-label-stock = Stapel
dominion-label-rank = Rang ≤ { $rank }
dominion-label-armies = Armeen ≤ { $armies }
dominion-asks-occupy = { $name }: mit bis zu { $most } nach { $to }?
dominion-asks-reinforce = { $name } fügt eine Armee hinzu
dominion-asks-withdraw = { $name } zieht eine Armee ab
dominion-asks-advance = { $name } darf vorrücken
dominion-asks-deploy = { $name } darf aufstellen
dominion-asks-attack-first = { $name } muss angreifen
dominion-asks-attack = { $name } darf angreifen
dominion-title = Dominion, Runde { $round }: { $said }
dominion-picture-turned = { $card } ist aufgedeckt.
dominion-picture-rolled = Gewürfelt { $first } und { $second }: bis zu { $armies } auf einem Rang bis { $rank }.
dominion-picture-free = unbesetzt
dominion-picture-cell = { $lies ->
    [vertical] { $cell }: { $card }, greift nach Norden und Süden an, { $holder }.
   *[horizontal] { $cell }: { $card }, greift nach Osten und Westen an, { $holder }.
}

# Was auf der Seite gewählt wird.
dominion-outlook = Die Würfel: In { $wins } von 100 Würfen verliert { $to } Armeen, und in { $conquers } wird es erobert. In { $falls } von 100 Würfen geht { $from } verloren.
dominion-button-turn = Karte aufdecken
dominion-button-pass = Passen
dominion-button-armies = { $count ->
    [0] Keine Armee: bleiben
    [one] 1 Armee
   *[other] { $count } Armeen
}

# Wörter für Aktionen neben der Notation, und wie man Notation schreibt.
dominion-orders = passe: pass; passen: pass; weiter: pass; aufdecken: turn; karte: turn; angriff: attack; angreifen: attack; verstärke: reinforce; verstärken: reinforce; abziehen: withdraw; besetze: occupy; besetzen: occupy; vorrücken: advance; setze: deploy; setzen: deploy
dominion-notation = "turn" deckt die Karte auf, "attack b3 b4" greift b4 von b3 aus an, "occupy 2" lässt zwei Armeen einrücken, "advance b2 c2 3" bewegt drei von b2 nach c2, "deploy b2 4" setzt vier auf b2, und "pass" beendet den Abschnitt. Spalten a, b … zählen von Westen, Zeilen 1, 2 … von Süden.

# Was Seiten über das Spiel und seine Optionen sagen.
dominion-about = Führ Armeen über ein Feld aus Spielkarten, bis jede Karte dir gehört. Karten und Würfel, für zwei bis acht.
dominion-option-size = Größe des Spielfelds
dominion-option-size-3 = 3 mal 3
dominion-option-size-3-hint = zu zweit, kurz
dominion-option-size-4 = 4 mal 4
dominion-option-size-4-hint = zu zweit bis zu viert
dominion-option-size-5 = 5 mal 5
dominion-option-size-5-hint = zu zweit bis zu acht, lang
dominion-option-round_limit = Runden
dominion-option-round_limit-hint = Nach so vielen vollen Runden endet das Spiel, und wer am meisten besitzt, gewinnt.

# Die ersten Züge eines vorbereiteten Spiels.
dominion-guide-0 = Jede Karte ist ein Stück Land, und alles ist frei. Eine aufrechte Karte greift nach Norden und Süden an, eine quer liegende nach Osten und Westen. Noch kann niemand angreifen, also hat ann zum Aufstellen gewürfelt: 5 und 1. Die Summe, 6, ist der höchste Rang, den sie benutzen darf; 7 weniger der niedrigere Würfel, also 6, sagt, wie viele Armeen sie bekommt.
dominion-guide-1 = ann stellt alle sechs auf die Herz-Vier. Die Stärke einer Karte sind ihr Rang und ihre Armeen: 4 und 6 sind 10.
dominion-guide-2 = bob hat zwei Fünfen gewürfelt: zwei Armeen, auf eine Karte bis zur Zehn. Er stellt sie auf b4, neben sie: 6 und 2 sind 8. Aber seine Karte liegt quer, also kann er ihre nicht angreifen.
dominion-guide-3 = Ihre steht aufrecht, und so kann sie ihn angreifen. Zuerst deckt sie eine Karte auf, die in diesem Zug gilt: Eine rote Vier macht rote Vieren um 2 stärker. Ihre hat jetzt 12. Wer eine Karte aufgedeckt hat, muss mindestens einmal angreifen.
dominion-guide-4 = 12 gegen 8 ist ein Vorteil von 4. ann würfelt 1 und 1, mit dem Vorteil 6; bob würfelt 1 und 3, das sind 4. Er verliert den Unterschied, zwei Armeen, und hat dort also keine mehr.
dominion-guide-5 = Wer gewinnt, entscheidet, wie viele Armeen einziehen: ann nimmt drei mit und lässt drei zurück. Sie darf noch einmal vorrücken und aufstellen; dann geht der Zug weiter. Wer jede Karte besitzt, gewinnt.
