// What every page does.

import "./prefs.js";
import { when } from "./words.js";

for (const time of document.querySelectorAll("time[datetime]")) time.title = when(time.dateTime);
