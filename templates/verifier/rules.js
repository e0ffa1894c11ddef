// The rule sets that this verifier knows, by the name in the header.

import { Dominion } from "./dominion.js";
import { PipPip } from "./pip_pip.js";
import { Pippinzip } from "./pippinzip.js";
import { Serpent } from "./serpent.js";

export const RULES = { dominion: Dominion, "pip-pip": PipPip, pippinzip: Pippinzip, serpent: Serpent };
