// Shows pictures in the layout of the match page, without its scripts, and measures them.

const MAX_CLOSER = 2; // things of a moment that are brought closer
const MAX_TAPS = 5;
const STROKE_PX = 20; // more than a stroke and its corners stand out from a box
const NEAR_PX = 2.5; // pieces that overlap by less are beside each other, and centers that are closer are one
let panels, board;

/** Replace this page by the match page at an address, with only the code that shows pictures. */
async function open(address) {
  const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  const script = page.querySelector("script[src*='match/match.js']").src;
  for (const one of page.querySelectorAll("script")) one.remove();
  const loaded = [...page.querySelectorAll("link[rel=stylesheet]")].map((link) => new Promise((done) => {
    const copy = document.head.appendChild(Object.assign(document.createElement("link"), { rel: "stylesheet", href: link.href }));
    copy.onload = done;
  }));
  await Promise.all(loaded);
  document.body.className = page.body.className;
  document.body.replaceChildren(...page.body.children);
  const here = new URL(".", script);
  const { Panels } = await import(new URL("picture/panels.js", here));
  const { Board } = await import(new URL("picture/board.js", here));
  const id = (name) => document.getElementById(name);
  board = new Board(id("board"));
  const hosts = { map: id("board"), own: id("own"), seat: id("beside"), table: id("beside"), folded: id("folded") };
  window.touched = [];
  panels = new Panels(hosts, (names) => window.touched.push(names), (lamp, x, y) => board.aim(lamp, x, y));
  for (const one of document.querySelectorAll("#offers button, #acts [data-do=back]")) one.hidden = true;
  document.querySelector("[data-do=confirm]").hidden = false;
  document.addEventListener("click", (event) => {
    const control = event.target.closest("a, button, summary");
    if (control) window.touched.push([control.textContent]);
    event.preventDefault();
  }, true);
  await document.fonts.ready;
}

/** Show a picture with a prompt and what a move does; these names can be touched. Returns those that are not there. */
function show(drawn, prompt, does, names) {
  panels.show(drawn);
  board.fit();
  board.resize(...panels.map.size);
  document.getElementById("prompt").textContent = prompt;
  document.getElementById("does").replaceChildren(...does.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  scrollTo(0, 0);
  return panels.light(names, [], { labelOf: String, effectOf: () => "", ruleOf: () => "" });
}

/** The pieces of the map that are crossed out although equal ones stand there in a picture after the move. */
function crossedInVain(after) {
  const { root, picture } = panels.map;
  const crossed = [...root.querySelectorAll(".going g")].map((one) => one.lastElementChild?.matches(".cross"));
  if (!crossed.includes(true)) return [];
  const pieces = [...picture.querySelectorAll("g")].filter((_, at) => crossed[at]).map(lookOf);
  const next = new DOMParser().parseFromString(after, "image/svg+xml").querySelector("[data-panel=map]");
  const now = root.appendChild(document.importNode(next, true));
  now.removeAttribute("transform");
  const others = new Set([...now.querySelectorAll("g")].map(lookOf));
  now.remove();
  return pieces.filter((piece) => others.has(piece));
}

/** The crossed pieces of the map in whose place something else comes: these are hidden. */
function crossedBelow() {
  const parts = [...document.querySelectorAll("#board .coming :is(rect, circle, ellipse, polygon, path, text):not(.ring)")];
  const coming = parts.map((one) => one.getBoundingClientRect());
  return [...document.querySelectorAll("#board .going g:has(> .cross)")].filter((piece) => {
    const box = piece.getBoundingClientRect();
    return coming.some((other) => {
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      return across > NEAR_PX && down > NEAR_PX;
    });
  }).map((piece) => piece.innerHTML);
}

/** The dashed marks of the last turn that a move seems to bring or to take. */
function marksInLayers() {
  const marks = document.querySelectorAll("#board :is(.going, .coming) g > [stroke-dasharray]:last-child, #board :is(.going, .coming) g:has(> [stroke-dasharray]) > .cross");
  return [...marks].filter((one) => one.parentNode.querySelector("[stroke-dasharray][stroke='#ffffff']")).map((one) => one.parentNode.innerHTML);
}

/** The parts of signs that only name something, such as the number of a kingdom, which a move seems to bring, to take or to count. */
function namesThatChange() {
  const parts = document.querySelectorAll("#board .ghosts [data-sign] :is(circle, path, rect, text), #board [data-sign] [visibility]");
  return [...parts].map((one) => one.outerHTML);
}

/** What a piece looks like, and where it is. */
function lookOf(piece) {
  const { a, b, c, d, e, f } = piece.getCTM();
  return piece.innerHTML.replace(/ (class|visibility)="[^"]*"/g, "") + [a, b, c, d, e, f].map((each) => each.toFixed(2));
}

/** The pieces that come to the map without the body around them: only its outline is drawn. */
function bodiless() {
  const parts = (piece) => [...piece.querySelectorAll("rect, circle, ellipse, polygon, path, text")];
  const isLine = (piece) => parts(piece).every((one) => one.matches(".ring") || getComputedStyle(one).fill === "none");
  const hasOutline = (piece) => piece.parentElement.querySelector(":scope > .ground:not([fill=none])");
  const ringed = [...document.querySelectorAll(".coming :has(> .ring)")];
  return ringed.filter((one) => isLine(one) && hasOutline(one)).map((one) => one.innerHTML);
}

/** Draw what a move changes, from the picture after it or none; returns the counts and the crosses by panel. */
function preview(after) {
  panels.preview(after);
  const layers = [...document.querySelectorAll(".changes")];
  return Object.fromEntries(layers.map((layer) => {
    const counts = [...layer.querySelectorAll("text")].map((one) => one.textContent);
    return [layer.closest(".view").dataset.view, [counts, layer.querySelectorAll(".cross").length]];
  }));
}

/**
 * Preview a move while the one before still moves: what `preview` returns, what each of these checks finds then,
 * and what is left once there is no preview.
 */
async function previewWhileMoving(earlier, before, after, checks) {
  for (const drawn of [earlier, before]) {
    show(drawn, "", [], []);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame); // numbers have begun to count
  }
  const shown = preview(after);
  const wrong = { crossedInVain: crossedInVain(after), ...Object.fromEntries(checks.map((name) => [name, window.screens[name]()])) };
  const left = [...Object.keys(preview(null)), ...[...document.querySelectorAll(".view [visibility]")].map((one) => one.outerHTML)];
  return { shown, wrong, left };
}

/** Whether boxes overlap, or are no further apart than this. */
function overlap(one, two, apart = 0) {
  return one.left < two.right + apart && two.left < one.right + apart && one.top < two.bottom + apart && two.top < one.bottom + apart;
}

/** The counts that cover something beside the number in whose place they stand. */
function covering() {
  const box = (one) => one.getBoundingClientRect();
  return [...document.querySelectorAll(".changes > text")].filter((text) => {
    const view = text.closest(".view");
    const isSame = (one) => ["x", "y"].every((name) => one.getAttribute(name) === text.getAttribute(name)) && Math.abs(one.getScreenCTM().e - text.getScreenCTM().e) + Math.abs(one.getScreenCTM().f - text.getScreenCTM().f) < 1;
    const own = [...view.querySelectorAll("[data-panel] text[visibility]")].find(isSame);
    const others = [...view.querySelectorAll("[data-panel] :is(text, rect, circle, path, polygon):not([visibility])")];
    return others.some((one) => overlap(box(one), box(text)) && !overlap(box(one), box(own)));
  }).map((text) => text.textContent);
}

/** What each of these screens shows, as `[width, height]`; of telephones also the things that are brought closer. */
function measure(screens, arePhones) {
  return screens.map((size) => {
    resize(size);
    const found = measureBoxes();
    return arePhones ? { ...found, closer: bringCloser() } : found;
  });
}

/** Show the page on a screen of this size: the frame around it. */
function resize([width, height]) {
  Object.assign(frameElement.style, { width: `${width}px`, height: `${height}px` });
}

/** The boxes on the screen: letters and targets of the panels and of the page, and what is in sight. */
function measureBoxes() {
  board.fit();
  for (const one of [document.documentElement, ...document.querySelectorAll("#board, #bar, #own, #side")]) one.scrollTo(0, 0);
  const parts = { map: "#board > .view", own: "#own", prompt: "#prompt", confirm: "[data-do=confirm]" };
  const seen = Object.entries(parts).map(([name, selector]) => [name, isInSight(document.querySelector(selector))]);
  const { scrollWidth, clientWidth } = document.documentElement;
  return { letters: letters(), targets: targets(), seen: Object.fromEntries(seen), beyond: scrollWidth - clientWidth };
}

/** The smallest letters of each panel, and of the rest of the page. */
function letters() {
  const ofPanels = shownPanels().flatMap((view) => [...view.querySelectorAll("text")].filter((one) => one.textContent.trim()).map((one) => {
    const { a, b } = one.getScreenCTM();
    return { panel: view.dataset.view, what: one.textContent, size: parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b) };
  }));
  const ofPage = [...document.querySelectorAll("body :not(svg, svg *, script)")].filter((one) => hasText(one) && one.checkVisibility())
    .map((one) => ({ panel: "page", what: one.textContent, size: parseFloat(getComputedStyle(one).fontSize) }));
  return smallestOfEach([...ofPanels, ...ofPage]);
}

const shownPanels = () => [...document.querySelectorAll(".view")].filter((one) => one.checkVisibility());
const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
const smallestOfEach = (found) => Object.values(Object.groupBy(found, ({ panel }) => panel)).map((each) => each.reduce((one, other) => (other.size < one.size ? other : one)));

/** What can be touched or pressed; links in a text are as high as its lines. */
function targets() {
  const controls = [...document.querySelectorAll("a:not(p a, .skip), button, summary, select, input")].filter((one) => one.checkVisibility());
  return [...panels.open, ...controls].map((one) => {
    const panel = one.closest(".view")?.dataset.view ?? "page";
    return { panel, what: one.dataset.at ?? one.outerHTML.slice(0, 60), side: sideOf(one), center: center(one) };
  });
}

/** The shorter side of what reacts; a line does so along its width. */
function sideOf(one) {
  const { width, height } = one.getBoundingClientRect();
  const line = one.querySelector(".reach");
  return Math.min(width, height) + (line ? parseFloat(getComputedStyle(line).strokeWidth) : 0);
}

/** Touch the smallest things of the map until they are close enough to choose: their sizes then, and those of the smallest letter. */
function bringCloser() {
  board.fit();
  const [letter] = letters().filter(({ panel }) => panel === "map");
  const small = panels.open.filter((lamp) => board.host.contains(lamp)).sort((one, other) => sideOf(one) - sideOf(other)).slice(0, MAX_CLOSER);
  return small.map((lamp) => {
    board.fit();
    let aimed = false;
    for (let tap = 0; tap < MAX_TAPS && aimAt(lamp); tap += 1) aimed = true;
    return { what: lamp.dataset.at, side: sideOf(lamp), letter: letter.size * board.times, aimed };
  }).filter(({ aimed }) => aimed);
}

function aimAt(lamp) {
  lamp.scrollIntoView({ block: "center", inline: "center" });
  return board.aim(lamp, ...(freePoint(lamp) ?? center(lamp)));
}

/** Whether all of an element is on the screen, and nothing covers its corners. */
function isInSight(element) {
  const { left, top, right, bottom, width } = element.getBoundingClientRect();
  if (!width) return element.id === "own";
  const inside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  const points = [[left + 4, top + 4], [right - 4, top + 4], [left + 4, bottom - 4], [right - 4, bottom - 4]];
  return inside && points.every(([x, y]) => element.contains(document.elementFromPoint(x, y)) || document.elementFromPoint(x, y)?.contains(element));
}

/** Where a person would touch a thing: an uncovered point far from others, the middle if possible. */
function freePoint(lamp) {
  let found;
  for (const [x, y] of freePoints(lamp)) {
    found ??= [x, y];
    if (!AROUND.some(([dx, dy]) => isOther(lamp, x + dx, y + dy))) return [x, y];
  }
  return found;
}

/** The uncovered points of a thing, those near the middle first. */
function* freePoints(lamp) {
  const { left, top, width, height } = lamp.getBoundingClientRect();
  for (const [x, y] of SPOTS) {
    const point = [left + x * width, top + y * height];
    if (lamp.contains(document.elementFromPoint(...point))) yield point;
  }
}

const PARTS = [5, 4, 6, 3, 7, 2, 8, 1, 9].map((part) => part / 10);
const SPOTS = PARTS.flatMap((x) => PARTS.map((y) => [x, y]));
const AROUND = [[-12, 0], [12, 0], [0, -12], [0, 12]];

function isOther(lamp, x, y) {
  const there = document.elementFromPoint(x, y)?.closest(".can-touch, a, button");
  return there && there !== lamp;
}

function center(lamp) {
  const { left, top, width, height } = lamp.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/** Things that can be touched but have no uncovered point; each is scrolled into sight. */
function hidden() {
  return panels.open.filter((lamp) => {
    lamp.scrollIntoView({ block: "center", inline: "center" });
    return freePoints(lamp).next().done;
  }).map((lamp) => lamp.dataset.at);
}

/** The parts of signs above the lights that would take a touch from these. */
function catching() {
  return [...document.querySelectorAll(".above, .above *")].filter((one) => getComputedStyle(one).pointerEvents !== "none").map((one) => one.outerHTML);
}

/** The letters and numbers that the edge of a light around a thing goes through, unless they are drawn above it. */
function crossed() {
  const boxOf = (one) => one.getBoundingClientRect();
  return shownPanels().flatMap((view) => {
    const edges = [...view.querySelectorAll(".lights g:not(:has(.reach)) > .edge")];
    const placeOf = (text) => Object.values(boxOf(text).toJSON()).map(Math.round).join();
    const above = new Set([...view.querySelectorAll(".above text")].map(placeOf));
    const texts = [...view.querySelectorAll("[data-panel] text")].filter((text) => text.textContent.trim() && !above.has(placeOf(text))).map((text) => [text, boxOf(text)]);
    return edges.flatMap((edge) => {
      const [box, inverse] = [boxOf(edge), edge.getScreenCTM().inverse()];
      const near = texts.filter(([, other]) => overlap(box, other, STROKE_PX)); // to ask the browser about each point takes long
      const crosses = near.filter(([, other]) => insideOf(other).some(([x, y]) => edge.isPointInStroke(new DOMPoint(x, y).matrixTransform(inverse))));
      return crosses.map(([text]) => `${edge.parentNode.dataset.at}: ${text.textContent}`);
    });
  });
}

/** Points within the box of a text. */
function insideOf({ left, top, width, height }) {
  return [0.2, 0.4, 0.6, 0.8].flatMap((x) => [0.35, 0.5, 0.65].map((y) => [left + x * width, top + y * height]));
}

/**
 * Touch open things with a finger that misses their middle, by offsets [[x, y], ...] in pixels;
 * returns those for which it took
 * another thing. Things beyond the screen are scrolled to first.
 */
function touchWithScatter(offsets) {
  const wrong = [];
  const names = [...new Set(panels.open.map((one) => one.dataset.at))];
  offsets.forEach((offset, number) => {
    board.fit();
    const name = names[Math.floor((number * names.length) / offsets.length)]; // from all parts of the picture
    window.touched.length = 0;
    for (let tap = 0; tap < MAX_TAPS && !window.touched.length; tap += 1) tapNear(name, offset);
    const [took] = window.touched;
    if (took && String(took) !== name) wrong.push(`${name}: ${took}`);
  });
  return wrong;
}

function tapNear(name, [dx, dy]) {
  const lamp = panels.open.find((one) => one.dataset.at === name);
  lamp.scrollIntoView({ block: "center", inline: "center" });
  const [x, y] = freePoint(lamp) ?? center(lamp);
  const [clientX, clientY] = [x + dx, y + dy];
  const target = document.elementFromPoint(clientX, clientY) ?? document.body;
  const event = { bubbles: true, cancelable: true, clientX, clientY, detail: 1 };
  target.dispatchEvent(new PointerEvent("pointerdown", { ...event, pointerType: "touch" }));
  target.dispatchEvent(new MouseEvent("click", event));
}

/** The part of the map that the lights around its things cover. */
function measureLights() {
  const { root, lights } = panels.map;
  const edges = [...lights.querySelectorAll(".can-touch .edge")].filter((one) => getComputedStyle(one).stroke !== "none");
  const covered = edges.map((one) => one.getTotalLength() * one.getScreenCTM().a * parseFloat(getComputedStyle(one).strokeWidth));
  const dots = [...lights.querySelectorAll(".dot")].map((one) => one.getBoundingClientRect()).map(({ width, height }) => width * height);
  const { width, height } = root.getBoundingClientRect();
  return [...covered, ...dots].reduce((sum, part) => sum + part, 0) / (width * height);
}

window.screens = { open, show, measureLights, previewWhileMoving, bodiless, covering, crossedBelow, marksInLayers, namesThatChange, resize, measure, catching, crossed, hidden, touchWithScatter };
