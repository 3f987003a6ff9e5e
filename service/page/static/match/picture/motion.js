// Pieces travel from where they were to where they are.

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

/** Let the pieces of a view that look like one that is gone come from its place; returns the animations. */
export function travel(view, before) {
  const { width } = view.getBoundingClientRect();
  const now = findPieces(view);
  const isThere = (others) => {
    const alike = Map.groupBy(others, ({ look }) => look);
    return (piece) => alike.get(piece.look)?.some((one) => apart(one, piece) * width < NEAR_PX);
  };
  const [stays, was] = [now, before].map(isThere);
  const gone = Map.groupBy(before.filter((piece) => !stays(piece)), ({ look }) => look);
  const found = now.filter((one) => !was(one)).map((piece) => [piece, gone.get(piece.look)?.shift()]);
  return found.filter(([, from]) => from).map(([piece, from]) => move(piece, from, width));
}

/** Animate a piece; a `transform` would replace its own, and a group around it would change the picture. */
function move({ group, x, y }, from, width) {
  const { a } = group.parentNode.getScreenCTM();
  const [dx, dy] = [((from.x - x) * width) / a, ((from.y - y) * width) / a];
  return group.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }], { duration: TRAVEL_MS, easing: "cubic-bezier(.2, .8, .2, 1)" });
}

function apart(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
