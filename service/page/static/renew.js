// Parts of a page as they are now: the page itself is asked again, and what differs is changed.

import { Idiomorph } from "./vendor/idiomorph.js";
import { dated } from "./words.js";

const SOON_MS = 700;
const waiting = new Map();

/** Renew the elements with these ids; whether the page still has all of them. */
export async function renew(...ids) {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return false;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  return ids
    .map((id) => {
      const [old, fresh] = [document.getElementById(id), now.getElementById(id)];
      if (!old || !fresh) return false;
      dated(fresh);
      Idiomorph.morph(old, fresh);
      return true;
    })
    .every(Boolean);
}

/** The same before long, once for all who ask meanwhile; what nobody looks at waits until then. */
export function renewSoon(id) {
  if (waiting.has(id)) return;
  waiting.set(id, setTimeout(run, SOON_MS * (1 + Math.random())));

  function run() {
    if (document.hidden) return document.addEventListener("visibilitychange", run, { once: true });
    waiting.delete(id);
    renew(id).catch(() => {});
  }
}
