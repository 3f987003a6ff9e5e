// Creates players: guests, or with a name.

import { randomHex, get, me, root, send } from "./api.js";
import { prefs } from "./prefs.js";

const MAX_TRIES = 5;

let guest = null; // registered, but not signed in yet

/** Register a player, or a guest: `{player, token, recovery_codes}`. */
export async function register(name, guest = false) {
  return (await send("POST", "v1/players", { name, guest })).data;
}

/** Sign this browser in, with a token or a code. */
export const signIn = ({ token, code }) => send("POST", "v1/session", { token, code });

/** The id of the player of this browser; registers a guest if there is none. */
export async function ensurePlayer() {
  const known = me || (await signedIn());
  if (known) return known;
  guest ??= await newGuest();
  await signIn(guest);
  prefs.set("guest", guest.player.id);
  return guest.player.id;
}

/** The id of the player who is signed in now: another page may have signed in since. */
async function signedIn() {
  const { data } = await get("settings");
  return new DOMParser().parseFromString(data, "text/html").documentElement.dataset.me;
}

async function newGuest() {
  for (let tries = 1; ; tries++) {
    try {
      return await register(`Guest ${randomHex(3).toUpperCase()}`, true); // others read it too
    } catch (problem) {
      if (problem.code !== "name_taken" || tries === MAX_TRIES) throw problem;
    }
  }
}

/** Open a table, and go there. */
export async function openTable(plan) {
  await ensurePlayer();
  const own = plan.seats.some((seat) => seat.me) ? nonce() : null;
  const { data } = await send("POST", "v1/matches", { ...plan, nonce: own });
  location.href = `${root}matches/${data.id}`;
}

/** A secret that this browser adds to the dice of a match. */
export const nonce = () => randomHex(32);
