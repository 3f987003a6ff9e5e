// The sheet at the bottom of a small screen has three heights: a tap or a finger on its grip changes them.

const HEIGHTS = { low: 0.2, half: 0.4, full: 0.9 }; // shares of the screen
const DRAG_PX = 8; // a shorter movement is a tap
const names = Object.keys(HEIGHTS);
const [bar, grip, stage, own] = ["bar", "grip", "stage", "own"].map((id) => document.getElementById(id));
let from, share; // where a finger began, and how high it is while it drags

/** Change the height: a line and the buttons, a part, or most of it. */
export function changeSheet() {
  if (share === undefined) setHeight(names[(names.indexOf(bar.dataset.sheet ?? "half") + 1) % names.length]);
  share = undefined;
}

function setHeight(name) {
  bar.dataset.sheet = name;
  grip.ariaExpanded = name !== "low";
}

/** What half its height leaves below the hand, which then is in sight. */
const leaveRoom = new ResizeObserver(() => {
  bar.style.setProperty("--room", `${innerHeight - own.offsetTop - own.offsetHeight}px`);
});
for (const one of [stage, own]) leaveRoom.observe(one);

grip.addEventListener("pointerdown", ({ pointerId, clientY }) => {
  [from, share] = [clientY, undefined];
  grip.setPointerCapture(pointerId);
});
grip.addEventListener("pointermove", ({ clientY }) => {
  if (from === undefined || (share === undefined && Math.abs(clientY - from) < DRAG_PX)) return;
  share = Math.min(1 - clientY / innerHeight, HEIGHTS.full);
  bar.style.setProperty("--dragged", `${100 * share}dvh`);
  bar.dataset.sheet = "dragged";
});
for (const kind of ["pointerup", "pointercancel"]) {
  grip.addEventListener(kind, () => {
    from = undefined;
    if (share !== undefined) setHeight(names.reduce((best, name) => (apart(name) < apart(best) ? name : best)));
  });
}

const apart = (name) => Math.abs(HEIGHTS[name] - share);
