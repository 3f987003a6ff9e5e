// What a move would do.

import { send } from "../api.js";
import { viewOf } from "./picture/panels.js";

/** A move in sentences, the picture after it, and the view over which to draw that. */
export async function tryMove(path, move, seat) {
  const [{ data }, drawn] = await Promise.all([
    send("POST", `${path}/preview?sentences=true`, { move, seat }),
    send("POST", `${path}/preview.svg`, { move, seat }).catch(() => ({ data: null })), // the sentences say the same
  ]);
  return [data.sentences.map(({ text }) => text), drawn.data, viewOf({ version: data.version, seat })];
}
