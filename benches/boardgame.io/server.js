// boardgame.io's own server with its PostgreSQL adapter, as their documentation starts them. Says `ready` when it listens.
// Environment: PORT, and DATABASE, the options of the adapter as JSON.
'use strict';

const { Server } = require('boardgame.io/server');
const { PostgresStore } = require('bgio-postgres');
const game = require('./game');

const db = new PostgresStore({ logging: false, ...JSON.parse(process.env.DATABASE) });
const server = Server({ games: [game], db, origins: [] });
server.run({ port: Number(process.env.PORT), callback: () => console.log('ready') });
