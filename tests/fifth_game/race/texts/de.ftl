# Was geschehen ist, und was gefragt ist
race-rolled = { $player } hat eine { $die } gewürfelt und steht bei { $total }.
race-do = Würfle, oder passe.

# Warum etwas nicht zu lesen ist
race-here = Erwartet: roll oder pass

# Das Brett
race-line = { $player }: { $total } von { $target }
race-title = Wettlauf bis { $target }

# Per Mail
race-orders = würfeln: roll; würfle: roll; passe: pass
race-notation = "roll" würfelt, und mit "pass" ist der andere an der Reihe

# Was auf der Seite gewählt wird
race-button-roll = Würfeln
race-button-pass = Passen
