# Was die Regeln mehrerer Spiele sagen. Was erklärt, warum etwas nicht geht, endet ohne Punkt.
rules-card = { $suit ->
    [c] Kreuz
    [d] Karo
    [h] Herz
   *[s] Pik
}-{ $rank ->
    [1] Ass
    [2] Zwei
    [3] Drei
    [4] Vier
    [5] Fünf
    [6] Sechs
    [7] Sieben
    [8] Acht
    [9] Neun
    [10] Zehn
    [11] Bube
    [12] Dame
   *[13] König
}
rules-your-turn = Du bist am Zug.
rules-over = Das Spiel ist zu Ende.
rules-decided-points = { $points ->
    [one] { $player } hat 1 Punkt.
   *[other] { $player } hat { $points } Punkte.
}

# Warum etwas nicht geht.
rules-not-your-turn = Dieser Platz ist nicht am Zug
rules-no-such-seat = Diesen Platz gibt es nicht
rules-taken = { $cell } ist besetzt
rules-too-long = Eine Aktion hat höchstens { $most } Zeichen
rules-goes-on = Vor dieser Stelle ist die Aktion schon vollständig
rules-which = { $count ->
    [one] Schreib es ganz: { $candidates }
   *[other] Es kann jedes von diesen sein: { $candidates }
}
rules-which-more = { $more ->
    [one] Es kann jedes von diesen sein: { $candidates }, oder noch eines
   *[other] Es kann jedes von diesen sein: { $candidates }, oder { $more } weitere
}
rules-twice = { $what } ist zweimal genannt
rules-no-object = Eine Aktion ist ein Objekt mit einem `type`
rules-json = Kein Zug dieses Spiels hat diese Form

# Beschriftungen von Brettern und Bildern.
rules-seat = Platz { $seat }
rules-points = { $count ->
    [one] 1 Punkt
   *[other] { $count } Punkte
}
rules-cards = { $count ->
    [one] 1 Karte
   *[other] { $count } Karten
}
rules-none = keine
rules-finished = Das Spiel ist zu Ende

# Was auf der Seite gewählt wird.
rules-free = { $cell }, frei
rules-done = Fertig
rules-number = { $number }

# Wer nicht bekannt ist, und Aufzählungen: alice, bob und carol.
somebody = jemand
list = { $first } und { $last }
