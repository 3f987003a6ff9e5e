// Numbers of a picture count from what they were to what they are.

const COUNT_MS = 250;
const NEAR_PX = 1; // numbers further apart are not the same
const NUMBER = /[-−]?\d+/g;
const SUM = /(?<![\p{L}\d])[-−]?\d+(\s*[+×]\s*[\d?]+)*(?!\p{L})/gu; // not the number of a space such as E5

/** The numbers of a text. */
const numbersOf = (text) => text.match(NUMBER) ?? [];
/** The numbers of a text, a sum such as `6 + 1` as a whole. */
export const sumsOf = (text) => text.match(SUM) ?? [];

/** A text with each number as `join(first, last)` makes it from that of another text and its own. */
function joinNumbers(from, to, join) {
  const numbers = numbersOf(from);
  return to.replace(NUMBER, (last) => join(numbers.shift(), last));
}

/** A text with each number or sum that differs in another text after that, such as `12 → 15`. */
export function joinSums(from, to, arrow) {
  const sums = sumsOf(from);
  return to.replace(SUM, (now) => [...new Set([sums.shift(), now])].join(arrow));
}

/** The texts with numbers of a picture, and where they are. */
export function findNumbers(view) {
  return [...view.querySelectorAll("text")]
    .filter((element) => numbersOf(element.textContent).length && !element.childElementCount)
    .map((element) => ({ element, text: element.textContent, at: origin(element) }));
}

/** Let the numbers of a view that have changed count from `before`; everything else in a text stays. Returns a function that ends it. */
export function count(view, before) {
  const changed = findNumbers(view).map((now) => [now, before.find((one) => isSame(one, now))]);
  const counting = changed.filter(([now, was]) => was && was.text !== now.text);
  const begin = performance.now();
  let isOver = false;
  const step = (time) => {
    if (isOver) return;
    const part = Math.min(1, Math.max(0, (time - begin) / COUNT_MS));
    for (const [{ element, text }, was] of counting) element.textContent = part < 1 ? between(was.text, text, part) : text;
    if (part < 1 && view.isConnected) requestAnimationFrame(step);
  };
  if (counting.length) requestAnimationFrame(step); // rings come first
  return () => {
    step(Infinity);
    isOver = true;
  };
}

function isSame(one, other) {
  return Math.hypot(one.at.x - other.at.x, one.at.y - other.at.y) < NEAR_PX && form(one.text) === form(other.text);
}

/** A text between two of the same form. */
function between(from, to, part) {
  return joinNumbers(from, to, (first, last) => {
    const [one, other] = [first, last].map((number) => Number(number.replace("−", "-")));
    return String(Math.round(one + (other - one) * part)).replace("-", /[-−]|$/.exec(first + last)[0]);
  });
}

const form = (text) => text.replace(NUMBER, "#");

/** Where a text is written on the screen, however long it is. */
function origin(element) {
  const [x, y] = ["x", "y"].map((name) => Number(element.getAttribute(name)));
  return new DOMPoint(x, y).matrixTransform(element.getScreenCTM());
}
