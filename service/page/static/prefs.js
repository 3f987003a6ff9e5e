// What somebody likes on this device: kept in the browser, known to nobody else.

const KNOWN = {
  confirm: ["always", "never"], // before a move is made
  notify: ["off", "on"], // when it is one's turn
  theme: ["auto", "light", "dark"],
  motion: ["auto", "reduced"],
};
const before = "annals.";

export const prefs = {
  /** What is set, or else the first that can be. */
  get(name) {
    const value = stored(name);
    return KNOWN[name].includes(value) ? value : KNOWN[name][0];
  },
  set(name, value) {
    try {
      localStorage.setItem(before + name, value);
    } catch {
      // it lasts as long as the page then
    }
    apply();
  },
};

/** Whether things may move. */
export function moving() {
  return prefs.get("motion") === "auto" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function stored(name) {
  try {
    return localStorage.getItem(before + name);
  } catch {
    return null;
  }
}

function apply() {
  for (const name of ["theme", "motion"]) document.documentElement.dataset[name] = prefs.get(name);
}

apply();
