// Loads what people say about a match when the visitor opens its panel.

import { $, attempt } from "../dom.js";

$("talk").addEventListener("toggle", () => attempt(async () => (await import("./talk.js")).showTalk()));
