// A table before the match: seats, invitations, start with bots.

import "./frame.js";
import { me, persistent, send } from "./api.js";
import { ensurePlayer, nonce } from "./account.js";
import { bindButtons, confirmed, share } from "./dom.js";
import { listen } from "./live/live.js";
import { refresh } from "./refresh.js";
import { t } from "./words.js";

const table = document.getElementById("table");
const path = `v1/matches/${table.dataset.match}`;

const actions = {
  join: sit,
  leave: ({ seat }) => send("DELETE", `${path}/seats/${seat}`),
  start: () => send("POST", `${path}/start`, { level: document.querySelector("[name=level]").value }),
  shut: close,
  "copy-link": ({ link }) => share(link),
};

/** Refresh the table; reload once the match has started. */
const update = persistent(
  async () => (await refresh("table")) || location.reload(),
  () => location.reload(),
);

bindButtons(actions, update);
if (table.dataset.open && table.dataset.live) {
  listen(`${path}/stream`, { after: table.dataset.version, kinds: ["entry"], onEvent: update });
}

async function sit({ seat }) {
  await ensurePlayer();
  const invitation = new URLSearchParams(location.search).get("invite") || null;
  await send("POST", `${path}/seats`, { seat: Number(seat), nonce: nonce(), invitation });
  if (!me || invitation) location.reload(); // rendered without a player, or not to follow
}

async function close() {
  if (await confirmed(t("close_sure"), t("close_table"))) await send("DELETE", path);
}
