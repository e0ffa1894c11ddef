# What happened.
pip-pip-rolled = { $player } rolled a { $die }.
pip-pip-stored = { $player } put the { $die } into the store.
pip-pip-pulled = { $player } took a { $die } from the store.
pip-pip-placed = { $player } placed a { $top } on { $cell } with { $north } to the north.
pip-pip-converted = { $count ->
    [one] The die on { $cells } changed its colour.
   *[other] The dice on { $cells } changed their colour.
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
