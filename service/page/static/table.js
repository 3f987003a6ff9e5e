// A table before the match: seats, invitations, start with bots.

import "./frame.js";
import { me, persistent, send, url } from "./api.js";
import { ensurePlayer, nonce } from "./account.js";
import { bindButtons, confirmed, copy, share } from "./dom.js";
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
  decline,
  copy: async () => (await copy(shownLink().value, t("link_copied"))) || shownLink().select(),
  share: () => share(shownLink().value),
};

/** Refresh the table; reload once the match has started. */
const update = persistent(
  async () => ((await refresh("table")) ? showLink() : location.reload()),
  () => location.reload(),
);

bindButtons(actions, update);
if (table.dataset.open && table.dataset.live) {
  listen(`${path}/stream`, { after: table.dataset.version, kinds: ["entry"], onEvent: update });
}

function shownLink() {
  return document.querySelector("#table [data-link]");
}

/** Show the whole link to the table: only the browser knows how it got here through proxies. */
function showLink() {
  const field = shownLink();
  if (!field) return;
  field.value = new URL(field.dataset.link, `${location.origin}${location.pathname}`).href;
  document.querySelector("[data-do=share]").hidden = !navigator.share;
}
showLink();

async function sit({ seat }) {
  await ensurePlayer();
  const invitation = new URLSearchParams(location.search).get("invite") || null;
  await send("POST", `${path}/seats`, { seat: Number(seat), nonce: table.dataset.open ? nonce() : undefined, invitation });
  if (!table.dataset.open) location.href = url(`matches/${table.dataset.match}`);
  else if (!me || invitation) location.reload(); // rendered without a player, or not to follow
}

/** Decline the invitation and leave the table, which may be private. */
async function decline() {
  if (!(await confirmed(t("decline_sure"), t("decline")))) return;
  await send("DELETE", `${path}/invitation`);
  location.href = url("turns");
}

async function close() {
  if (await confirmed(t("close_sure"), t("close_table"))) await send("DELETE", path);
}
