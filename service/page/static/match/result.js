// The result of a match: a link to share, and the luck of each seat.

import { url } from "../api.js";
import { share } from "../dom.js";

/** The actions of the buttons of the result; the luck comes with the analysis. */
export function resultActions(match) {
  return {
    luck() {
      const panel = document.getElementById("analysis");
      panel.open = true;
      panel.querySelector("summary").focus(); // the button goes
    },
    "share-result": () => share(url(`matches/${match}`), document.getElementById("share").dataset.outcome),
  };
}
