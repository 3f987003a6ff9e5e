// Becoming somebody: with the next click as a guest, or by a name of one's own.

import { chance, get, me, root, send } from "./api.js";
import { t } from "./words.js";

const TRIES = 5;

let guest = null; // registered already, and not signed in yet

/** Register a player: `{player, token, recovery_codes}`. */
export async function register(name) {
  return (await send("POST", "v1/players", { name })).data;
}

/** Let this browser be that of a player, by their token or by a code for it. */
export const signIn = ({ token, code }) => send("POST", "v1/session", { token, code });

/** The id of whoever plays here: a guest with a made-up name, if nobody does yet. */
export async function somebody() {
  const known = me || (await owner());
  if (known) return known;
  guest ??= await newGuest();
  await signIn(guest);
  return guest.player.id;
}

/** Whose browser this is by now: another page may have signed in since this one was made. */
async function owner() {
  const { data } = await get("settings");
  return new DOMParser().parseFromString(data, "text/html").documentElement.dataset.me;
}

async function newGuest() {
  for (let tried = 1; ; tried++) {
    try {
      return await register(t("guest", { code: chance(3).toUpperCase() }));
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
