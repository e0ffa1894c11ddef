// Parts of a board that say something when somebody points at them, as groups of stones do. Without this module every part is reached by Tab,
// and browsers show its title.

const parts = () => [...document.querySelectorAll("#board .part")];

/** The first words of the line below the board. */
let usual = "";

function tell(part) {
  const line = document.getElementById("part-label");
  if (line) line.textContent = part?.getAttribute("aria-label") ?? usual;
}

/** Makes one part reachable by Tab; arrows lead to the others. */
function makeReachable(one) {
  for (const part of parts()) part.setAttribute("tabindex", part === one ? "0" : "-1");
}

/** To be called for every new board. */
export function prepareParts() {
  usual = document.getElementById("part-label")?.textContent ?? "";
  makeReachable(parts()[0]);
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function listenToParts(place) {
  for (const [begins, ends] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    place.addEventListener(begins, (event) => { const part = event.target.closest?.(".part"); if (part) tell(part); });
    place.addEventListener(ends, (event) => {
      if (event.target.closest?.(".part")) tell(document.activeElement?.closest(".part"));
    });
  }
  place.addEventListener("keydown", (event) => {
    const part = event.target.closest?.(".part");
    if (!part || !STEPS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const all = parts();
    const next = all[(all.indexOf(part) + STEPS[event.key] + all.length) % all.length];
    makeReachable(next);
    next.focus();
  });
}
