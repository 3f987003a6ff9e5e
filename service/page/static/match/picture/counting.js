// Numbers of a picture count from what they were to what they are.

const COUNT_MS = 250;
const NEAR_PX = 1; // numbers further apart are not the same

/** The texts with numbers of a picture, and where they are. */
export function findNumbers(view) {
  return [...view.querySelectorAll("text")]
    .filter((element) => /\d/.test(element.textContent) && !element.childElementCount)
    .map((element) => ({ element, text: element.textContent, at: origin(element) }));
}

/** Let the numbers of a view that have changed count from `before`; everything else in a text stays. */
export function count(view, before) {
  const changed = findNumbers(view).map((now) => [now, before.find((one) => isSame(one, now))]);
  const counting = changed.filter(([now, was]) => was && was.text !== now.text);
  const begin = performance.now();
  const step = (time) => {
    const part = Math.min(1, Math.max(0, (time - begin) / COUNT_MS));
    for (const [{ element, text }, was] of counting) element.textContent = part < 1 ? between(was.text, text, part) : text;
    if (part < 1 && view.isConnected) requestAnimationFrame(step);
  };
  if (counting.length) step(begin);
}

function isSame(one, other) {
  return Math.hypot(one.at.x - other.at.x, one.at.y - other.at.y) < NEAR_PX && form(one.text) === form(other.text);
}

/** A text between two of the same form. */
function between(from, to, part) {
  const numbers = from.match(/\d+/g).map(Number);
  return to.replace(/\d+/g, (last) => {
    const first = numbers.shift();
    return Math.round(first + (last - first) * part);
  });
}

const form = (text) => text.replace(/\d+/g, "#");

/** Where a text is written on the screen, however long it is. */
function origin(element) {
  const [x, y] = ["x", "y"].map((name) => Number(element.getAttribute(name)));
  return new DOMPoint(x, y).matrixTransform(element.getScreenCTM());
}
