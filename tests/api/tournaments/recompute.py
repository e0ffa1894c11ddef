"""Recomputes a season from records and public JSON alone, with nothing but Python's standard library.

    python3 recompute.py FOLDER

FOLDER/records has the record of every game, as /games/{id}/record?with=clock gives it; FOLDER/tournaments has for each tournament
{"table": the newest /tournaments/{id}, "rounds": [the pairings of each round]}. Prints the standings of each tournament, of its
clubs too, and the ratings of everybody, as docs/TOURNAMENTS.md and docs/RATINGS.md say. Outcomes are read from records, and from nothing else.
"""

import hashlib
import json
import math
import pathlib
import sys
from collections import defaultdict
from datetime import date

FIRST, SECOND, DRAW, VOID = "first", "second", "draw", "void"


class Record:
    """What a game's record and its clock log say."""

    def __init__(self, path):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        header = lines[0]
        events = [line for line in lines if "effects" in line]
        start = next(line["change"] for line in lines if line.get("change", {}).get("type") == "start")
        footer = next(line for line in lines if "result" in line)
        self.id, self.rules = header["id"], header["rules"]
        self.ended_at, self.last_seat = events[-1]["at"], events[-1].get("seat")
        self.places, self.reason = footer["result"]["places"], footer["result"]["reason"]
        self.master = footer["master"]
        self.control = start["control"]
        names = [player["name"] for player in header["players"]]
        orders = [effect["order"] for effect in events[0]["effects"] if effect["type"] == "seated"]
        self.names = [names[joined] for joined in orders[0]] if orders else names

    def outcome(self):
        if self.places is None:
            # Whoever aborts a game loses it.
            return {0: SECOND, 1: FIRST}.get(self.last_seat, VOID)
        first, second = self.places
        return DRAW if first == second else FIRST if first < second else SECOND

    def pace(self):
        limit, bank = self.control["limit_hours"], self.control["bank"]
        if limit is None and bank is None:
            return "unlimited"
        return "fast" if (limit or 0) + (bank["gain_hours"] if bank else 0) <= 24 else "slow"


# Tournaments. Points and direct encounter are counted in halves, Sonneborn-Berger in quarters.

def halves(outcome):
    return {FIRST: (2, 0), SECOND: (0, 2), DRAW: (1, 1), VOID: (0, 0)}[outcome]


def results(tournament, records):
    """All pairings of all rounds with the outcomes that the records give."""
    for number, pairings in enumerate(tournament["rounds"], 1):
        for one in pairings:
            if one["second"] is None:
                yield number, one["first"], None, None
                continue
            record = records[one["game"]]
            assert record.names == [one["first"], one["second"]], (one, record.names)
            yield number, one["first"], one["second"], record.outcome()


def by_points(tournament, records):
    got = defaultdict(list)
    for _, first, second, outcome in results(tournament, records):
        if second is None:
            got[first].append((None, 2))
            continue
        one, other = halves(outcome)
        got[first].append((second, one))
        got[second].append((first, other))
    points = defaultdict(int, {handle: sum(half for _, half in games) for handle, games in got.items()})
    merits = {}
    for handle in entrants(tournament):
        met = [(other, half) for other, half in got[handle] if other is not None]
        merits[handle] = [
            points[handle],
            sum(points[other] for other, _ in met),
            sum(points[other] * half for other, half in met),
            0,
            sum(half == 2 for _, half in met),
        ]
    before = {handle: tuple(merit[:3]) for handle, merit in merits.items()}
    for handle in merits:
        equals = (half for other, half in got[handle] if other is not None and before[other] == before[handle])
        merits[handle][3] = sum(equals)
    return merits


def by_survival(tournament, records, lives):
    numbers = {row["handle"]: row["number"] for row in tournament["table"]["standings"]}
    merits, losses = {handle: [0, 0, 0, 0, 0] for handle in numbers}, defaultdict(int)
    for _, first, second, outcome in results(tournament, records):
        winner, loser = first, second
        if second is not None:
            by_number = second if numbers[second] < numbers[first] else first
            winner = {FIRST: first, SECOND: second, DRAW: second, VOID: by_number}[outcome]
            loser = second if winner == first else first
            losses[loser] += 1
            if losses[loser] < lives:
                merits[loser][0] += 2
        merits[winner][0] += 2
    return merits


def entrants(tournament):
    return [row["handle"] for row in tournament["table"]["standings"]]


def divisions(size, players):
    """The ranges of numbers, from 0, of the divisions of a league."""
    count = max(players // size + (1 if players % size * 2 >= size else 0), 1)
    return [range(one * size, players if one + 1 == count else (one + 1) * size) for one in range(count)]


def lots(tournament, handles):
    one = tournament["table"]["tournament"]
    identity, draw = bytes.fromhex(one["id"].replace("-", "")), bytes.fromhex(one["draw"])
    lot = lambda handle: hashlib.sha256(b"pippost/tournament/lot/1" + identity + draw + handle.encode()).digest()
    return {handle: lot(handle) for handle in handles}


def numbers(tournament, ladder):
    """The numbers of all players, from 0, and their divisions: from the draw, and of a league from the season before, too."""
    handles, league = entrants(tournament), tournament["table"]["tournament"]["league"]
    lot = lots(tournament, handles)
    if league is None:
        return {handle: number for number, handle in enumerate(sorted(handles, key=lot.get))}, None
    places = {handle: place for place, handle in enumerate(ladder)}
    order = sorted(handles, key=lambda handle: (places.get(handle, len(ladder)), lot[handle]))
    parts = divisions(league["division_size"], len(handles))
    drawn = [handle for part in parts for handle in sorted(order[part.start:part.stop], key=lot.get)]
    number = {handle: number for number, handle in enumerate(drawn)}
    division = {handle: index for handle in drawn for index, part in enumerate(parts, 1) if number[handle] in part}
    return number, division


def standings(tournament, records, ladder):
    one = tournament["table"]["tournament"]
    lives = {"knock_out": 1, "double_elimination": 2}.get(one["kind"])
    merits = by_survival(tournament, records, lives) if lives else by_points(tournament, records)
    number, division = numbers(tournament, ladder)
    rows = []
    for handle, merit in merits.items():
        own = division and division[handle]
        equals = [other for other in merits if not division or division[other] == own]
        rows.append({
            "handle": handle,
            "number": number[handle] + 1,
            "division": own,
            "place": 1 + sum(merits[other] > merit for other in equals),
            "points": merit[0] / 2,
            "buchholz": merit[1] / 2,
            "sonneborn_berger": merit[2] / 4,
            "direct": merit[3] / 2,
            "wins": merit[4],
        })
    return sorted(rows, key=lambda row: (row["division"] or 0, row["place"], row["number"]))


def teams(tournament, rows):
    """The places of clubs, by their best players."""
    size = tournament["table"]["tournament"]["team_size"]
    if size is None:
        return {}
    clubs = {row["handle"]: row["club"] for row in tournament["table"]["standings"]}
    counted = defaultdict(list)
    for row in rows:
        club = counted[clubs[row["handle"]]]
        if len(club) < size:
            club.append(row)
    counted.pop(None, None)
    sums = {
        club: (sum(row["points"] for row in best), sum(row["buchholz"] for row in best), -best[0]["place"])
        for club, best in counted.items()
    }
    return {
        club: {
            "place": 1 + sum(other > sums[club] for other in sums.values()),
            "points": sums[club][0],
            "buchholz": sums[club][1],
            "players": [row["handle"] for row in best],
        }
        for club, best in counted.items()
    }


def ladder_after(tournament, rows):
    """Who goes on to the next season of a league, the best first."""
    left = {row["handle"] for row in tournament["table"]["standings"] if row["left_round"] is not None}
    promoted = tournament["table"]["tournament"]["league"]["promoted"]
    count = max(row["division"] for row in rows)
    new = [[] for _ in range(count)]
    for index in range(count):
        staying = [row["handle"] for row in rows if row["division"] == index + 1 and row["handle"] not in left]
        rising = 0 if index == 0 else min(promoted, len(staying))
        falling = 0 if index + 1 == count else min(promoted, len(staying) - rising)
        if index > 0:
            new[index - 1] += staying[:rising]
        new[index] += staying[rising:len(staying) - falling]
        if index + 1 < count:
            new[index + 1] += staying[len(staying) - falling:]
    return [handle for part in new for handle in part]


def all_standings(tournaments, records):
    tables, ladders = {}, {}
    for identity, tournament in sorted(tournaments.items(), key=lambda one: season(one[1])):
        league = tournament["table"]["tournament"]["league"]
        ladder = ladders[league["previous"]] if league and league["previous"] else []
        tables[identity] = standings(tournament, records, ladder)
        if league:
            ladders[identity] = ladder_after(tournament, tables[identity])
    return tables


def season(tournament):
    league = tournament["table"]["tournament"]["league"]
    return league["season"] if league else 0


def check_chance(tournaments, records):
    """Commitments, and the master of every game."""
    for tournament in tournaments.values():
        one = tournament["table"]["tournament"]
        identity, secret = bytes.fromhex(one["id"].replace("-", "")), bytes.fromhex(one["secret"])
        draw = hashlib.sha256(b"pippost/tournament/draw/1" + secret).hexdigest()
        assert draw == one["draw"], one["id"]
        for committed, known in [("commitment", one["secret"]), ("draw_commitment", draw)]:
            digest = hashlib.sha256(b"pippost/commit/1" + identity + bytes.fromhex(known)).hexdigest()
            assert digest == one[committed], (one["id"], committed)
        for pairings in tournament["rounds"]:
            for pair in (pair for pair in pairings if pair["game"]):
                place = pair["round"].to_bytes(2, "big") + pair["board"].to_bytes(2, "big")
                master = hashlib.sha256(b"pippost/tournament/game/1" + secret + place).hexdigest()
                assert master == records[pair["game"]].master, pair


# Ratings: Glicko-2 as docs/RATINGS.md has it. A strength is (rating, deviation in thousandths, volatility in billionths).

NEWCOMER, MAX_DEVIATION = (1_500_000, 350_000, 60_000_000), 350_000
TAU, SCALE, MIDDLE, EPSILON = 0.5, 173.7178, 1500.0, 0.000_001


def rounded(number):
    """Half away from zero."""
    whole = math.floor(abs(number))
    whole += abs(number) - whole >= 0.5
    return int(math.copysign(whole, number))


def scaled(strength):
    rating, deviation, volatility = strength
    return (rating / 1e3 - MIDDLE) / SCALE, deviation / 1e3 / SCALE, volatility / 1e9


def rated(strength, idle_days, meetings):
    mu, phi, sigma = scaled(strength)
    phi = min(math.sqrt(phi * phi + idle_days * sigma * sigma), MAX_DEVIATION / 1e3 / SCALE)
    information = surplus = 0.0
    for opponent, score in meetings:
        its_mu, its_phi, _ = scaled(opponent)
        weakened = 1.0 / math.sqrt(1.0 + 3.0 * its_phi * its_phi / (math.pi * math.pi))
        expected = 1.0 / (1.0 + math.exp(-weakened * (mu - its_mu)))
        information += weakened * weakened * expected * (1.0 - expected)
        surplus += weakened * (score - expected)
    variance = 1.0 / information
    sigma = new_volatility(sigma, phi, variance, variance * surplus)
    phi = 1.0 / math.sqrt(1.0 / (phi * phi + sigma * sigma) + information)
    mu += phi * phi * surplus
    return (
        rounded((mu * SCALE + MIDDLE) * 1e3),
        min(rounded(phi * SCALE * 1e3), MAX_DEVIATION),
        rounded(sigma * 1e9),
    )


def new_volatility(sigma, phi, variance, delta):
    start, squared, spread = math.log(sigma * sigma), delta * delta, phi * phi + variance

    def steep(x):
        e = math.exp(x)
        both = spread + e
        return e * (squared - both) / (2.0 * both * both) - (x - start) / (TAU * TAU)

    low = start
    if squared > spread:
        high = math.log(squared - spread)
    else:
        high = next(x for x in (start - k * TAU for k in range(1, 1001)) if steep(x) >= 0.0)
    at_low, at_high = steep(low), steep(high)
    while abs(high - low) > EPSILON:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = steep(between)
        if at_between * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = between, at_between
    return math.exp(low / 2.0)


def all_ratings(records):
    """By handle; everybody of these records is a person, and nobody a guest."""
    counted = sorted((one for one in records.values() if one.places), key=lambda one: (one.ended_at, one.id))
    known = {}
    for day in sorted({one.ended_at[:10] for one in counted}):
        meetings = defaultdict(list)
        for game in (one for one in counted if one.ended_at[:10] == day):
            keys = [(name, game.rules, game.pace()) for name in game.names]
            before = [known[key]["strength"] if key in known else NEWCOMER for key in keys]
            for own, other in [(0, 1), (1, 0)]:
                better = game.places[own] - game.places[other]
                score = 1.0 if better < 0 else 0.5 if better == 0 else 0.0
                meetings[keys[own]].append((before[other], score))
        after = {}
        for key, met in meetings.items():
            old = known.get(key)
            idle = (date.fromisoformat(day) - date.fromisoformat(old["day"])).days - 1 if old else 0
            strength = rated(old["strength"] if old else NEWCOMER, idle, met)
            after[key] = {"strength": strength, "games": (old["games"] if old else 0) + len(met), "day": day}
        known.update(after)
    shown = defaultdict(list)
    for (handle, rules, pace), one in sorted(known.items()):
        rating, deviation, volatility = one["strength"]
        shown[handle].append({
            "handle": handle, "pool": "people", "rules": rules, "pace": pace,
            "rating": rating / 1e3, "deviation": deviation / 1e3, "volatility": volatility / 1e9,
            "games": one["games"], "day": one["day"], "provisional": deviation > 110_000,
        })
    return shown


def main(folder):
    records = {path.stem: Record(path) for path in sorted((folder / "records").iterdir())}
    assert all(name == record.id for name, record in records.items())
    tournaments = {path.stem: json.loads(path.read_text()) for path in sorted((folder / "tournaments").iterdir())}
    check_chance(tournaments, records)
    outcomes = {record.id: record.outcome() for record in records.values()}
    tables = all_standings(tournaments, records)
    places = {identity: teams(tournaments[identity], rows) for identity, rows in tables.items()}
    found = {"tournaments": tables, "teams": places, "ratings": all_ratings(records), "outcomes": outcomes}
    json.dump(found, sys.stdout)


main(pathlib.Path(sys.argv[1]))
