// What visitors can do besides moving.

import { ensurePlayer } from "../account.js";
import { get, send, url } from "../api.js";
import { ask, share, toast } from "../dom.js";
import { t } from "../words.js";
import { showKeys } from "./keys.js";

/** The actions of buttons that change nothing in a match. */
export function moreActions(match, replay) {
  return {
    luck: showLuck,
    "share-result": () => share(url(`matches/${match}`), document.getElementById("share").dataset.outcome),
    keys: showKeys,
    sheet: changeSheet,
    "copy-link": () => share(),

    /** Go to the next match that waits for the visitor. */
    async "next-turn"() {
      const { turns } = (await get("v1/me/turns")).data;
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

export function isSureToResign() {
  return ask(t("resign_sure"), [{ value: false, label: t("play_on") }, { value: true, label: t("resign"), kind: "grave" }]);
}

/** Open the analysis, with which the luck of each seat comes. */
function showLuck() {
  const panel = document.getElementById("analysis");
  panel.open = true;
  panel.querySelector("summary").focus(); // the button goes
}

/** Change the height of the sheet at the bottom of a small screen: a line, a part, or most of it. */
function changeSheet() {
  const next = { low: "half", half: "full", full: "low" };
  const { dataset } = document.getElementById("bar");
  dataset.sheet = next[dataset.sheet ?? "half"];
  document.getElementById("grip").ariaExpanded = dataset.sheet !== "low";
}
