// How moves are pointed at: the ways to them, narrowed touch by touch. The same tree as that of the
// service (domain/engine/touch.py), and what a hand does with it.

export const MOST = 25; // from more names than this nobody should have to choose

/** Moves by the ways to them; a path into the tree names touches, and parts on the way there. */
export class Tree {
  /** As `legal-moves?touch=true` has them: for each move its `ways`, and the `parts` of names. */
  constructor(ways, parts) {
    this.ways = ways.flatMap((each, move) => each.map((touches) => ({ move, touches })));
    this.within = new Map(parts.flatMap(({ part, holds }) => holds.map((name) => [name, part])));
  }

  /** The moves, by their numbers, to which a path leads. */
  left(path) {
    return [...new Set(this.walked(path).ways.map(({ move }) => move))];
  }

  /** What can be named next: touches, or parts if there are more of those than MOST. */
  choices(path) {
    const names = this.open(path);
    const { part } = this.walked(path);
    const ladders = names.map((name) => below(part, this.ladder(name)));
    const longest = Math.max(0, ...ladders.map((ladder) => ladder.length));
    let shown = names;
    for (let level = 1; level < longest && shown.length > MOST; level++) {
      shown = [...new Set(ladders.map((ladder) => ladder.slice(0, level + 1).at(-1)))];
    }
    return shown;
  }

  /** All that can be touched next, however much it is. */
  open(path) {
    const { ways, depth } = this.walked(path);
    return [...new Set(ways.map(({ touches }) => touches[depth]).filter(Boolean))];
  }

  /** The same with only those ways that come to this name after a path. */
  through(name, path) {
    const { ways, depth } = this.walked(path);
    const narrowed = Object.create(this);
    narrowed.ways = ways.filter(({ touches }) => touches.indexOf(name) >= depth);
    return narrowed;
  }

  /** The name, the part it belongs to, the part that this belongs to, and so on. */
  ladder(name) {
    const steps = [];
    for (let step = name; step !== undefined; step = this.within.get(step)) steps.push(step);
    return steps;
  }

  /** The ways that are left, how many touches they have in common, and the part last named. */
  walked(path) {
    let { ways } = this;
    let depth = 0;
    let part = null;
    for (const name of path) {
      const touched = ways.filter(({ touches }) => touches[depth] === name);
      if (touched.length) {
        [ways, depth, part] = [touched, depth + 1, null];
      } else {
        ways = ways.filter(({ touches }) => depth < touches.length && this.ladder(touches[depth]).includes(name));
        part = name;
      }
    }
    return { ways, depth, part };
  }
}

function below(part, ladder) {
  return ladder.includes(part) ? ladder.slice(0, ladder.indexOf(part)) : ladder;
}

/** A hand that points: what it has touched so far, and how to take it back. */
export class Hand {
  constructor(tree) {
    this.all = tree;
    this.clear();
  }

  clear() {
    this.tree = this.all;
    this.path = [];
    this.before = [];
    this.settle();
  }

  /** All that can be touched next; nothing once a move is chosen. */
  get open() {
    return this.move === null ? this.tree.open(this.path) : [];
  }

  /** The number of the move that is chosen, or null. */
  get move() {
    const left = this.tree.left(this.path);
    return left.length === 1 ? left[0] : null;
  }

  /** The touches so far; of a move that is chosen, those of its whole way. */
  get chosen() {
    const { ways, depth } = this.tree.walked(this.path);
    return ways[0].touches.slice(0, this.move === null ? depth : undefined);
  }

  /**
   * Touch something: what can come next, what could have come in the place of an earlier touch, or
   * what comes later; then only what goes with it stays open. False if nothing goes with it.
   */
  touch(name) {
    for (let kept = this.path.length; kept >= 0; kept--) {
      const path = this.path.slice(0, kept);
      const tree = kept === this.path.length ? this.tree : this.all;
      if (tree.open(path).includes(name) || tree.choices(path).includes(name)) {
        const again = path.length < this.path.length && this.path[path.length] === name;
        return again ? this.go(tree, path) : this.go(tree, [...path, name]);
      }
    }
    const narrowed = this.tree.through(name, this.path);
    return narrowed.ways.length > 0 && this.go(narrowed, this.path);
  }

  /** Take the last touch back; false if there is none. */
  back() {
    const last = this.before.pop();
    if (last) [this.tree, this.path] = last;
    return Boolean(last);
  }

  go(tree, path) {
    this.before.push([this.tree, this.path]);
    [this.tree, this.path] = [tree, path];
    this.settle();
    return true;
  }

  /** Go on by what has to come next. */
  settle() {
    while (this.move === null && this.open.length === 1) this.path = [...this.path, ...this.open];
  }
}
