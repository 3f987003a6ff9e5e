// A table before the match: seats are taken and left, others invited, bots asked.

import "./frame.js";
import { send } from "./api.js";
import { nonce, somebody } from "./account.js";
import { attempt, share, sure } from "./dom.js";
import { listen } from "./live.js";
import { renew } from "./renew.js";
import { t } from "./words.js";

const table = document.getElementById("table");
const path = `v1/matches/${table.dataset.match}`;

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { take, leave, shut } = button.dataset;
  if (take !== undefined) act(() => sit(Number(take)));
  if (leave !== undefined) act(() => send("DELETE", `${path}/seats/${leave}`));
  if (button.dataset.do === "copy-link") act(share);
  if (shut !== undefined) act(close);
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  const level = event.target.elements.level.value;
  act(() => send("POST", `${path}/start`, { level }));
});
if (table.dataset.open) {
  listen(`${path}/stream`, { after: table.dataset.version, kinds: ["entry"], onEvent: look });
}

/** Do something, and show what came of it. */
const act = (deed) => attempt(() => deed().then(look));

async function sit(seat) {
  const before = document.documentElement.dataset.me;
  await somebody();
  await send("POST", `${path}/seats`, { seat, nonce: nonce() });
  if (!before) location.reload(); // the page does not know yet who this is
}

async function close() {
  if (await sure(t("close_sure"), t("close_table"))) await send("DELETE", path);
}

/** The table as it is now; the match itself once it has begun. */
async function look() {
  if (!(await renew("table"))) location.reload();
}
