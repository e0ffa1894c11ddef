# What happened.
serpent-card = the { $card }
serpent-dealt = Hand { $hand } is dealt; { $player } directs it.
serpent-given = { $player } gave { $other } { $cards }, face up.
serpent-shown = { $player } turned up { $cards }.
serpent-played = { $player } played { $card } at position { $position }.
serpent-scored = Hand { $hand } is complete and brought { $player } { $points } points with { $parts }.
serpent-scored-nothing = Hand { $hand } is complete and brought { $player } no points.
serpent-pairs = { $count ->
    [one] a pair
   *[other] { $count } pairs
}
serpent-runs = { $count ->
    [one] a run of { $lengths }
   *[other] runs of { $lengths }
}
serpent-decided-richest = The richest hand was hand { $hand }: { $points } points for { $player }.
serpent-decided-equal = After { $hands } hands the scores were equal, so two more were played.

# What a move will do, before it is sent.
serpent-given-soon = You will give { $other } { $cards }, face up.
serpent-shown-soon = You will turn up { $cards }.
serpent-played-soon = You will play { $card } at position { $position }.
serpent-scored-soon = Hand { $hand } will be complete and bring { $player } { $points } points with { $parts }.
serpent-scored-nothing-soon = Hand { $hand } will be complete and bring { $player } no points.

# What is asked.
serpent-do-give = Hand { $hand }: give your opponent three of your nine cards.
serpent-do-show = Lay three of your six cards face up; they stay yours.
serpent-do-follow = Play a card at { $position } that follows the { $lead } in suit or rank, if you can.
serpent-do-lead = Lead any card at { $position }.

# Why something cannot be done.
serpent-give-first = first give three of your cards to the defender
serpent-show-now = now show three of your cards
serpent-play-now = all cards are given and shown: play one
serpent-not-hidden = { $card } is not among the director's hidden cards
serpent-played-before = { $card } should have been played to follow { $lead }
serpent-not-in-hand = { $card } is not in this hand
serpent-does-not-follow = { $card } does not follow { $lead } in suit or rank, and { $following } does
serpent-here = expected a card: a rank A 2 to 9 T J Q K and a suit c d h s, as in 5h

# The table as text; its lines have at most 78 columns.
serpent-role = { $role ->
    [director] director
   *[defender] defender
}
serpent-hand-of = { $tie ->
    [yes] Hand { $hand }, to break the tie. Director: { $name }.
   *[no] Hand { $hand }. Director: { $name }.
}
serpent-to-follow = To follow: { $lead }, the { $card }.
serpent-face-up = face up: { $cards }
serpent-hidden = hidden:  { $cards }
serpent-over = The match is over.

# The picture, and what it shows.
serpent-label-hand = { $tie ->
    [yes] Hand { $hand }, to break the tie
   *[no] Hand { $hand } of { $most }
}
serpent-ask-give = Give three cards
serpent-ask-show = Show three cards
serpent-ask-follow = Follow the { $card }
serpent-ask-lead = Lead any card
serpent-ask-nothing = The match is over
serpent-label-face-up = face up
serpent-label-no-cards = no cards left
serpent-label-hidden-from-other = hidden from the other
serpent-label-hidden = hidden
serpent-label-that-hand = hand { $hand }
serpent-label-pairs = { $count ->
    [one] 1 pair
   *[other] { $count } pairs
}
serpent-label-runs = { $count ->
    [one] 1 run
   *[other] { $count } runs
}
serpent-title = Serpent, hand { $hand }: { $players }
serpent-table = On the table, in order: { $cards }.
serpent-holds = { $name }, { $role }, { $points }. Face up: { $shown }. Hidden: { $hidden }.
serpent-earlier = Hand { $hand }: { $points } for { $name }.

# Words for actions besides notation, and how notation is written.
serpent-orders = lead: play; pass: give
serpent-notation = "5h" plays the five of hearts; "give 5h 6c Kd" gives three cards away and "show 5h 6c Kd" lays three open. Ranks are A 2 to 9 T J Q K, suits c d h s (clubs, diamonds, hearts, spades).

# What pages say of the game.
serpent-about = Twelve cards along a winding path: one player builds pairs and runs, the other one spoils them.

# The first turns of a prepared game.
serpent-guide-0 = ann directs the first hand: she alone scores in it, for pairs and runs on the table. bob will only try to spoil them; the next hand is his. She was dealt nine cards, bob three. You see her cards.
serpent-guide-1 = She gives bob three cards that fit nothing she plans, face up. He must play them later, and she knows them.
serpent-guide-2 = Three of her six cards she has to show. Her two fives and the six stay hidden. Now they lay cards along the path, from 1 to 12; ann plays the lower row, bob the upper one.
serpent-guide-3 = Odd positions are leads, and any card may lead. ann begins with a five.
serpent-guide-4 = A reply must follow the card before it in suit or rank, if any card can. bob has one club, the queen, so he must play it. It does not help her.
serpent-guide-5 = At 3 it is bob who leads. He chooses the eight of hearts.
serpent-guide-6 = ann follows with the five of hearts. It lies beside her first five, and so the two are a pair: 2 points when the hand is over.
serpent-guide-7 = The six lies beside a five. If the seven comes next to it, five, six and seven are a run, with a point for each card. After twelve cards the hand is scored, and bob directs the next one.
