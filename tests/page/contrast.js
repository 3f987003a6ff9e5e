// How clear letters and seats are in pictures, measured from pixels: of each letter, the contrast
// with what it stands on; of each shape in the colour of a seat, that with what is around it; of the
// spaces of a board in high contrast, that of the lines between them.
// A moment has a picture in each theme: these differ only in their colours; the seats have theirs in
// the first one.
async ([moments, themes, seats, fonts]) => {
  const SHAPES = "[fill]:not(text, style)";
  const SPACES = "[pointer-events=all] > rect[data-at]";
  const SHARP = ["contrast", "print"];
  const TO_LINE = 9; // pixels of a way, from beyond the edge of a space
  const LINEAR = Array.from({ length: 256 }, (_, part) => linear(part / 255));
  const faint = new Map();
  document.body.style.margin = 0;
  document.head.innerHTML = `<style>${fonts}</style>`;
  for (const font of ["700 9px Roboto", "9px Roboto"]) await document.fonts.load(font);
  for (const [at, pictures] of moments.entries()) {
    const svgs = pictures.map((picture, n) => read(picture, themes[n]));
    document.body.replaceChildren(svgs[0]);
    const boxes = textsOf(svgs[0]).map((one) => one.getBoundingClientRect());
    const ways = shapesOf(svgs[0]).map((one) => (isOfSeat(one, seats[at]) ? waysInto(one.getBoundingClientRect()) : null));
    const edges = [...svgs[0].querySelectorAll(SPACES)].map((one) => waysInto(one.getBoundingClientRect()).map((way) => way.slice(0, TO_LINE)));
    const painted = await paint([...svgs.flatMap((svg) => [bare(svg), svg]), onlyLetters(svgs[0])]);
    const letters = painted.at(-1);
    const clear = boxes.map((box) => pixels(box).filter((p) => letters(p) < LINEAR[60]));
    for (const [n, svg] of svgs.entries()) {
      document.body.replaceChildren(svg);
      const [ground, whole] = painted.slice(2 * n);
      textsOf(svg).forEach((text, k) => {
        const own = light(getComputedStyle(text).fill.match(/[\d.]+/g));
        const contrasts = clear[k].map((p) => contrast(own, ground(p)));
        if (contrasts.length) note(`${themes[n]}: ${text.textContent} ${text.getAttribute("fill")}`, quantile(contrasts, 0.1), "letter");
      });
      shapesOf(svg).forEach((shape, k) => {
        const ofSeat = ways[k]?.map((way) => clearest(way.map(whole)));
        if (ofSeat) note(`${themes[n]}: ${shape.tagName} ${shape.getAttribute("fill")}`, quantile(ofSeat, 0.5), "seat");
      });
      const lines = edges.map((around) => quantile(around.map((way) => clearest(way.map(whole))), 0.5));
      if (SHARP.includes(themes[n]) && lines.length) note(`${themes[n]}: spaces`, quantile(lines, 0.1), "space");
    }
  }
  return [...faint.values()];

  /** A picture with names that those of other themes do not have. */
  function read(picture, theme) {
    document.body.innerHTML = picture.replace(/( id="|url\(#|href="#)/g, `$1${theme}-`);
    return document.body.firstElementChild;
  }

  function textsOf(svg) {
    return [...svg.querySelectorAll("text")].filter((one) => one.textContent.trim());
  }

  function shapesOf(svg) {
    return [...svg.querySelectorAll(SHAPES)];
  }

  function isOfSeat(shape, colours) {
    return colours.includes(shape.getAttribute("fill")) && !shape.closest("defs");
  }

  function note(what, value, kind) {
    const known = faint.get(what);
    if (!known || value < known.value) faint.set(what, { kind, what, value });
  }

  /** The pixels from each side of a box, and a little before it, to its middle. */
  function waysInto({ left, right, top, bottom }) {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const [wide, high] = [x - left, y - top];
    const ways = [[left, y, 1, 0, wide], [right, y, -1, 0, wide], [x, top, 0, 1, high], [x, bottom, 0, -1, high]];
    return ways.map(([fromX, fromY, dx, dy, far]) => Array.from({ length: 5 + Math.ceil(far) }, (_, step) => [Math.round(fromX + (step - 5) * dx), Math.round(fromY + (step - 5) * dy)]));
  }

  /** The largest contrast with the first of these lights. */
  function clearest(lights) {
    return Math.max(...lights.map((one) => contrast(lights[0], one)));
  }

  /** The picture without its letters, but with what is around them. */
  function bare(svg) {
    const copy = svg.cloneNode(true);
    for (const text of copy.querySelectorAll("text")) text.setAttribute("fill", "none");
    return copy;
  }

  function onlyLetters(svg) {
    const copy = svg.cloneNode(true);
    copy.insertAdjacentHTML("beforeend", "<style>#letters *{fill:none!important;stroke:none!important}#letters text{fill:#000!important}</style>");
    copy.id = "letters";
    return copy;
  }

  /** The light of pixels of pictures of one size. In a single image, because each one loads the fonts again. */
  async function paint(svgs) {
    const { width, height } = document.body.firstElementChild.getBoundingClientRect();
    const stack = svgs[0].cloneNode(false);
    for (const [name, value] of Object.entries({ width, height: height * svgs.length, viewBox: `0 0 ${width} ${height * svgs.length}` })) stack.setAttribute(name, value);
    stack.insertAdjacentHTML("afterbegin", `<style>${fonts}</style>`);
    svgs.forEach((svg, at) => {
      const copy = stack.appendChild(svg.cloneNode(true));
      for (const [name, value] of Object.entries({ x: 0, y: at * height, width, height })) copy.setAttribute(name, value);
    });
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(stack)], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.fillStyle = "#fff";
    context.fillRect(0, 0, image.width, image.height);
    context.drawImage(image, 0, 0);
    URL.revokeObjectURL(image.src);
    return svgs.map((_, at) => {
      const { data } = context.getImageData(0, at * height, width, height);
      return ([x, y]) => {
        const start = 4 * (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x)));
        return light([data[start], data[start + 1], data[start + 2]]);
      };
    });
  }

  function pixels({ left, right, top, bottom }) {
    const found = [];
    for (let y = Math.floor(top); y < bottom; y++) for (let x = Math.floor(left); x < right; x++) found.push([x, y]);
    return found;
  }

  function quantile(values, share) {
    return values.sort((one, other) => one - other)[Math.floor(values.length * share)];
  }

  /** The contrast of two lights. */
  function contrast(one, other) {
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  }

  /** The light of a colour, from 0 to 1. */
  function light([red, green, blue]) {
    return 0.2126 * LINEAR[red] + 0.7152 * LINEAR[green] + 0.0722 * LINEAR[blue];
  }

  function linear(part) {
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }
};
