// The parts of a board and the buttons beside it that can be picked: each is a link. Arrows lead from one part of the board to the next,
// Enter and Space pick it, and Esc takes the last choice back. Without this module they are links as all others.

export const spots = () => [...document.querySelectorAll("#board .spot")];
export const middle = (spot) => { const box = spot.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };

/** The spot of the board that is nearest to a place; the first one without a place. */
export function nearest(place) {
  const all = spots();
  if (!place) return all[0];
  const far = (spot) => Math.hypot(middle(spot)[0] - place[0], middle(spot)[1] - place[1]);
  return all.reduce((best, spot) => (best && far(best) <= far(spot) ? best : spot), undefined);
}

/** Makes one spot of the board reachable by Tab; arrows lead to the others. */
export function makeReachable(one) {
  for (const spot of spots()) spot.setAttribute("tabindex", spot === one ? "0" : "-1");
}

/** Where the focus is within `table`, in words that hold for the next page. */
export function focusWithin(table) {
  const focused = document.activeElement;
  if (!focused || !table.contains(focused)) return null;
  return { target: focused.dataset.target, id: focused.id, at: focused.matches("#board .spot") ? middle(focused) : null };
}

/** What lies no more pixels apart in height is in one row. */
const SAME_ROW = 4;

/** The spot before or after one in the order of reading, so that these two arrows lead to all of them. */
function beside(from, step) {
  const all = spots().map((spot) => [spot, ...middle(spot)]);
  all.sort(([, x, y], [, otherX, otherY]) => (Math.abs(y - otherY) > SAME_ROW ? y - otherY : x - otherX));
  return all[all.findIndex(([spot]) => spot === from) + step]?.[0];
}

/** The nearest spot above or below: as little aside as possible. */
function neighbour(from, right, down) {
  if (right) return beside(from, right);
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const spot of spots()) {
    const [aside, along] = [Math.abs(middle(spot)[0] - x), (middle(spot)[1] - y) * down];
    if (along > 2 && along + 2.5 * aside < least) [best, least] = [spot, along + 2.5 * aside];
  }
  return best;
}

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** Parts smaller than this, in pixels, are enlarged by a first touch, so that a finger finds the one that it wants; and how often at least. */
const FINGER = 44;
const TIMES = 2;

/** The smaller side of a part of the board, in pixels. */
function side(spot) {
  const { width, height } = spot.getBoundingClientRect();
  return Math.min(width, height);
}

/** Shows a part of the board enlarged around a spot, or the whole board again. */
function enlarge(board, spot) {
  const whole = board.dataset.whole ?? board.getAttribute("viewBox");
  const [, , width, height] = whole.split(" ").map(Number);
  if (!spot) {
    delete board.dataset.whole;
    board.setAttribute("viewBox", whole);
    return;
  }
  const box = spot.getBBox();
  const times = Math.max(TIMES, 1.05 * FINGER / side(spot));
  const from = (middle, size) => Math.min(Math.max(middle - size / times / 2, 0), size - size / times);
  board.dataset.whole = whole;
  board.setAttribute("viewBox", [from(box.x + box.width / 2, width), from(box.y + box.height / 2, height), width / times, height / times].join(" "));
}

/** What pressed last: in some browsers a click does not say it. A key is none. */
let pressedBy = "";
addEventListener("pointerdown", (event) => { pressedBy = event.pointerType; }, true);
addEventListener("keydown", () => { pressedBy = ""; }, true);

/** Whether a finger pressed last. */
export const isTouched = () => pressedBy === "touch";

/** Whether a click only enlarged the board, or showed all of it again. */
function hasEnlarged(event) {
  const board = event.target.closest("#board");
  if (!board || !isTouched()) return false;
  const spot = event.target.closest(".spot");
  if (board.dataset.whole ? spot : !spot || side(spot) >= FINGER) return false;
  event.preventDefault();
  enlarge(board, board.dataset.whole ? null : spot);
  return true;
}

/** Lets `go` follow the links of `table` that are picks, and those that take one back. */
export function listenToSpots(table, go) {
  table.addEventListener("click", (event) => {
    if (hasEnlarged(event)) return;
    const link = event.target.closest("[data-target], [data-undo]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0) return;
    event.preventDefault();
    if (link.dataset.target) link.classList.add("chosen");
    go(link.getAttribute("href"));
  });
  table.addEventListener("keydown", (event) => {
    const spot = event.target.closest?.("#board .spot");
    if (event.key === "Escape") {
      const undo = table.querySelector("[data-undo]");
      if (undo) { event.preventDefault(); go(undo.getAttribute("href")); }
    } else if (event.key === " " && event.target.closest?.("[data-target]")) {
      event.preventDefault();
      event.target.closest("[data-target]").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    } else if (spot && ARROWS[event.key]) {
      event.preventDefault();
      const next = neighbour(spot, ...ARROWS[event.key]);
      if (next) {
        makeReachable(next);
        next.focus();
      }
    }
  });
}
