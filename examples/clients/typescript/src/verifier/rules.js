// The rules of the games, by the name and the version in the header.

import { Dominion } from "./dominion.js";
import { PipPip } from "./pip_pip.js";
import { Pippinzip } from "./pippinzip.js";
import { Serpent } from "./serpent.js";

export const RULES = {
  "dominion": { 1: Dominion },
  "pip-pip": { 1: PipPip },
  "pippinzip": { 1: Pippinzip },
  "serpent": { 1: Serpent },
};

export const TITLES = {
  "dominion": "Dominion",
  "pip-pip": "Pip•Pip",
  "pippinzip": "Pippinzip",
  "serpent": "Serpent",
};
