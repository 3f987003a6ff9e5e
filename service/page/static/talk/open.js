// Loads what people say about a match when the visitor opens its panel, and what counts it until then.

import { persistent, Problem } from "../api.js";
import { $, attempt } from "../dom.js";

$("talk").addEventListener("toggle", () => attempt(async () => (await import("./talk.js")).showTalk()));
persistent(() => import("./unread.js").catch(() => { throw new Problem(0, {}); }))();
