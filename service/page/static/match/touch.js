// Pointing at moves by touches (see domain/engine/touches.py).

/** The `ways` of `legal-moves?touch=true`; a path is a list of touches. */
export class TouchTree {
  constructor(ways) {
    this.ways = [];
    this.wanted = []; // names that all ways have
    this.add(ways, 0);
  }

  /** Add ways to the moves from this number on. */
  add(ways, first) {
    this.ways.push(...ways.flatMap((each, move) => each.map((touches) => ({ move: first + move, touches }))));
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

  /** A tree of only the ways that have this name after a path: of each move, those that have it first. */
  through(name, path) {
    const narrowed = Object.create(this);
    const place = ({ touches }) => touches.indexOf(name);
    const found = this.along(path).filter((way) => place(way) >= path.length);
    narrowed.ways = found.filter((way) => !found.some((other) => other.move === way.move && place(other) < place(way)));
    narrowed.wanted = [...this.wanted, name];
    return narrowed;
  }
}

/** The touches so far. */
export class Selection {
  /** Repeats the touches of a previous selection as far as possible. If it waits, the player makes the first touch. */
  constructor(tree, previous, waits) {
    Object.assign(this, { all: tree, waits });
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

  /**
   * The next touches, and of these lists of names, such as all in the picture and those on its map, the first that each
   * way has: a player may begin there.
   */
  offers(lists) {
    const left = this.tree.along(this.path).map(({ touches }) => touches.slice(this.path.length));
    const later = lists.flatMap((names) => left.map((way) => way.find((name) => names.has(name) && !this.tree.wanted.includes(name))));
    return this.move === null ? [...new Set([...this.open, ...later])].filter(Boolean) : [];
  }

  /** The number of the chosen move, or null. */
  get move() {
    const moves = this.tree.moves(this.path);
    return moves.length === 1 && !this.isWaiting ? moves[0] : null;
  }

  get isWaiting() {
    return this.waits && this.tree === this.all && !this.path.length;
  }

  /** A next touch, and what it implies of its kind: the rest of its way, if that is the only one. */
  rest(name) {
    const path = [...this.path, name];
    const [way, other] = this.tree.along(path);
    const kind = name.split(":")[0];
    return [name, ...(way && !other ? way.touches.slice(path.length).filter((one) => one.split(":")[0] === kind) : [])];
  }

  /** The touches so far, and later ones that were touched first. */
  get named() {
    return [...new Set([...this.path, ...this.tree.wanted])];
  }

  /** The same; for a chosen move its whole way. */
  get chosen() {
    return this.move === null ? this.named : this.tree.along(this.path)[0].touches;
  }

  /**
   * Touch a next name, or one that replaces an earlier touch, or a later one, also of another move than the chosen one;
   * the same again takes it back. Else false.
   */
  touch(name) {
    for (let kept = this.path.length; kept >= 0; kept--) {
      const path = this.path.slice(0, kept);
      const tree = kept === this.path.length ? this.tree : this.all;
      if (tree.open(path).includes(name)) return this.go(tree, this.path[kept] === name ? path : [...path, name]);
    }
    if (this.tree.wanted.includes(name)) return this.drop(name);
    const paths = this.move === null ? [this.path] : [this.path, []];
    for (const path of paths) {
      const narrowed = [this.tree, this.all].map((tree) => tree.through(name, path)).find(({ ways }) => ways.length);
      if (narrowed) return this.go(narrowed, path);
    }
    return false;
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
    while (!this.isWaiting && this.move === null && this.open.length === 1) this.path = [...this.path, ...this.open];
  }
}
