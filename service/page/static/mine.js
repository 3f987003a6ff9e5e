// My turns, as they come and go.

import "./frame.js";
import { renewSoon } from "./renew.js";
import { onNews } from "./turns.js";

onNews(() => renewSoon("turns-list"));
renewSoon("turns-list"); // it is older than what is heard from now on
