// How clear letters and seats are in pictures, measured from pixels: of each letter, the contrast
// with what it stands on; of each shape in the colour of a seat, that with what is around it.
async ([pictures, themed, seats, fonts]) => {
  const SHAPES = "[fill]:not(text, style)";
  const faint = new Map();
  for (const [at, picture] of pictures.entries()) {
    document.body.style.margin = 0;
    document.body.innerHTML = picture;
    const named = [...document.querySelectorAll(SHAPES)].map((one) => seats[at].includes(one.getAttribute("fill")) && !one.closest("defs"));
    document.body.innerHTML = themed[at];
    const svg = document.querySelector("svg");
    svg.insertAdjacentHTML("afterbegin", `<style>${fonts}</style>`);
    await document.fonts.load("700 9px Roboto");
    await document.fonts.load("9px Roboto");
    const texts = [...svg.querySelectorAll("text")].filter((one) => one.textContent.trim());
    const boxes = texts.map((one) => one.getBoundingClientRect());
    const fills = texts.map((one) => rgb(getComputedStyle(one).fill));
    const [whole, ground, letters] = [await paint(svg), await paint(bare(svg)), await paint(onlyLetters(svg))];
    texts.forEach((text, n) => {
      const clear = pixels(boxes[n]).filter((p) => letters(p)[0] < 60).map((p) => contrast(fills[n], ground(p)));
      if (clear.length) note(`${text.textContent} ${text.getAttribute("fill")}`, quantile(clear, 0.1), "letter");
    });
    const shapes = [...svg.querySelectorAll(SHAPES)].filter((_, n) => named[n]);
    for (const shape of shapes) {
      const { left, right, top, bottom } = shape.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const [wide, high] = [x - left, y - top];
      const ways = [[left, y, 1, 0, wide], [right, y, -1, 0, wide], [x, top, 0, 1, high], [x, bottom, 0, -1, high]];
      const edges = ways.map(([fromX, fromY, dx, dy, far]) => {
        const along = [...Array(5 + Math.ceil(far)).keys()].map((step) => whole([Math.round(fromX + (step - 5) * dx), Math.round(fromY + (step - 5) * dy)]));
        return Math.max(...along.map((one) => contrast(along[0], one)));
      });
      note(`${shape.tagName} ${shape.getAttribute("fill")}`, quantile(edges, 0.5), "seat");
    }
  }
  return [...faint.values()];

  function note(what, value, kind) {
    const known = faint.get(what);
    if (!known || value < known.value) faint.set(what, { kind, what, value });
  }

  /** The picture without its letters, but with what is around them. */
  function bare(svg) {
    const copy = svg.cloneNode(true);
    for (const text of copy.querySelectorAll("text")) text.setAttribute("fill", "none");
    return copy;
  }

  function onlyLetters(svg) {
    const copy = svg.cloneNode(true);
    copy.insertAdjacentHTML("beforeend", "<style>*{fill:none!important;stroke:none!important}text{fill:#000!important}</style>");
    return copy;
  }

  async function paint(svg) {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.fillStyle = "#fff";
    context.fillRect(0, 0, image.width, image.height);
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const [wide, high] = [image.width - 1, image.height - 1];
    return ([x, y]) => {
      const start = 4 * (Math.min(high, Math.max(0, y)) * (wide + 1) + Math.min(wide, Math.max(0, x)));
      return [data[start], data[start + 1], data[start + 2]];
    };
  }

  function pixels({ left, right, top, bottom }) {
    const found = [];
    for (let y = Math.floor(top); y < bottom; y++) for (let x = Math.floor(left); x < right; x++) found.push([x, y]);
    return found;
  }

  function quantile(values, share) {
    return values.sort((one, other) => one - other)[Math.floor(values.length * share)];
  }

  function rgb(paint) {
    return paint.match(/[\d.]+/g).slice(0, 3).map(Number);
  }

  function contrast(one, other) {
    const [low, high] = [light(one), light(other)].sort((first, second) => first - second);
    return (high + 0.05) / (low + 0.05);
  }

  function light(colour) {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = colour.map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
};
