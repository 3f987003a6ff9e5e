// A table before the match: seats are taken and left, others invited, bots asked.

import "./frame.js";
import { me, send } from "./api.js";
import { nonce, somebody } from "./account.js";
import { buttons, share, sure } from "./dom.js";
import { listen } from "./live.js";
import { renew } from "./renew.js";
import { t } from "./words.js";

const table = document.getElementById("table");
const path = `v1/matches/${table.dataset.match}`;

const deeds = {
  join: sit,
  leave: ({ seat }) => send("DELETE", `${path}/seats/${seat}`),
  start: () => send("POST", `${path}/start`, { level: document.querySelector("[name=level]").value }),
  shut: close,
  "copy-link": share,
};

buttons(deeds, look);
if (table.dataset.open) {
  listen(`${path}/stream`, { after: table.dataset.version, kinds: ["entry"], onEvent: look });
}

async function sit({ seat }) {
  await somebody();
  await send("POST", `${path}/seats`, { seat: Number(seat), nonce: nonce() });
  if (!me) location.reload(); // the page does not know yet who this is
}

async function close() {
  if (await sure(t("close_sure"), t("close_table"))) await send("DELETE", path);
}

/** The table as it is now; the match itself once it has begun. */
async function look() {
  if (!(await renew("table"))) location.reload();
}
