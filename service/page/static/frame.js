// Shared by all pages: local times, the language, and my turns.

import { me } from "./api.js";
import { prefs } from "./prefs.js";
import { localizeTimes } from "./words.js";
import { watchTurns } from "./turns.js";

const YEAR_S = 31_536_000;
const MINUTE_MS = 60_000;

/** Show pages in a language from now on. */
export function chooseLanguage(language) {
  document.cookie = `annals_language=${language}; path=/; max-age=${YEAR_S}; samesite=lax`;
  const address = new URL(location.href);
  address.searchParams.delete("language");
  history.replaceState(null, "", address);
  location.reload();
}

document.addEventListener("click", (event) => {
  const chosen = event.target.closest("a[data-language-choice]");
  if (!chosen) return;
  event.preventDefault();
  chooseLanguage(chosen.dataset.languageChoice);
});

// After "back" a cached page does not know who has signed in since.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
for (const note of document.querySelectorAll("#guest")) note.hidden = prefs.get("guest") !== me;
localizeTimes(document);
setInterval(() => localizeTimes(document), MINUTE_MS);
if (me) watchTurns();
if (me && prefs.get("push") === me) import("./push/push.js").then(({ renew }) => renew()).catch(() => {}); // the next page tries again
