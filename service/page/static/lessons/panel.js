// The panel of a lesson: its steps one at a time, and rings around what they are about.

import { get, persistent, root, send } from "../api.js";
import { $, attempt, confirmed, fill } from "../dom.js";
import { ruleLink } from "../match/log.js";
import { createSvg, matrix } from "../match/picture/shapes.js";
import { t } from "../words.js";

const table = $("match");
const panel = $("lesson");
const path = `v1/matches/${table.dataset.match}`;
const buttons = Object.fromEntries([...panel.querySelectorAll("button")].map((one) => [one.dataset.lesson, one]));

let lesson; // as it is at a version of the match
let shown = 0; // which of its open steps

const read = persistent(async () => {
  const { data } = await get(`${path}/lesson`);
  if (data.version < (lesson?.version ?? 0)) return;
  const isSame = lesson?.steps[0]?.number === data.steps[0]?.number;
  lesson = data;
  if (!isSame) shown = 0;
  render();
});

function render() {
  const step = lesson.steps[shown];
  panel.hidden = !step;
  if (step) {
    $("lesson-at").textContent = t("lesson_at", { number: step.number, count: lesson.count });
    const rule = step.rule && ruleLink(table.dataset.game, step.rule);
    const text = lesson.off_course && step.task ? t("lesson_off_course") : step.text;
    fill("lesson-text", [text, " ", rule]);
    const isFocused = panel.contains(document.activeElement);
    buttons.earlier.hidden = shown === 0;
    buttons.later.hidden = step.task;
    buttons.skip.hidden = table.dataset.status !== "active" || step.number === lesson.count;
    if (isFocused && !document.activeElement.checkVisibility()) panel.focus({ preventScroll: true });
  }
  ring(step?.look ?? []);
}

/** Draw rings around things in the pictures. */
function ring(names) {
  for (const old of document.querySelectorAll(".look")) old.remove();
  for (const view of document.querySelectorAll(".view")) {
    const things = [...view.querySelectorAll("[data-panel] [data-at]")].filter(({ dataset }) => names.includes(dataset.at));
    for (const thing of things) {
      const { x, y, width, height } = thing.getBBox();
      const box = { x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 6, transform: matrix(view, thing) };
      view.append(createSvg("g", { class: "look" }));
      view.lastChild.append(createSvg("rect", box), createSvg("rect", box));
    }
  }
}

const actions = {
  earlier: () => (shown -= 1),
  later: () => (shown += 1),
  skip: async () => {
    if (!(await confirmed(t("lesson_skip_ends"), buttons.skip.title))) return;
    await send("DELETE", path);
    location.href = root;
  },
};

panel.addEventListener("click", ({ target }) => {
  const action = target.closest("button")?.dataset.lesson;
  if (action && lesson) attempt(() => actions[action]()).then(render);
});
/** Show the lesson as it is at the version of the page, around the pictures of that version. */
function update() {
  if (Number(table.dataset.version) > (lesson?.version ?? 0)) read();
  else render();
}

new MutationObserver(update).observe(table, { attributeFilter: ["data-version", "data-ready", "data-status"] });
update();
