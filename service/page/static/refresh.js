// Refreshes parts of a page: requests the page again and patches the differences.

import { getPage, persistent } from "./api.js";
import { Idiomorph } from "./vendor/idiomorph.js";
import { localizeTimes } from "./words.js";

const DELAY_MS = 700;
const AIMED_AT = ":hover, :focus-within";
const waiting = new Map();
const readers = new Map();

/** Refresh the elements with these ids; whether the page still has all of them. Throws a Problem. */
export async function refresh(...ids) {
  const now = await getPage();
  return ids
    .map((id) => {
      const [old, fresh] = [document.getElementById(id), now.getElementById(id)];
      if (!old || !fresh) return false;
      localizeTimes(fresh);
      Idiomorph.morph(old, fresh, { callbacks: { beforeAttributeUpdated: (name) => name !== "open" } }); // visitors open and close
      return true;
    })
    .every(Boolean);
}

/** The same soon, once for several calls; while one aims at something in it, nothing moves, nor on a hidden page. */
export function refreshSoon(id) {
  if (waiting.has(id)) return;
  waiting.set(id, setTimeout(run, DELAY_MS * (1 + Math.random())));

  function run() {
    if (document.hidden) return document.addEventListener("visibilitychange", run, { once: true });
    if (document.getElementById(id)?.matches(AIMED_AT)) return waiting.set(id, setTimeout(run, DELAY_MS));
    waiting.delete(id);
    if (!readers.has(id)) readers.set(id, persistent(() => refresh(id)));
    readers.get(id)();
  }
}
