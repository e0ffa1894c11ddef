# What the rules of several games say. What says why something cannot be read ends without a full stop.
rules-card = { $rank ->
    [1] ace
    [2] two
    [3] three
    [4] four
    [5] five
    [6] six
    [7] seven
    [8] eight
    [9] nine
    [10] ten
    [11] jack
    [12] queen
   *[13] king
} of { $suit ->
    [c] clubs
    [d] diamonds
    [h] hearts
   *[s] spades
}
rules-your-turn = It is your turn.
rules-over = The game is over.
rules-decided-points = { $points ->
    [one] { $player } has 1 point.
   *[other] { $player } has { $points } points.
}

# Why something cannot be done.
rules-not-your-turn = it is not this seat's turn
rules-no-such-seat = there is no such seat
rules-taken = { $cell } is taken
rules-too-long = an action has at most { $most } characters
rules-goes-on = the action is complete before this
rules-which = { $count ->
    [one] write it whole, as { $candidates }
   *[other] it can be any of these: { $candidates }
}
rules-which-more = { $more ->
    [one] it can be any of these: { $candidates }, or one more
   *[other] it can be any of these: { $candidates }, or { $more } more
}
rules-twice = { $what } is named twice
rules-no-object = an action is an object with a `type`
rules-json = no action of this game has this form

# Labels of boards and pictures.
rules-seat = seat { $seat }
rules-points = { $count ->
    [one] 1 point
   *[other] { $count } points
}
rules-cards = { $count ->
    [one] 1 card
   *[other] { $count } cards
}
rules-none = none
rules-finished = The game is over

# What is chosen on the page.
rules-free = { $cell }, free
rules-done = Done
rules-number = { $number }

# Who is not known, and lists: alice, bob and carol.
somebody = somebody
list = { $first } and { $last }
