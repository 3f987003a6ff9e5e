// Elements of pictures, and where they are on the screen.

const SVG = "http://www.w3.org/2000/svg";

export function createSvg(tag, attributes = {}) {
  return setAttributes(document.createElementNS(SVG, tag), attributes);
}

export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** The transform that puts a child of one element to the place of another. */
export function matrix(parent, other) {
  const { a, b, c, d, e, f } = parent.getScreenCTM().inverse().multiply(other.getScreenCTM());
  return `matrix(${[a, b, c, d, e, f]})`;
}

export function minBy(items, size) {
  return items.reduce((best, item) => (best && size(best) <= size(item) ? best : item), undefined);
}

export function distance(element, [x, y]) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

export function center(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

export function side(element) {
  const { width, height } = element.getBoundingClientRect();
  return Math.min(width, height);
}

export function area(element) {
  const { width, height } = element.getBoundingClientRect();
  return width * height;
}

/** Whether a shape is an open line, which is touched along it and not in the area that it bends around. */
export function isLine(shape) {
  return shape.getAttribute("fill") === "none" && /[^Zz]$/.test(shape.getAttribute("d") ?? "Z");
}

/** The attribute of a shape, or of what is around it: unlike a computed colour, it follows the theme. */
export const inherited = (shape, name) => shape.closest(`[${name}]`)?.getAttribute(name) ?? "";
