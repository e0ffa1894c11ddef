# Times and lists.
weekday = { $weekday ->
    [1] Montag
    [2] Dienstag
    [3] Mittwoch
    [4] Donnerstag
    [5] Freitag
    [6] Samstag
   *[7] Sonntag
}
month = { $month ->
    [1] Januar
    [2] Februar
    [3] März
    [4] April
    [5] Mai
    [6] Juni
    [7] Juli
    [8] August
    [9] September
    [10] Oktober
    [11] November
   *[12] Dezember
}
date = { weekday }, { $day }. { month } { $year }
date-time = { weekday }, { $day }. { month } { $year }, { $time } Uhr ({ $zone })
less-than-a-minute = weniger als eine Minute
minutes = { $count ->
    [one] 1 Minute
   *[other] { $count } Minuten
}
hours = { $count ->
    [one] 1 Stunde
   *[other] { $count } Stunden
}
days = { $count ->
    [one] 1 Tag
   *[other] { $count } Tage
}
