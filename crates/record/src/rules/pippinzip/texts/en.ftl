# What happened.
pippinzip-placed = { $count ->
    [one] { $player } placed a { $colour } stone on { $cells }.
   *[other] { $player } placed { $colour } stones on { $cells }.
}
pippinzip-roles = The auction is over: { $pip } is Pip and plays black, { $zip } is Zip and plays white.
pippinzip-connected = A chain of { $count } { $colour } stones, from { $first } to { $last }, joins { $colour ->
    [black] two opposite sides
   *[white] all four sides
}.
pippinzip-decided = { $colour ->
    [black] That was the goal of Pip, and { $player } played Pip.
   *[white] That was the goal of Zip, and { $player } played Zip.
}
pippinzip-decided-in-auction = { $player } completed it while the auction still ran.

# What a move will do, before it is sent.
pippinzip-placed-soon = { $count ->
    [one] You will place a { $colour } stone on { $cells }.
   *[other] You will place { $colour } stones on { $cells }.
}
pippinzip-roles-soon = The auction will be over: { $pip } will be Pip and play black, { $zip } will be Zip and play white.
pippinzip-connected-soon = A chain of { $count } { $colour } stones, from { $first } to { $last }, will join { $colour ->
    [black] two opposite sides
   *[white] all four sides
}.

# What is asked.
pippinzip-do-auction = The auction runs: place one to three { $colour } stones, or take the position as it is.
pippinzip-do-one = Place one { $colour } stone.
pippinzip-do-two = Place two { $colour } stones.
pippinzip-do-apart = Place two { $colour } stones that are not neighbours.

# Why something cannot be done.
pippinzip-nothing-to-take = the auction is over: there is nothing to take
pippinzip-neighbours = { $first } and { $second } are neighbours: Pip's two stones must not touch
pippinzip-most = { $most ->
    [one] one stone a turn, not { $count }
   *[other] { $most } stones a turn, not { $count }
}
pippinzip-off-board = { $cell } is not on this board: its cells are a1 to { $last }
pippinzip-second = Pip places two stones: name a second cell after { $first }
pippinzip-too-many-stones = at most { $most } stones can be placed at once
pippinzip-here = expected take, or up to { $most } different cells a1 to s19, as in `c3 d5`
pippinzip-here-cells = expected up to { $most } different cells a1 to s19, as in `c3 d5`

# The board as text; its lines have at most 78 columns.
pippinzip-line-ended = { $colour ->
    [black] b black; the game ended in the auction
   *[white] w white; the game ended in the auction
}
pippinzip-line-auction = { $colour ->
    [black] b black; auction: who takes black is Pip
   *[white] w white; auction: who takes white is Zip
}
pippinzip-line-black = { $stones ->
    [one] b black: Pip, { $name }; one stone a turn, to two opposite sides
   *[other] b black: Pip, { $name }; two stones a turn, to two opposite sides
}
pippinzip-line-white = w white: Zip, { $name }; one stone a turn, to all four sides

# The picture, and what it shows.
pippinzip-head-auction = Auction for { $colour }
pippinzip-head-one = One stone a turn
pippinzip-head-two = Pip places two, Zip one
pippinzip-head-black = Black joins two sides
pippinzip-head-white = White joins all four sides
pippinzip-aim = { $colour ->
    [black] two opposite sides
   *[white] all four sides
}
pippinzip-title = Pippinzip, { $variant } { $size } by { $size }: { $players }
pippinzip-players = { $pip } is Pip (black), { $zip } is Zip (white)
pippinzip-players-auction = auction for { $colour }
pippinzip-goal = { $colour ->
    [black] { $name }, Pip, joins two opposite sides with black.
   *[white] { $name }, Zip, joins all four sides with white.
}
pippinzip-stones = Stones that are { $colour }: { $cells }.
pippinzip-winners = The winning group is { $colour }: { $cells }.

# What is chosen on the page.
pippinzip-target-stone = { $colour ->
    [black] { $cell }, black stone
   *[white] { $cell }, white stone
}
pippinzip-group = { $count ->
    [one] One { $colour } stone: { $cells }
   *[other] A group of { $count } { $colour } stones: { $cells }
}
pippinzip-group-large = A group of { $count } { $colour } stones, from { $first } to { $last }
pippinzip-button-take = Take

# Words for actions besides notation, and how notation is written.
pippinzip-orders = accept: take; put: place
pippinzip-notation = "c3 d5" places stones on c3 and d5, in the order written, and "take" takes in the auction. Columns a, b … go from the west, rows 1, 2 … from the south.

# What pages say of the game and its options.
pippinzip-about = Two goals of different size on one board, and an auction decides who pursues which. Somebody always wins.
pippinzip-option-variant = Variant
pippinzip-option-variant-pipline = Pipline
pippinzip-option-variant-pipline-hint = The auction is black, and Pip places one stone a turn.
pippinzip-option-variant-zipline = Zipline
pippinzip-option-variant-zipline-hint = The auction is white, and Pip places two stones that do not touch.
pippinzip-option-variant-freestyle = Freestyle
pippinzip-option-variant-freestyle-hint = As Zipline, but the two stones may touch.
pippinzip-option-size = Columns and rows
pippinzip-option-size-hint = The bigger, the longer.
pippinzip-option-surface = Where stones lie
pippinzip-option-surface-points = On the points of a grid
pippinzip-option-surface-cells = In its cells

# The first turns of a prepared game.
pippinzip-guide-0 = Black wins with a chain that joins two opposite sides, white with one that touches all four. That is more for white to do, so an auction decides who plays what. In it both place black stones, one to three in a turn, until somebody takes black.
pippinzip-guide-1 = ann places two black stones, far from each other. That helps black a little: if it helped too much, bob would take it.
pippinzip-guide-2 = bob adds one in the middle. Now black looks rather good.
pippinzip-guide-3 = ann takes: she is Pip and plays black, with all stones that lie there. bob is Zip, plays white, and has the next move. From now on each places one stone in a turn.
pippinzip-guide-4 = bob places a white stone beside the one in the middle. White stones hang together along sides and at corners.
pippinzip-guide-5 = ann goes on to the south. Black stones hang together along sides only: f5 and f6 are a chain of two now. Somebody always gets through, so there are no draws.
