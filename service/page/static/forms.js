// Says at a field of a form why it is refused, and what would be valid there.

import { attempt, explain, h, toast } from "./dom.js";

let marks = 0;

/** Run the action of a form, and show at its fields what is wrong with them; whether it succeeded. */
export function attemptForm(form, action) {
  form.querySelectorAll(".fault").forEach((fault) => fault.remove());
  return attempt(action, (problem) => {
    const wrong = [...form.querySelectorAll("[data-concerns]")].filter((field) => concerns(field, problem) && !field.closest("[hidden]"));
    wrong.forEach((field) => mark(field, problem));
    if (!wrong.length) return toast(problem);
    (wrong[0].querySelector("select") ?? wrong[0]).focus();
  });
}

/** Whether a problem is about a field: its `data-concerns` has pointers into the body, and codes of problems. */
function concerns({ dataset }, problem) {
  return dataset.concerns.split(" ").some((one) => one === problem.code || pointsAt(problem, one));
}

const pointsAt = ({ errors = [] }, place) => errors.some(({ pointer = "" }) => `${pointer}/`.startsWith(`${place}/`));

/** Mark a field, or each of a list, until the visitor changes it. */
function mark(field, problem) {
  const isList = field.matches("details");
  const { concerns: known, fault, hint } = field.dataset;
  const words = known.split(" ").includes(problem.code) ? [explain(problem), hint] : [fault];
  const text = h("p", { class: "fault", id: `fault-${++marks}` }, words.filter(Boolean).join(" "));
  const fields = isList ? [...field.querySelectorAll("select")] : [field];
  (isList ? field.querySelector("summary") : field.closest("label")).after(text);
  for (const one of fields) {
    one.setAttribute("aria-invalid", "true");
    one.setAttribute("aria-describedby", text.id);
  }
  if (isList) field.open = true;
  const unmark = () => {
    text.remove();
    for (const one of fields) for (const name of ["aria-invalid", "aria-describedby"]) one.removeAttribute(name);
  };
  field.addEventListener("input", unmark, { once: true });
}
