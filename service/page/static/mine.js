// Keeps my turns current.

import "./frame.js";
import { refreshSoon } from "./refresh.js";
import { onChange } from "./turns.js";

onChange(() => refreshSoon("turns-list"));
refreshSoon("turns-list"); // changes since the page was rendered
