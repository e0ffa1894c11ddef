# What happened in any game, and how games end. What the rules themselves tell has files of its own.
game-against = { $rules } against { $opponents }
game-against-many = { $rules } against { $first } and { $others } others
game-titled = { $game } (“{ $title }”)
told-start = The game has started.
told-resign = { $player } resigned.
told-abort = { $player } aborted the game.
told-timeout = { $player } ran out of time.
told-said = { $player } says: “{ $text }”
told-said-before = What was written before stands on the page of the game.
ended-play = { $places ->
    [won] { $winner } won.
    [shared] { $others } and { $winner } share the first place.
   *[none] The game is over.
}
ended-rounds = { $places ->
    [won] { $winner } won when the last round was played.
    [shared] { $others } and { $winner } share the first place when the last round was played.
   *[none] The game is over: the last round was played.
}
ended-resignation = { $places ->
    [won] { $winner } won by resignation.
    [shared] { $others } and { $winner } share the first place by resignation.
   *[none] The game is over by resignation.
}
ended-timeout = { $places ->
    [won] { $winner } won on time.
    [shared] { $others } and { $winner } share the first place on time.
   *[none] The game is over on time.
}
ended-abort = The game was aborted.
