// How moves are pointed at (domain/engine/touch.py); a page has room for all names.

/** The `ways` of `legal-moves?touch=true`; a path names touches. */
export class Tree {
  constructor(ways) {
    this.ways = ways.flatMap((each, move) => each.map((touches) => ({ move, touches })));
  }

  /** The ways that begin like a path. */
  along(path) {
    return this.ways.filter(({ touches }) => path.every((name, depth) => touches[depth] === name));
  }

  /** The numbers of the moves to which a path leads. */
  left(path) {
    return [...new Set(this.along(path).map(({ move }) => move))];
  }

  /** All touches that can come next. */
  open(path) {
    return [...new Set(this.along(path).map(({ touches }) => touches[path.length]).filter(Boolean))];
  }

  /** The same with only those ways that come to this name after a path. */
  through(name, path) {
    const narrowed = Object.create(this);
    narrowed.ways = this.along(path).filter(({ touches }) => touches.indexOf(name) >= path.length);
    return narrowed;
  }
}

export class Hand {
  /** What a former one touched stays so as far as it can. */
  constructor(tree, former) {
    this.all = tree;
    this.clear();
    if (former?.before.length) former.path.every((name) => this.path.includes(name) || (this.open.includes(name) && this.touch(name)));
  }

  clear() {
    Object.assign(this, { tree: this.all, path: [], before: [] });
    this.settle();
  }

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
    return this.move === null ? this.path : this.tree.along(this.path)[0].touches;
  }

  /** Touch what can come next, or in the place of an earlier touch, or later; false for all else. */
  touch(name) {
    for (let kept = this.path.length; kept >= 0; kept--) {
      const path = this.path.slice(0, kept);
      const tree = kept === this.path.length ? this.tree : this.all;
      if (tree.open(path).includes(name)) return this.go(tree, this.path[kept] === name ? path : [...path, name]);
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
