// What every page does: times as they are here, the language, and whether it is one's turn.

import { me } from "./api.js";
import { dated } from "./words.js";
import { watchTurns } from "./turns.js";

const YEAR_S = 31_536_000;
const MINUTE_MS = 60_000;

/** Let pages come in a language from now on. */
export function choose(language) {
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
  choose(chosen.dataset.languageChoice);
});

// A page that the browser kept, shown again by "back", does not know who has signed in since.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
dated(document);
setInterval(() => dated(document), MINUTE_MS);
if (me) watchTurns();
