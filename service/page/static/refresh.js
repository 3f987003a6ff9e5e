// Refreshes parts of a page: requests the page again and patches the differences.

import { getPage } from "./api.js";
import { Idiomorph } from "./vendor/idiomorph.js";
import { localizeTimes } from "./words.js";

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
