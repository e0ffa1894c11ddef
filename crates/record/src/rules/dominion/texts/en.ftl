# What happened.
dominion-dealt = The field was dealt row by row from the north-west: { $cards }.
dominion-turned = { $reshuffled ->
    [yes] The discards became the stock again. { $player } turned the { $card }: { $means }.
   *[no] { $player } turned the { $card }: { $means }.
}
dominion-means-reinforce = one army more, on a cell that takes it
dominion-means-withdraw = one army must be withdrawn
dominion-means-colour = every { $colour } card is 1 stronger this turn
dominion-means-rank = { $colour ->
    [red] this turn red { $ranks } are 2 stronger, black { $ranks } 2 weaker
   *[black] this turn black { $ranks } are 2 stronger, red { $ranks } 2 weaker
}
dominion-ranks = { $rank ->
    [1] aces
    [11] jacks
   *[other] { $rank }s
}
dominion-attacked = { $attacker } attacked { $defender } from { $from } to { $to }, { $odds }: { $ours } against { $theirs }. { $result }
dominion-odds = { $side ->
    [advantage] advantage { $by }
    [disadvantage] disadvantage { $by }
   *[even] even odds
}
dominion-lost-nothing = Nobody lost an army.
dominion-lost = { $armies ->
    [one] { $player } lost 1 army.
   *[other] { $player } lost { $armies } armies.
}
dominion-conquered = No army is left on { $cell }: { $player } conquered it and decides how many armies move in.
dominion-now = { $clauses }.
dominion-now-has = { $player } now has { $armies }
dominion-armies-on = { $armies ->
    [one] 1 army on { $cell }
   *[other] { $armies } armies on { $cell }
}
dominion-unoccupied = { $count ->
    [one] { $cells } is unoccupied
   *[other] { $cells } are unoccupied
}
dominion-reinforced = { $player } added one army on { $cell }, for the red king.
dominion-withdrew = { $player } took one army from { $cell }, for the black king.
dominion-occupied = { $armies ->
    [0] { $player } moved no army into the conquered cell.
    [one] { $player } moved 1 army into the conquered cell.
   *[other] { $player } moved { $armies } armies into the conquered cell.
}
dominion-advanced = { $armies ->
    [one] { $player } advanced 1 army from { $from } to { $to }.
   *[other] { $player } advanced { $armies } armies from { $from } to { $to }.
}
dominion-deployed = { $armies ->
    [one] { $player } deployed 1 army on { $cell }.
   *[other] { $player } deployed { $armies } armies on { $cell }.
}
dominion-passed = { $next ->
    [advance] { $player } passed and went on to advance.
    [deploy] { $player } passed and went on to deploy.
   *[others] { $player } passed.
}
dominion-rolled = { $armies ->
    [one] { $player } rolled { $first } and { $second } to deploy: up to 1 army on a card of rank { $rank } or less.
   *[other] { $player } rolled { $first } and { $second } to deploy: up to { $armies } armies on a card of rank { $rank } or less.
}
dominion-rolled-in-vain = { $player } rolled { $first } and { $second } to deploy: no cell of rank { $rank } or less takes armies, so the turn ended.
dominion-may-attack = { $player } may attack.
dominion-may-advance = { $player } may advance.
dominion-decided-all = Every card of the field belongs to { $player }.
dominion-decided-rounds = The last round was played. Who owns most cards is first; among equals, who has most armies.
dominion-decided-holds = { $player } owns { $cells } with { $armies }.

# What a move will do, before it is sent.
dominion-now-has-soon = { $player } will have { $armies }
dominion-unoccupied-soon = { $count ->
    [one] { $cells } will be unoccupied
   *[other] { $cells } will be unoccupied
}
dominion-reinforced-soon = You will add one army on { $cell }, for the red king.
dominion-withdrew-soon = You will take one army from { $cell }, for the black king.
dominion-occupied-soon = { $armies ->
    [0] You will move no army into the conquered cell.
    [one] You will move 1 army into the conquered cell.
   *[other] You will move { $armies } armies into the conquered cell.
}
dominion-advanced-soon = { $armies ->
    [one] You will advance 1 army from { $from } to { $to }.
   *[other] You will advance { $armies } armies from { $from } to { $to }.
}
dominion-deployed-soon = { $armies ->
    [one] You will deploy 1 army on { $cell }.
   *[other] You will deploy { $armies } armies on { $cell }.
}
dominion-passed-soon = { $next ->
    [advance] You will pass and go on to advance.
    [deploy] You will pass and go on to deploy.
   *[others] You will pass.
}
dominion-may-attack-soon = { $player } will be able to attack.
dominion-may-advance-soon = { $player } will be able to advance.

# What is asked.
dominion-do-turn = Turn a card to attack, advance, or pass on to the next stage.
dominion-do-attack-first = You turned a card: make at least one attack.
dominion-do-attack-again = Attack again, advance, or pass on to the next stage.
dominion-do-reinforce = A red king was turned: reinforce one of your cells by one army.
dominion-do-withdraw = A black king was turned: withdraw one army from one of your cells. If you can attack nobody then, you need not.
dominion-do-occupy = You conquered { $to }: move in with 0 to { $most } armies from { $from }.
dominion-do-advance = Advance armies from one of your cells to the next, or pass.
dominion-do-roll = Roll to deploy.
dominion-do-deploy = You rolled { $first } and { $second }: deploy up to { $most } armies on a card no higher than { $rank ->
    [11] the jack
   *[other] { $rank }
}, or pass.

# Why something cannot be done.
dominion-not-your-choice = it is not this seat's choice
dominion-awaits-attack = this is the attack stage: turn a card, attack, advance or pass
dominion-awaits-reinforcement = a red king was turned: reinforce one of your cells
dominion-awaits-withdrawal = a black king was turned: withdraw one army from one of your cells
dominion-awaits-occupation = a cell was conquered: say how many armies occupy it, 0 to stay
dominion-awaits-advance = this is the advance stage: advance or pass
dominion-awaits-roll = the deploy roll comes first
dominion-awaits-deployment = this is the deploy stage: deploy or pass
dominion-awaits-nothing = the game is over
dominion-may-occupy = { $number ->
    [one] 1 army can move in
   *[many] { $least } to { $most } armies can move in
}
dominion-may-advance-there = { $number ->
    [one] 1 army can advance there
   *[many] { $least } to { $most } armies can advance there
}
dominion-may-deploy-there = { $number ->
    [one] 1 army can be deployed there
   *[many] { $least } to { $most } armies can be deployed there
}
dominion-turned-already = a card is turned already: it is turned once a turn
dominion-attack-first = a card is turned: at least one attack must be made first
dominion-not-yours = { $cell } is not a cell of yours
dominion-strongest = { $cell } has strength { $strength } already
dominion-turn-first = turn a card before you attack
dominion-off-field = { $cell } is not on this field
dominion-no-enemy = { $cell } is not a cell of another player
dominion-out-of-reach = { $to } is out of reach: look at how the card on { $from } lies
dominion-not-next = { $to } is not next to { $from }
dominion-full = { $cell } is full: its strength is { $strength } or more
dominion-others = { $cell } is occupied by another player
dominion-rank-too-high = the dice allow a card of rank { $most } at most, and { $cell } is of rank { $rank }
dominion-here = expected turn, reinforce, withdraw, attack, occupy, advance, deploy or pass
dominion-here-cell = { $which ->
    [reinforced] expected the cell that gets the army: a column a to e and a row 1 to 5
    [withdrawn] expected the cell that loses the army: a column a to e and a row 1 to 5
    [deployed] expected the cell to deploy on: a column a to e and a row 1 to 5
    [from] expected the cell that the armies come from: a column a to e and a row 1 to 5
   *[to] expected the cell that the armies go to: a column a to e and a row 1 to 5
}
dominion-here-armies = expected the number of armies

# The field as text; its lines have at most 78 columns, and what is in a cell has 12.
dominion-vertical = N-S
dominion-horizontal = E-W
dominion-legend = N-S attacks north and south, E-W east and west.
dominion-free = free
dominion-armies = { $count ->
    [one] 1 army
   *[other] { $count } armies
}
dominion-cells = { $count ->
    [one] 1 cell
   *[other] { $count } cells
}
dominion-in-turn = in turn
dominion-on = { $armies } on { $cell }
dominion-state-occupy = { $name } may move up to { $armies } from { $from } to { $to }.
dominion-state-deploy = { $name } rolled { $first } and { $second }: { $armies } at most, rank { $rank } at most.
dominion-state-reinforce = { $name } adds one army, for the red king.
dominion-state-withdraw = { $name } takes one army away, for the black king.
dominion-state-advance = { $name } may advance.
dominion-state-roll = { $name } is to roll and deploy.
dominion-state-attack-first = { $name } is to attack.
dominion-state-attack = { $name } may attack.
dominion-turned-now = Turned: { $notation }, the { $card }. Attacks this turn: { $attacks }.
dominion-round = Round { $round }. Stock: { $cards }.

# The picture, and what it shows.
dominion-label-no-losses = no losses
dominion-label-lost = { $cell } lost { $armies }
dominion-label-round = round { $round }
dominion-label-turned = turned
dominion-label-no-card = no card
dominion-label-attacks = { $count ->
    [one] 1 attack
   *[other] { $count } attacks
}
dominion-label-stock = stock
dominion-label-rank = rank ≤ { $rank }
dominion-label-armies = armies ≤ { $armies }
dominion-asks-occupy = { $name }: move up to { $most } into { $to }?
dominion-asks-reinforce = { $name } adds one army
dominion-asks-withdraw = { $name } takes one army away
dominion-asks-advance = { $name } may advance
dominion-asks-deploy = { $name } may deploy
dominion-asks-attack-first = { $name } is to attack
dominion-asks-attack = { $name } may attack
dominion-title = Dominion, round { $round }: { $said }
dominion-picture-turned = The { $card } is turned.
dominion-picture-rolled = Rolled { $first } and { $second }: up to { $armies } on a rank of up to { $rank }.
dominion-picture-free = unoccupied
dominion-picture-cell = { $lies ->
    [vertical] { $cell }: { $card }, attacks north and south, { $holder }.
   *[horizontal] { $cell }: { $card }, attacks east and west, { $holder }.
}

# What is chosen on the page.
dominion-outlook = The dice: in { $wins } of 100 throws { $to } loses armies, and in { $conquers } it is conquered. In { $falls } of 100 throws { $from } is lost.
dominion-button-turn = Turn a card
dominion-button-pass = Pass
dominion-button-armies = { $count ->
    [0] No army: stay
    [one] 1 army
   *[other] { $count } armies
}

# Words for actions besides notation, and how notation is written.
dominion-orders = skip: pass; draw: turn; reveal: turn
dominion-notation = "turn" turns the card, "attack b3 b4" attacks b4 from b3, "occupy 2" moves two armies in, "advance b2 c2 3" moves three from b2 to c2, "deploy b2 4" puts four on b2, and "pass" ends the stage. Columns a, b … go from the west, rows 1, 2 … from the south.

# What pages say of the game and its options.
dominion-about = Lead armies across a field of playing cards until every card is yours. Cards and dice, for two to eight.
dominion-option-size = Size of the field
dominion-option-size-3 = 3 by 3
dominion-option-size-3-hint = for two, short
dominion-option-size-4 = 4 by 4
dominion-option-size-4-hint = for two to four
dominion-option-size-5 = 5 by 5
dominion-option-size-5-hint = for two to eight, long
dominion-option-round_limit = Rounds
dominion-option-round_limit-hint = After so many full rounds the game ends, and who owns most wins.

# The first turns of a prepared game.
dominion-guide-0 = Every card is a piece of land, and all of it is free. An upright card attacks to the north and the south, one that lies across to the east and the west. Nobody can attack yet, so ann has rolled to deploy: 5 and 1. The sum, 6, is the highest rank that she may use; 7 less the lower die, so 6, is how many armies she gets.
dominion-guide-1 = ann puts all six on the four of hearts. The strength of a card is its rank and its armies: 4 and 6 are 10.
dominion-guide-2 = bob has rolled two fives: two armies, on a card up to the ten. He puts them on b4, beside her: 6 and 2 are 8. But his card lies across, so he cannot attack hers.
dominion-guide-3 = Hers stands upright, and so she can attack him. First she turns a card, which rules this turn: a red four makes red fours 2 stronger. Hers has 12 now. Whoever has turned a card must attack at least once.
dominion-guide-4 = 12 against 8 is an advantage of 4. ann rolls 1 and 1, with the advantage 6; bob rolls 1 and 3, that is 4. He loses the difference, two armies, and so has none left there.
dominion-guide-5 = The winner decides how many armies move in: ann takes three along and leaves three behind. She may still advance once and deploy; then the turn passes. Who owns every card wins.
