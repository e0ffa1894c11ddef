#!/bin/bash
# Plays a game of any rule set between two accounts of your server, then lets the server verify the game's record.
# It knows no rules: each move is one of the legal actions that the server lists. It needs curl and jq.
#
#     OPTIONS='{"size": 3, "round_limit": 4}' bash play.sh http://127.0.0.1:8080 dominion
set -euo pipefail
shopt -s inherit_errexit

api=$1/api/v1 rules=$2 options=${OPTIONS:-'{}'}
record=$(mktemp)
trap 'rm -f "$record"' EXIT

# call TOKEN METHOD PATH [BODY [TYPE]]: prints the answer; a problem ends the program, unless its code is in $expected.
expected=
call() {
    local answer status
    local arguments=(-s -X "$2" -w '\n%{http_code}' "$api$3")
    [ -z "$1" ] || arguments+=(-H "Authorization: Bearer $1")
    [ $# -lt 4 ] || arguments+=(-H "Content-Type: ${5:-application/json}" --data-binary "$4")
    answer=$(curl "${arguments[@]}")
    status=${answer##*$'\n'} answer=${answer%$'\n'*}
    if [ "$status" -ge 400 ] && [ "$(jq -r .code <<<"$answer")" != "$expected" ]; then
        jq -r '"\(.code): \(.detail)"' <<<"$answer" >&2
        return 1
    fi
    printf '%s' "$answer"
}

# The account that an earlier run has made, or a new one: prints its token.
player() {
    local password="the long password of $1" session
    session=$(expected=wrong_credentials call '' POST /sessions \
        "$(jq -n --arg login "$1" --arg password "$password" '{$login, $password}')")
    if [ "$(jq -r .code <<<"$session")" = wrong_credentials ]; then
        session=$(call '' POST /accounts \
            "$(jq -n --arg handle "$1" --arg password "$password" '{$handle, email: "\($handle)@example.org", $password}')")
    fi
    jq -r .access_token <<<"$session"
}

# Reads the list of legal actions and prints a move: the offer of the given number, its choice filled with what may be picked.
move='
def neighbours($other): (explode[0] - ($other | explode[0]) | fabs)
    + ((.[1:] | tonumber) - ($other[1:] | tonumber) | fabs) == 1;
def picked: . as $pick | reduce .from[] as $entry ([];
    if length == $pick.most or ($pick.apart and any(.[]; neighbours($entry))) then . else . + [$entry] end);
. as $legal | .actions[$number % (.actions | length)]
| if has("choose") then {type, (.choose.member): (.choose | picked)} else . end
| {actions: [.], expected_seq: $legal.seq}'

declare -A tokens
for handle in bash-ann bash-bob; do
    tokens[$handle]=$(player "$handle")
done
game=$(call "${tokens[bash-ann]}" POST /games "$(jq -n --arg rules "$rules" --argjson options "$options" '{$rules, $options}')")
path=/games/$(jq -r .id <<<"$game")
game=$(call "${tokens[bash-bob]}" POST "$path/join" '{}')
while handle=$(jq -re '.game // . | .to_act as $seat | .players[] | select($seat != null and .seat == $seat).handle' <<<"$game"); do
    legal=$(call "${tokens[$handle]}" GET "$path/actions")
    body=$(jq --argjson number "$RANDOM" "$move" <<<"$legal")
    game=$(call "${tokens[$handle]}" POST "$path/moves" "$body")
done
call "${tokens[bash-ann]}" GET "$path/record" >"$record"
verdict=$(call "${tokens[bash-ann]}" POST /verify "@$record" application/x-ndjson)
[ "$(jq -r .verdict <<<"$verdict")" = accepted ] || { jq .failure <<<"$verdict" >&2; exit 1; }
jq -r --argjson verdict "$verdict" \
    '.game | "\(.rules) \(.id): \(.result.reason), \($verdict.events) events, record \($verdict.verdict)"' <<<"$game"
