# What happened in any game, and how games end. What the rules themselves tell has files of its own.
game-against = { $rules } gegen { $opponents }
game-against-many = { $rules } gegen { $first } und { $others } andere
game-titled = { $game } („{ $title }“)
told-start = Das Spiel hat begonnen.
told-resign = { $player } hat aufgegeben.
told-abort = { $player } hat das Spiel abgebrochen.
told-timeout = Für { $player } ist die Zeit abgelaufen.
told-said = { $player } sagt: „{ $text }“
told-said-before = Was davor geschrieben wurde, steht auf der Seite des Spiels.
ended-play = { $places ->
    [won] { $winner } hat gewonnen.
    [shared] { $others } und { $winner } teilen sich den ersten Platz.
   *[none] Das Spiel ist zu Ende.
}
ended-rounds = { $places ->
    [won] { $winner } hat nach der letzten Runde gewonnen.
    [shared] { $others } und { $winner } teilen sich nach der letzten Runde den ersten Platz.
   *[none] Das Spiel ist zu Ende: Die letzte Runde ist gespielt.
}
ended-resignation = { $places ->
    [won] { $winner } hat durch Aufgabe gewonnen.
    [shared] { $others } und { $winner } teilen sich durch Aufgabe den ersten Platz.
   *[none] Das Spiel ist durch Aufgabe zu Ende.
}
ended-timeout = { $places ->
    [won] { $winner } hat nach Zeit gewonnen.
    [shared] { $others } und { $winner } teilen sich nach Zeit den ersten Platz.
   *[none] Das Spiel ist nach Zeit zu Ende.
}
ended-abort = Das Spiel wurde abgebrochen.
