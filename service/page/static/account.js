// Becoming somebody: with the next click as a guest, or by a name of one's own.

import { chance, me, root, send } from "./api.js";
import { t } from "./words.js";

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
      return (await register(t("guest", { code: chance(3).toUpperCase() }))).player.id;
    } catch (problem) {
      if (problem.code !== "name_taken" || tried === TRIES) throw problem;
    }
  }
}

/** Open a table, and go there. */
export async function openTable(plan) {
  await somebody();
  const own = plan.seats.some((seat) => seat.me) ? nonce() : null;
  const { data } = await send("POST", "v1/matches", { ...plan, nonce: own });
  location.href = `${root}matches/${data.id}`;
}

/** What one adds to the dice of a match: nobody could have known it before. */
export const nonce = () => chance(32);
