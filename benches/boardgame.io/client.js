// Plays matches over socket.io, as boardgame.io's own client sends moves but without its copy of the game, so that little is spent
// here. A move counts when the server's update with it has come back.
// Arguments: address, connections, seconds, moves of a match, matches, moves made before. Environment: DATABASE, the options of the
// adapter as JSON. Writes `go`, and in the end one line of JSON.
'use strict';

const { randomUUID } = require('node:crypto');
const { io } = require('socket.io-client');
const { PostgresStore } = require('bgio-postgres');
const game = require('./game');

const [address, ...numbers] = process.argv.slice(2);
const [connections, seconds, movesOfMatch, matches, movesMade] = numbers.map(Number);
const AT_ONCE = 16;
const CELLS = game.setup().cells.length;
const GRACE_MS = 10_000;

async function post(path, body) {
  const answer = await fetch(`${address}/games/${game.name}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

// A match with both its players.
async function newMatch() {
  const { matchID } = await post('create', { numPlayers: 2 });
  const credentials = [];
  for (const playerID of ['0', '1']) {
    const joined = await post(`${matchID}/join`, { playerID, playerName: `player ${playerID}` });
    credentials.push(joined.playerCredentials);
  }
  return follow(matchID, credentials);
}

// A connection that follows a match.
async function follow(matchID, credentials) {
  const socket = io(`${address}/${game.name}`, { forceNew: true });
  const synced = new Promise((resolve, reject) => {
    socket.once('connect_error', reject);
    socket.once('sync', (_, { state }) => resolve(state));
    socket.once('connect', () => socket.emit('sync', matchID, '0', credentials[0], 2));
  });
  return { matchID, credentials, socket, state: await synced };
}

// What their adapter keeps of a match in which moves have been made. It is played once, and kept for the rounds that follow.
async function played(store) {
  const everything = { state: true, log: true, metadata: true, initialState: true };
  const kept = `played-${movesMade}`;
  const before = await store.fetch(kept, everything);
  if (before.state) return before;
  const match = await newMatch();
  for (let made = 0; made < movesMade; made += 1) await move(match, made % CELLS);
  match.socket.close();
  await write(store, kept, await store.fetch(match.matchID, everything));
  return store.fetch(kept, everything);
}

async function write(store, matchID, { state, log, metadata, initialState }) {
  await store.createMatch(matchID, { initialState, metadata });
  await store.setState(matchID, state, log);
}

// Makes matches like one in which moves have been made, by their adapter: to play each would take minutes.
async function copies() {
  const store = new PostgresStore({ logging: false, ...JSON.parse(process.env.DATABASE) });
  const one = await played(store);
  const credentials = Object.values(one.metadata.players).map((player) => player.credentials);
  return async () => {
    const matchID = randomUUID();
    await write(store, matchID, one);
    return follow(matchID, credentials);
  };
}

function move(match, cell) {
  const { matchID, credentials, socket, state } = match;
  const playerID = state.ctx.currentPlayer;
  const payload = { type: 'place', args: [cell], playerID, credentials: credentials[Number(playerID)] };
  return new Promise((resolve) => {
    const updated = (id, next) => {
      if (id !== matchID || next._stateID <= state._stateID) return;
      socket.off('update', updated);
      match.state = next;
      resolve();
    };
    socket.on('update', updated);
    socket.emit('update', { type: 'MAKE_MOVE', payload }, state._stateID, matchID, playerID);
  });
}

async function main() {
  const make = movesMade > 0 ? await copies() : newMatch;
  const ready = [];
  let left = matches;
  const prepare = async () => {
    while (left > 0) {
      left -= 1;
      ready.push(await make());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, prepare));
  // Their presence is written when they connect; that is over before the clock runs.
  await new Promise((resolve) => setTimeout(resolve, 500));

  const microseconds = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  setTimeout(() => process.exit(1), seconds * 1000 + GRACE_MS).unref();
  const play = async () => {
    for (let now = ready.pop(); now; now = ready.pop()) {
      for (let cell = 0; cell < movesOfMatch; cell += 1) {
        const sent = performance.now();
        if (sent >= end) return;
        await move(now, cell % CELLS);
        microseconds.push(Math.round((performance.now() - sent) * 1000));
      }
    }
  };
  console.log('go');
  await Promise.all(Array.from({ length: connections }, play));
  console.log(JSON.stringify({ seconds: (performance.now() - started) / 1000, microseconds }));
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
