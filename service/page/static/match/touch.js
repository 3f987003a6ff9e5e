// Pointing at moves by touches (see domain/engine/touches.py).

/** The `ways` of `legal-moves?touch=true`; a path is a list of touches. */
export class TouchTree {
  constructor(ways) {
    this.ways = ways.flatMap((each, move) => each.map((touches) => ({ move, touches })));
    this.wanted = []; // names that all ways have
  }

  /** The ways that begin with a path. */
  along(path) {
    return this.ways.filter(({ touches }) => path.every((name, depth) => touches[depth] === name));
  }

  /** The numbers of the moves that a path can lead to. */
  moves(path) {
    return [...new Set(this.along(path).map(({ move }) => move))];
  }

  /** All possible next touches. */
  open(path) {
    return [...new Set(this.along(path).map(({ touches }) => touches[path.length]).filter(Boolean))];
  }

  /** A tree of only the ways that have this name after a path. */
  through(name, path) {
    const narrowed = Object.create(this);
    narrowed.ways = this.along(path).filter(({ touches }) => touches.indexOf(name) >= path.length);
    narrowed.wanted = [...this.wanted, name];
    return narrowed;
  }
}

/** The touches so far. */
export class Selection {
  /** Repeats the touches of a previous selection as far as possible. */
  constructor(tree, previous) {
    this.all = tree;
    this.clear();
    if (previous?.before.length) this.repeat(previous);
  }

  repeat({ path, tree }) {
    const kept = path.every((name) => this.path.includes(name) || (this.open.includes(name) && this.touch(name)));
    if (kept) tree.wanted.every((name) => this.path.includes(name) || this.touch(name));
  }

  clear() {
    Object.assign(this, { tree: this.all, path: [], before: [] });
    this.complete();
  }

  get open() {
    return this.move === null ? this.tree.open(this.path) : [];
  }

  /** The number of the chosen move, or null. */
  get move() {
    const moves = this.tree.moves(this.path);
    return moves.length === 1 ? moves[0] : null;
  }

  /** The touches so far, and later ones that were touched first. */
  get named() {
    return [...new Set([...this.path, ...this.tree.wanted])];
  }

  /** The same; for a chosen move its whole way. */
  get chosen() {
    return this.move === null ? this.named : this.tree.along(this.path)[0].touches;
  }

  /** Touch a next name, or one that replaces an earlier touch, or a later one; the same again takes it back. Else false. */
  touch(name) {
    for (let kept = this.path.length; kept >= 0; kept--) {
      const path = this.path.slice(0, kept);
      const tree = kept === this.path.length ? this.tree : this.all;
      if (tree.open(path).includes(name)) return this.go(tree, this.path[kept] === name ? path : [...path, name]);
    }
    if (this.tree.wanted.includes(name)) return this.drop(name);
    const narrowed = [this.tree, this.all].map((tree) => tree.through(name, this.path)).find(({ ways }) => ways.length);
    return Boolean(narrowed) && this.go(narrowed, this.path);
  }

  /** Undo the touch of a later name and what followed. */
  drop(name) {
    while (this.tree.wanted.includes(name)) if (!this.back()) this.clear();
    return true;
  }

  /** Undo the last touch; false if there is none. */
  back() {
    const last = this.before.pop();
    if (last) [this.tree, this.path] = last;
    return Boolean(last);
  }

  /** Touches that others replace, and moves that were chosen, are left for good. */
  go(tree, path) {
    const leads = ([from, begun]) => begun.every((name, depth) => path[depth] === name) && (from === tree ? begun.length < path.length : from.isPrototypeOf(tree));
    this.before = [...this.before, [this.tree, this.path]].filter((one) => leads(one) && one[0].moves(one[1]).length > 1);
    [this.tree, this.path] = [tree, path];
    this.complete();
    return true;
  }

  /** Add touches without an alternative. */
  complete() {
    while (this.move === null && this.open.length === 1) this.path = [...this.path, ...this.open];
  }
}
