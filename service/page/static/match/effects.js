// What a move would do.

import { isTemporary, send } from "../api.js";
import { viewOf } from "./picture/panels.js";

/** A move in sentences, the picture after it, and the view over which to draw that. */
export async function tryMove(path, move, seat, over) {
  const once = { maxTries: 1, over }; // a later try could meet a match in which the move has been made
  const [{ data }, drawn] = await Promise.all([
    send("POST", `${path}/preview?sentences=true`, { move, seat }, once),
    send("POST", `${path}/preview.svg`, { move, seat }, once).catch(withoutPicture),
  ]);
  return [data.sentences.map(({ text }) => text), drawn.data, viewOf({ version: data.version, seat })];
}

/** The sentences say the same. */
function withoutPicture(problem) {
  if (isTemporary(problem)) throw problem;
  return { data: null };
}
