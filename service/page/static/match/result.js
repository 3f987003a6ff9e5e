// The result of a match: the luck of each seat, and a link to share.

import { language, url } from "../api.js";
import { share } from "../dom.js";
import { refresh } from "../refresh.js";
import { analyse } from "./replay.js";

/** The actions of the buttons of the result. */
export function resultActions(match, path) {
  const showAnalysis = async () => {
    await analyse(document.getElementById("graph"), path, language);
    await refresh("result");
  };
  return {
    analyse: showAnalysis,
    luck: showAnalysis,
    "share-result": () => share(url(`matches/${match}`), document.getElementById("share").dataset.outcome),
  };
}
