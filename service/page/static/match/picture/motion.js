// Pieces travel from where they were to where they are.

import { createSvg } from "./shapes.js";

const TRAVEL_MS = 250;
const NEAR_PX = 1; // a piece closer than this has not moved

/** The pieces of a picture: what each looks like, where it is in parts of the view, and its element. */
export function findPieces(view) {
  const whole = view.getBoundingClientRect();
  return [...view.querySelectorAll("[data-panel] g[transform]")]
    .filter((group) => !group.querySelector("g[transform]"))
    .map((group) => {
      const { left, top } = group.getBoundingClientRect();
      return { look: group.innerHTML, x: (left - whole.left) / whole.width, y: (top - whole.top) / whole.width, group };
    });
}

/** Let the pieces of a view that look like one that is gone come from its place. */
export function travel(view, before) {
  const { width } = view.getBoundingClientRect();
  const now = findPieces(view);
  const isThere = (piece, others) => others.some((one) => one.look === piece.look && apart(one, piece) * width < NEAR_PX);
  const gone = before.filter((piece) => !isThere(piece, now));
  for (const piece of now.filter((one) => !isThere(one, before))) {
    const from = gone.findIndex(({ look }) => look === piece.look);
    if (from >= 0) move(piece, gone.splice(from, 1)[0], width);
  }
}

/** Animate a piece by a group around it: a CSS transform would replace its own. */
function move({ group, x, y }, from, width) {
  const { a } = group.parentNode.getScreenCTM();
  const around = createSvg("g");
  group.replaceWith(around);
  around.append(group);
  const [dx, dy] = [((from.x - x) * width) / a, ((from.y - y) * width) / a];
  around.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: TRAVEL_MS, easing: "cubic-bezier(.2, .8, .2, 1)" });
}

function apart(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
