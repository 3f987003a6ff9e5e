// Keeps my turns current.

import "../frame.js";
import { refreshSoon } from "./lists.js";
import { onChange } from "../turns.js";

onChange(() => refreshSoon("turns-list"));
refreshSoon("turns-list"); // changes since the page was rendered
