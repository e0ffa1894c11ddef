# What happened, and what is asked
race-rolled = { $player } rolled a { $die } and stands at { $total }.
race-do = Roll the die, or pass.

# Why something cannot be read
race-here = expected roll or pass

# The board
race-line = { $player }: { $total } of { $target }
race-title = Race to { $target }

# By mail
race-orders = throw: roll
race-notation = "roll" rolls the die, and "pass" lets the other player go on

# What is chosen on the page
race-button-roll = Roll the die
race-button-pass = Pass
