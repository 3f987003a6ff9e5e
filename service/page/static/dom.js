// Elements: made, changed into others, and shown to people for a moment.

import { Problem, language } from "./api.js";
import { t } from "./words.js";

const SHOWN_MS = 6_000;

/** An element: attributes by name, `onclick` and its like as functions; children as text or nodes. */
export function h(tag, attrs = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (there(value)) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter(there));
  return made;
}

const there = (one) => one !== false && (one ?? null) !== null;

/** Say something for some seconds: words, or what is wrong. */
export function toast(said) {
  const wrong = said instanceof Error;
  const hide = () => shown.remove();
  const shown = h("p", { class: wrong ? "toast wrong" : "toast", onclick: hide }, wrong ? words(said) : said);
  document.getElementById("toasts").append(shown);
  setTimeout(hide, SHOWN_MS);
}

/** Let the address of this page be sent to others, in the way that this device has. */
export async function share() {
  if (navigator.share) return await navigator.share({ url: location.href, title: document.title });
  if (!navigator.clipboard) return prompt(t("share"), location.href);
  await navigator.clipboard.writeText(location.href);
  toast(t("link_copied"));
}

/** What is wrong, for people: in their language, and in detail as far as that is told in it. */
export function words(problem) {
  if (!(problem instanceof Problem)) return t("broken");
  if (problem.status === 0) return t("no_connection");
  const faults = problem.errors.map((one) => one.detail).join(" ") || problem.detail;
  return ((language === "en" || problem.rule) && faults) || problem.title || t("broken");
}

/**
 * Ask something, with a button for each answer `{value, says, kind?}`; the value of the one that is
 * chosen, or null if it was closed.
 */
export function ask(question, buttons) {
  return new Promise((answer) => {
    const box = h(
      "dialog",
      { class: "ask", onclose: () => (box.remove(), answer(chosen)) },
      question instanceof Node ? question : h("p", {}, question),
      h("div", { class: "row" }, buttons.map(({ value, says, kind = "" }) =>
        h("button", { type: "button", class: kind, onclick: () => ((chosen = value), box.close()) }, says),
      )),
    );
    let chosen = null;
    document.body.append(box);
    box.showModal();
  });
}

/** Ask whether to do something that is not to be undone. */
export function sure(question, says) {
  return ask(question, [
    { value: true, says, kind: "grave" },
    { value: false, says: t("cancel") },
  ]);
}

/** Do something, or say why it cannot be done; whether it was. */
export async function attempt(deed) {
  try {
    await deed();
    return true;
  } catch (problem) {
    if (problem.name !== "AbortError") toast(problem); // nothing was shared after all
    return false;
  }
}

/** Let each button do the deed that its `data-do` names, with its other data, and then `after`. */
export function buttons(deeds, after) {
  document.addEventListener("click", ({ target }) => {
    const { dataset } = target.closest("button") ?? {};
    if (dataset?.do in deeds) attempt(() => deeds[dataset.do](dataset).then(after));
  });
}
