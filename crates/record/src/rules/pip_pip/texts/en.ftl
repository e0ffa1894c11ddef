# What happened.
pip-pip-rolled = { $player } rolled a { $die }.
pip-pip-stored = { $player } put the { $die } into the store.
pip-pip-pulled = { $player } took a { $die } from the store.
pip-pip-placed = { $player } placed a { $top } on { $cell } with { $north } to the north.
pip-pip-converted = { $count ->
    [one] The die on { $cells } changed its colour.
   *[other] The dice on { $cells } changed their colour.
}
pip-pip-decided = { $dice ->
    [0] { $colour ->
        [light] { $player } has no light die on a light square: no points.
       *[dark] { $player } has no dark die on a dark square: no points.
    }
    [one] { $colour ->
        [light] { $player } has one light die on a light square, for { $points }.
       *[dark] { $player } has one dark die on a dark square, for { $points }.
    }
   *[other] { $colour ->
        [light] { $player } has { $dice } light dice on light squares: { $tops } = { $points }.
       *[dark] { $player } has { $dice } dark dice on dark squares: { $tops } = { $points }.
    }
}

# What a move will do, before it is sent.
pip-pip-stored-soon = You will put the { $die } into the store.
pip-pip-pulled-soon = You will take a { $die } from the store.
pip-pip-placed-soon = You will place a { $top } on { $cell } with { $north } to the north.
pip-pip-converted-soon = { $count ->
    [one] The die on { $cells } will change its colour.
   *[other] The dice on { $cells } will change their colour.
}

# What is asked.
pip-pip-place-or-store = You rolled a { $die }: place it or store it.
pip-pip-place = You rolled a { $die }: place it.
pip-pip-roll-or-pull = Roll a die, or take one from your store.
pip-pip-pull = Place a die from your store.

# Why something cannot be done.
pip-pip-rolled-already = a die is rolled already: place it or store it
pip-pip-must-pull = every placement left is needed for a die from the store: pull one
pip-pip-nothing-to-store = nothing is rolled that could be stored
pip-pip-store-full = the store takes no more: at most three dice, and all of them must still find a place
pip-pip-nothing-rolled = nothing is rolled: roll, or pull a die from the store
pip-pip-rolled-stays = a rolled die can only be placed or stored
pip-pip-not-stored = the store holds no { $die }
pip-pip-norths = with { $top } on top, north is one of { $possible }
pip-pip-here = expected roll, store, pull, or a cell from c3 to f6, as in `d4 n2`
pip-pip-here-north = expected n and the face that looks north, as in n2
pip-pip-here-face = expected the face that looks north, 1 to 6
pip-pip-here-stored = expected the number of the stored die, 1 to 6

# The board as text; its lines have at most 78 columns.
pip-pip-line = { $colour ->
    [light] light: { $name }, { $points }, { $dice } to place, store { $store }
   *[dark] dark: { $name }, { $points }, { $dice } to place, store { $store }
}
pip-pip-dice = { $count ->
    [one] 1 die
   *[other] { $count } dice
}
pip-pip-empty = empty
pip-pip-lies = { $cell } top { $top } north { $north } east { $east }
pip-pip-rolled-now = Rolled: { $die }

# The picture, and what it shows.
pip-pip-remaining = { $colour ->
    [light] light, { $remaining } to place
   *[dark] dark, { $remaining } to place
}
pip-pip-label-rolled = rolled
pip-pip-label-store = store
pip-pip-label-points = { $count ->
    [one] point
   *[other] points
}
pip-pip-title = Pip•Pip: { $light } (light) { $lights }, { $dark } (dark) { $darks }
pip-pip-die = { $top } on { $cell } with { $north } to the north and { $east } to the east
pip-pip-no-dice = none on the board
pip-pip-player = { $colour ->
    [light] { $name }, { $points }, light dice: { $dice }. Store: { $store }.
   *[dark] { $name }, { $points }, dark dice: { $dice }. Store: { $store }.
}
pip-pip-has-rolled = { $name } rolled { $die }.
pip-pip-to-roll = { $name } is to roll or to pull.

# What is chosen on the page.
pip-pip-target-stored = { $die } from the store
pip-pip-button-roll = Roll a die
pip-pip-button-store = Store it and roll the next
pip-pip-button-lies = { $top } with { $north } to the north, { $east } to the east

# Words for actions besides notation, and how notation is written.
pip-pip-orders = keep: store; throw: roll
pip-pip-notation = "c6 n1" places the die on c6 with its 1 to the north, "store" keeps the die and rolls the next, "roll" rolls, and "pull 5 c6 n1" places the stored 5. Columns c to f go from the west, rows 3 to 6 from the south.

# What pages say of the game.
pip-pip-about = Sixteen dice, a four by four board, and the narrowest of wins.

# The first turns of a prepared game.
pip-pip-guide-0 = Each of you places eight dice. ann plays the light dice, bob the dark ones, and what counts at the end are dice of your colour on squares of your colour. ann has rolled a 4: she may place it on any free square, turned as she likes, or store it and roll again.
pip-pip-guide-1 = ann places her 4 on d3, a light square: it would count 4 for her. She turns the 2 to the north, and that side is weak.
pip-pip-guide-2 = bob places his 3 next to it, on d4. His die shows its 6 to the south, against her 2. The higher face wins, so her die on d3 turns dark: it stands on a light square now, and counts for nobody. Only the die that was just placed converts others.
pip-pip-guide-3 = ann has rolled a 1. She puts it into her store, which holds up to three dice, and rolls again: a 5. A die in the store can be placed in a later turn instead of rolling.
pip-pip-guide-4 = She places the 5 on d5, with its 6 against the 1 of bob’s die. The die on d4 turns light. Her 5 stands on a light square and counts. So it goes on until all sixteen squares are full.
