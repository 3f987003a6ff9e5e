// What visitors can do besides moving.

import { ensurePlayer, nonce } from "../account.js";
import { getAll, persistent, send, url } from "../api.js";
import { $, share, toast } from "../dom.js";
import { refresh } from "../refresh.js";
import { onChange } from "../turns.js";
import { t } from "../words.js";
import { showKeys } from "./keys.js";

/** The actions of buttons that change nothing in a match. */
export function moreActions(match, replay) {
  return {
    luck: showLuck,
    "share-result": () => share(url(`matches/${match}`), $("share").dataset.outcome),
    keys: showKeys,
    share: () => share(),

    /** Go to the next match that waits for the visitor. */
    async "next-turn"() {
      const turns = await getAll("v1/me/turns", "turns");
      const next = turns[(turns.findIndex((one) => one.match === match) + 1) % turns.length]?.match;
      if (next && next !== match) location.href = url(`matches/${next}`);
      else toast(t("no_turns"));
    },

    async fork() {
      await ensurePlayer();
      const { data } = await send("POST", `v1/matches/${match}/forks`, { version: replay.shown });
      location.href = url(`matches/${data.id}`);
    },
  };
}

/** The actions to play a match again, while the page follows what the others do. */
export function rematchActions(match) {
  const at = () => $("next").dataset;
  const go = (next) => (location.href = url(`matches/${next}`));
  const update = persistent(async () => {
    const { state: before } = at();
    await refresh("next");
    if (before === "waiting" && at().state === "open" && !document.hidden) go(at().table);
  });
  const concerns = ({ id, status, previous_match: previous }) => previous === match || (id === match && status !== "active"); // moves concern no rematch
  onChange((kind, data) => {
    const missed = kind === "reset" && !["none", "open"].includes(at().state);
    if (missed || (kind === "match" && concerns(data.match))) update();
  });
  return {
    async "play-again"() {
      const { data } = await send("POST", `v1/matches/${match}/rematch`, { nonce: nonce() });
      if (data.status === "active") go(data.id);
      else update();
    },
    "decline-again": () => send("DELETE", `v1/matches/${at().table}/invitation`).then(update),

    /** Close my table, or leave that of another player. */
    async "withdraw-again"() {
      const { table, seats } = at();
      if (!seats) await send("DELETE", `v1/matches/${table}`);
      for (const seat of seats.split(" ").filter(Boolean)) await send("DELETE", `v1/matches/${table}/seats/${seat}`);
      update();
    },
  };
}

/** Open the analysis, with which the luck of each seat comes. */
function showLuck() {
  const panel = $("analysis");
  panel.open = true;
  panel.querySelector("summary").focus(); // the button goes
}
