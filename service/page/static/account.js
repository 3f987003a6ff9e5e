// Becoming somebody: with the next click as a guest, or by a name of one's own.

import { me, send } from "./api.js";
import { t } from "./words.js";

const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"; // none that look alike
const TRIES = 5;

/** Register a player and let this browser be theirs: `{player, token, recovery_codes}`. */
export async function register(name) {
  const { data } = await send("POST", "v1/players", { name });
  await send("POST", "v1/session", { token: data.token });
  return data;
}

/** The id of whoever plays here: a guest with a made-up name, if nobody does yet. */
export async function somebody() {
  if (me) return me;
  for (let tried = 1; ; tried++) {
    try {
      return (await register(t("guest", { code: letters(4) }))).player.id;
    } catch (problem) {
      if (problem.code !== "name_taken" || tried === TRIES) throw problem;
    }
  }
}

/** What one adds to the dice of a match: nobody could have known it before. */
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function letters(count) {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => LETTERS[byte % 32]).join("");
}
