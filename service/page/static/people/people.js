// Buttons to follow, block and invite players: on a profile, and in the lists of the visitor.

import "../frame.js";
import { send, url } from "../api.js";
import { nonce } from "../account.js";
import { bindButtons, confirmed } from "../dom.js";
import { refresh } from "../refresh.js";
import { t } from "../words.js";

const OPEN = { open: true };
const change = (method, list) => ({ id }) => send(method, `v1/me/${list}/${id}`);

const actions = {
  follow: change("PUT", "follows"),
  unfollow: change("DELETE", "follows"),
  unblock: change("DELETE", "blocks"),
  async block({ id, name }) {
    if (await confirmed(t("block_sure", { name }), t("block"))) await send("PUT", `v1/me/blocks/${id}`);
  },
  presence: ({ shown }) => send("PUT", "v1/me/presence", { shown: !!shown }),
  invite,
};

bindButtons(actions, () => refresh("people"));

/** Open a table of the chosen game, with a seat for a player, and go there. */
async function invite({ name }) {
  const { value: game, selectedOptions: [chosen] } = document.querySelector("[name=game]");
  const others = Array(Math.max(0, chosen.dataset.seats - 2)).fill(OPEN);
  const { data } = await send("POST", "v1/matches", { game, seats: [{ me: true }, { invite: name }, ...others], nonce: nonce() });
  location.href = url(`matches/${data.id}`);
}
