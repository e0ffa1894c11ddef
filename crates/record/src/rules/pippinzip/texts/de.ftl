# Was geschehen ist.
pippinzip-placed = { $count ->
    [one] { $player } hat einen { $colour ->
        [black] schwarzen
       *[white] weißen
    } Stein auf { $cells } gesetzt.
   *[other] { $player } hat { $colour ->
        [black] schwarze
       *[white] weiße
    } Steine auf { $cells } gesetzt.
}
pippinzip-roles = Die Versteigerung ist vorbei: { $pip } ist Pip und spielt Schwarz, { $zip } ist Zip und spielt Weiß.
pippinzip-connected = Eine Kette aus { $count } { $colour ->
    [black] schwarzen Steinen, von { $first } bis { $last }, verbindet zwei gegenüberliegende Seiten.
   *[white] weißen Steinen, von { $first } bis { $last }, verbindet alle vier Seiten.
}
pippinzip-decided = { $colour ->
    [black] Das war das Ziel von Pip, und Pip war { $player }.
   *[white] Das war das Ziel von Zip, und Zip war { $player }.
}
pippinzip-decided-in-auction = { $player } hat sie vollendet, während die Versteigerung noch lief.

# Was ein Zug tun wird, bevor er abgeschickt ist.
pippinzip-placed-soon = { $count ->
    [one] Du setzt einen { $colour ->
        [black] schwarzen
       *[white] weißen
    } Stein auf { $cells }.
   *[other] Du setzt { $colour ->
        [black] schwarze
       *[white] weiße
    } Steine auf { $cells }.
}
pippinzip-roles-soon = Die Versteigerung wird vorbei sein: { $pip } wird Pip und spielt Schwarz, { $zip } wird Zip und spielt Weiß.
pippinzip-connected-soon = Eine Kette aus { $count } { $colour ->
    [black] schwarzen Steinen, von { $first } bis { $last }, wird zwei gegenüberliegende Seiten verbinden.
   *[white] weißen Steinen, von { $first } bis { $last }, wird alle vier Seiten verbinden.
}

# Was zu tun ist.
pippinzip-do-auction = Die Versteigerung läuft: Setze einen bis drei { $colour ->
    [black] schwarze
   *[white] weiße
} Steine, oder nimm die Stellung, wie sie ist.
pippinzip-do-one = Setze einen { $colour ->
    [black] schwarzen
   *[white] weißen
} Stein.
pippinzip-do-two = Setze zwei { $colour ->
    [black] schwarze
   *[white] weiße
} Steine.
pippinzip-do-apart = Setze zwei { $colour ->
    [black] schwarze
   *[white] weiße
} Steine, die keine Nachbarn sind.

# Warum etwas nicht geht.
pippinzip-nothing-to-take = Die Versteigerung ist vorbei: Es gibt nichts zu nehmen
pippinzip-neighbours = { $first } und { $second } sind Nachbarn: Die zwei Steine von Pip dürfen sich nicht berühren
pippinzip-most = { $most ->
    [one] Ein Stein je Zug, nicht { $count }
   *[other] { $most } Steine je Zug, nicht { $count }
}
pippinzip-off-board = { $cell } liegt nicht auf diesem Brett: Seine Felder sind a1 bis { $last }
pippinzip-second = Pip setzt zwei Steine: Nenne nach { $first } ein zweites Feld
pippinzip-too-many-stones = Höchstens { $most } Steine lassen sich auf einmal setzen
pippinzip-here = Erwartet: take, oder bis zu { $most } verschiedene Felder von a1 bis s19, wie in `c3 d5`
pippinzip-here-cells = Erwartet: bis zu { $most } verschiedene Felder von a1 bis s19, wie in `c3 d5`

# Das Brett als Text; die Zeilen haben höchstens 78 Zeichen.
pippinzip-line-ended = { $colour ->
    [black] b Schwarz; das Spiel endete in der Versteigerung
   *[white] w Weiß; das Spiel endete in der Versteigerung
}
pippinzip-line-auction = { $colour ->
    [black] b Schwarz; Versteigerung: Wer Schwarz nimmt, ist Pip
   *[white] w Weiß; Versteigerung: Wer Weiß nimmt, ist Zip
}
pippinzip-line-black = { $stones ->
    [one] b Schwarz: Pip, { $name }; ein Stein je Zug, zwei Gegenseiten
   *[other] b Schwarz: Pip, { $name }; zwei Steine je Zug, zwei Gegenseiten
}
pippinzip-line-white = w Weiß: Zip, { $name }; ein Stein je Zug, alle vier Seiten

# Das Bild, und was es zeigt.
pippinzip-head-auction = { $colour ->
    [black] Versteigerung von Schwarz
   *[white] Versteigerung von Weiß
}
pippinzip-head-one = Ein Stein je Zug
pippinzip-head-two = Pip setzt zwei, Zip einen
pippinzip-head-black = Schwarz verbindet zwei Seiten
pippinzip-head-white = Weiß verbindet alle vier Seiten
pippinzip-aim = { $colour ->
    [black] zwei Gegenseiten
   *[white] alle vier Seiten
}
pippinzip-title = Pippinzip, { $variant } { $size } mal { $size }: { $players }
pippinzip-players = { $pip } ist Pip (Schwarz), { $zip } ist Zip (Weiß)
pippinzip-players-auction = { $colour ->
    [black] Versteigerung von Schwarz
   *[white] Versteigerung von Weiß
}
pippinzip-goal = { $colour ->
    [black] { $name }, Pip, verbindet mit Schwarz zwei gegenüberliegende Seiten.
   *[white] { $name }, Zip, verbindet mit Weiß alle vier Seiten.
}
pippinzip-stones = { $colour ->
    [black] Schwarze Steine: { $cells }.
   *[white] Weiße Steine: { $cells }.
}
pippinzip-winners = { $colour ->
    [black] Gewonnen hat die schwarze Gruppe: { $cells }.
   *[white] Gewonnen hat die weiße Gruppe: { $cells }.
}

# Was auf der Seite gewählt wird.
pippinzip-target-stone = { $colour ->
    [black] { $cell }, schwarzer Stein
   *[white] { $cell }, weißer Stein
}
pippinzip-group = { $count ->
    [one] Ein { $colour ->
        [black] schwarzer
       *[white] weißer
    } Stein: { $cells }
   *[other] Eine Gruppe von { $count } { $colour ->
        [black] schwarzen
       *[white] weißen
    } Steinen: { $cells }
}
pippinzip-group-large = Eine Gruppe von { $count } { $colour ->
    [black] schwarzen
   *[white] weißen
} Steinen, von { $first } bis { $last }
pippinzip-button-take = Nehmen

# Wörter für Aktionen neben der Notation, und wie man Notation schreibt.
pippinzip-orders = nehmen: take; nehme: take; nimm: take; setze: place; lege: place
pippinzip-notation = "c3 d5" setzt Steine auf c3 und d5, in dieser Reihenfolge, und "take" nimmt in der Versteigerung an. Spalten a, b … zählen von Westen, Zeilen 1, 2 … von Süden.

# Was Seiten über das Spiel und seine Optionen sagen.
pippinzip-about = Zwei verschieden große Ziele auf einem Brett, und eine Auktion entscheidet, wer welches verfolgt. Jemand gewinnt immer.
pippinzip-option-variant = Variante
pippinzip-option-variant-pipline = Pipline
pippinzip-option-variant-pipline-hint = Die Auktion ist schwarz, und Pip setzt einen Stein pro Zug.
pippinzip-option-variant-zipline = Zipline
pippinzip-option-variant-zipline-hint = Die Auktion ist weiß, und Pip setzt zwei Steine, die sich nicht berühren.
pippinzip-option-variant-freestyle = Freestyle
pippinzip-option-variant-freestyle-hint = Wie Zipline, aber die beiden Steine dürfen sich berühren.
pippinzip-option-size = Spalten und Reihen
pippinzip-option-size-hint = Je größer, desto länger.
pippinzip-option-surface = Wo die Steine liegen
pippinzip-option-surface-points = Auf den Punkten eines Gitters
pippinzip-option-surface-cells = In seinen Zellen

# Die ersten Züge eines vorbereiteten Spiels.
pippinzip-guide-0 = Schwarz gewinnt mit einer Kette, die zwei gegenüberliegende Seiten verbindet, Weiß mit einer, die alle vier berührt. Weiß hat also mehr zu tun, und darum entscheidet eine Versteigerung, wer was spielt. In ihr setzen beide schwarze Steine, einen bis drei in einem Zug, bis jemand Schwarz nimmt.
pippinzip-guide-1 = ann setzt zwei schwarze Steine, weit voneinander. Das hilft Schwarz ein wenig: Wäre es zu viel, würde bob Schwarz nehmen.
pippinzip-guide-2 = bob setzt einen in die Mitte dazu. Jetzt sieht Schwarz recht gut aus.
pippinzip-guide-3 = ann nimmt: Sie ist Pip und spielt Schwarz, mit allen Steinen, die da liegen. bob ist Zip, spielt Weiß und hat den nächsten Zug. Von nun an setzt jede Seite einen Stein in einem Zug.
pippinzip-guide-4 = bob setzt einen weißen Stein neben den in der Mitte. Weiße Steine hängen an Seiten und an Ecken zusammen.
pippinzip-guide-5 = ann setzt nach Süden fort. Schwarze Steine hängen nur an Seiten zusammen: f5 und f6 sind jetzt eine Kette aus zweien. Jemand kommt immer durch, also gibt es kein Unentschieden.
