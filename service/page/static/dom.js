// Elements, dialogs and messages.

import { Problem, language } from "./api.js";
import { t } from "./words.js";

const TOAST_MS = 6_000;

/** The element with an id. */
export const $ = (id) => document.getElementById(id);

/** Create an element: attributes by name, `onclick` etc. as functions; children as text or nodes. */
export function h(tag, attrs = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (isPresent(value)) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter(isPresent));
  return element;
}

const isPresent = (one) => one !== false && (one ?? null) !== null;

/** Replace the content of an element, or of the one with an id, if it differs. */
export function fill(place, content) {
  const element = place instanceof Element ? place : $(place);
  const next = h("div", {}, content);
  if (next.innerHTML !== element.innerHTML) element.replaceChildren(...next.childNodes);
}

/** Show a message or an error for some seconds, or until the returned function is called; what stands in backticks is code. */
export function toast(message) {
  const wrong = message instanceof Error;
  const hide = () => element.remove();
  const parts = (wrong ? explain(message) : message).split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));
  const element = h("p", { class: wrong ? "toast wrong" : "toast", onclick: hide }, parts);
  $("toasts").append(element);
  setTimeout(hide, TOAST_MS);
  return hide;
}

/** Share the address of this page, as this device does that. */
export async function share(address = location.href, text = undefined) {
  const shared = new URL(address, location.href).href;
  if (navigator.share) return await navigator.share({ url: shared, title: document.title, text });
  if (await copy(shared, t("link_copied"))) return;
  const shown = h("input", { readonly: true, value: shared, onfocus: ({ target }) => target.select() });
  await ask(h("label", {}, h("span", {}, t("copy_link")), shown), [{ value: null, label: t("close") }]);
}

/** Copy a text and say so; whether the browser let this page do that. */
export async function copy(text, said = t("copied")) {
  const done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (done || copySelected(text)) return !!toast(said);
  return false;
}

/** Copy without the clipboard API, which only secure origins have; whether that worked. */
function copySelected(text) {
  const area = h("textarea", { class: "unseen" }, text);
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

/** An error in the visitor's language, in detail if details are translated. */
export function explain(problem) {
  if (!(problem instanceof Problem)) return t("broken");
  if (problem.status === 0) return t("no_connection");
  const faults = problem.errors.map((one) => one.detail).join(" ") || problem.detail;
  return ((language === "en" || problem.rule) && faults) || problem.title || t("broken");
}

/**
 * Show a dialog with a button for each of `{value, label, kind?, focus?}`; resolves to the chosen value, or
 * null if it was closed. A value that is true needs fields in the question to be valid, and Enter in a
 * field chooses it; all others close. The main or grave button comes last; the one with `focus`, or the
 * first, has the focus.
 */
export function ask(question, buttons) {
  return new Promise((resolve) => {
    const box = h(
      "dialog",
      { class: "ask", onclose: () => (box.remove(), resolve(chosen)) },
      h("form", { method: "dialog", onsubmit: ({ submitter }) => (chosen = submitter && buttons[submitter.value].value) },
        question instanceof Node ? question : h("p", {}, question),
        h("div", { class: "row" }, buttons.map(({ value, label, kind = "", focus = false }, place) =>
          h("button", { type: value ? "submit" : "button", value: place, class: kind, autofocus: focus,
            onclick: () => value || box.close() }, label),
        )),
      ),
    );
    let chosen = null;
    document.body.append(box);
    box.showModal();
    box.scrollTop = 0; // the focused button is at the bottom
  });
}

/** Ask the visitor to confirm an action without undo. */
export function confirmed(question, label) {
  return ask(question, [
    { value: false, label: t("cancel") },
    { value: true, label, kind: "grave" },
  ]);
}

/** Show a secret, with a button that copies it, until the visitor has it. */
export async function reveal(text, secret) {
  const copied = await ask(h("div", {}, h("p", {}, text), h("code", { class: "secret" }, secret)), [
    { value: true, label: t("copy") },
    { value: false, label: t("done"), kind: "main" },
  ]);
  if (!copied) return;
  await copy(secret);
  await reveal(text, secret);
}

/** Run an action and show its error; whether it succeeded. */
export async function attempt(action, show = toast) {
  try {
    await action();
    return true;
  } catch (problem) {
    if (problem.name !== "AbortError") show(problem); // sharing was cancelled
    return false;
  }
}

/** Bind each button to the action in its `data-do`, with its other data; run `after` then. */
export function bindButtons(actions, after) {
  document.addEventListener("click", ({ target }) => {
    const { dataset } = target.closest("button") ?? {};
    if (dataset?.do in actions) attempt(() => actions[dataset.do](dataset).then(after));
  });
}
