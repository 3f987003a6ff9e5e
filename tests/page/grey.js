// What in pictures is told apart by its colour alone: pairs of shapes that are drawn alike and have
// the same signs on them, but different colours that are about as light as one another.
// Whatever lies in a part of the picture that names one person is theirs.
// A moment has a picture in each theme: these differ only in their colours.
([moments, people]) => {
  const CLEAR = 3; // contrast of two greys that everybody sees, as WCAG has it for graphics
  const SHAPES = "rect,circle,ellipse,polygon,polyline,path,line";
  const PLACE = ["x", "y", "cx", "cy", "transform", "data-at", "fill", "stroke"];
  const known = new Map(); // looks in grey, by theme and what is drawn
  const confused = new Map();

  for (const pictures of moments) {
    let shapes;
    for (const [theme, picture] of pictures.entries()) {
      document.body.innerHTML = picture;
      const nodes = [...document.querySelectorAll(`${SHAPES},text`)].filter((node) => !node.closest("defs"));
      shapes ??= placed(nodes);
      const paints = nodes.map(colours);
      for (const shape of shapes) note(shape, theme, nodes, paints);
    }
  }
  return [...confused.values()];

  /** The shapes among these nodes, what is on each of them, and a key that those which look alike share. */
  function placed(nodes) {
    const leaves = nodes.map(drawn);
    const parts = leaves.filter(({ tag }) => tag === "rect").map((part) => [part, owner(part, leaves)]).filter(([, name]) => name);
    return leaves.filter(({ tag }) => tag !== "text").map((leaf) => {
      const sign = signOf(leaf.node);
      const on = leaves.filter((other) => other !== leaf && (other.node === sign || inside(other, leaf)));
      on.sort((one, other) => (one.form < other.form ? -1 : 1));
      const whose = parts.filter(([part]) => inside(leaf, part)).map(([, name]) => name);
      return { at: leaf.at, on: on.map(({ at }) => at), key: JSON.stringify([leaf.form, on.map((other) => other.form), whose]) };
    });
  }

  function drawn(node, at) {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return { node, at, tag: node.tagName, left, top, right, bottom, text: node.textContent, form: form(node) };
  }

  /** All of a shape or text but where it stands and what colours it has. */
  function form(node) {
    const kept = [...node.attributes].filter(({ name }) => !PLACE.includes(name)).map(({ name, value }) => `${name}=${value}`);
    const filled = paints(node).map((paint) => (paint === "none" ? paint : pattern(paint).map(form).join(";")));
    return [node.tagName, node.tagName === "text" ? node.textContent : "", ...kept, ...filled].join(" ");
  }

  function colours(node) {
    return paints(node).flatMap((paint) => (pattern(paint).length ? pattern(paint).flatMap(colours) : [paint]));
  }

  function paints(node) {
    const { fill, stroke } = getComputedStyle(node);
    return [fill, stroke];
  }

  /** What the pattern of a paint is made of, if it is one. */
  function pattern(paint) {
    const named = /url\("?#(.*?)"?\)/.exec(paint);
    return named ? [...document.getElementById(named[1]).children] : [];
  }

  function note({ at, on, key }, theme, nodes, paints) {
    const look = { hue: paints[at].join(), greys: [at, ...on].flatMap((each) => paints[each].map(grey)), node: nodes[at] };
    const name = `${theme} ${key}`;
    const alike = known.get(name) ?? known.set(name, []).get(name);
    const same = alike.find((other) => other.hue !== look.hue && !clear(other.greys, look.greys));
    if (same) confused.set(name, [same.node, look.node, ...on.map((each) => nodes[each])].map((one) => one.outerHTML));
    if (!alike.some((other) => other.hue === look.hue)) alike.push(look);
  }

  /** The text of the smallest group around a shape that has one, if it has no other. */
  function signOf(shape) {
    let piece = shape;
    while (!piece.textContent && piece !== document.body) piece = piece.parentNode;
    const texts = [...piece.querySelectorAll("text")].filter((one) => one.textContent);
    return texts.length === 1 ? texts[0] : null;
  }

  /** Who is named in a part of the picture, if it is one person. */
  function owner(part, leaves) {
    const said = leaves.filter((leaf) => leaf.tag === "text" && inside(leaf, part)).map(({ text }) => text);
    const named = people.filter((name) => said.some((text) => text.includes(name)));
    return named.length === 1 ? named[0] : null;
  }

  /** Whether the middle of a thing is on another one that is at least as large. */
  function inside(one, other) {
    const [x, y] = [(one.left + one.right) / 2, (one.top + one.bottom) / 2];
    return area(one) <= area(other) && other.left <= x && x <= other.right && other.top <= y && y <= other.bottom;
  }

  function area({ left, right, top, bottom }) {
    return (right - left) * (bottom - top);
  }

  function clear(some, others) {
    return some.some((one, at) => {
      const [dark, light] = [one, others[at]].sort((first, second) => first - second);
      return dark >= 0 && (light + 0.05) / (dark + 0.05) >= CLEAR;
    });
  }

  /** How light a colour is, from 0 to 1; -1 for none. */
  function grey(paint) {
    const parts = /rgba?\((\d+), (\d+), (\d+)/.exec(paint);
    if (!parts) return -1;
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = parts.slice(1).map((part) => linear(Number(part) / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}
