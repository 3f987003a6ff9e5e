// Preferences on this device, stored only in the browser.

const VALUES = {
  confirm: ["always", "never"], // when I choose a move
  curtain: ["seats", "never"], // between the seats of one player
  notify: ["off", "on"], // on my turn
  sound: ["off", "quiet", "loud"],
  theme: ["auto", "light", "dark", "contrast"],
  motion: ["auto", "reduced"],
  keys: ["on", "off"], // single characters as keys
  guest: null, // the id of the player whose account only this browser has
};
const PREFIX = "annals.";

export const prefs = {
  /** The stored value, or the default: the first. */
  get(name) {
    const [value, values] = [stored(name), VALUES[name]];
    return !values || values.includes(value) ? value : values[0];
  },
  set(name, value) {
    try {
      localStorage.setItem(PREFIX + name, value);
    } catch {
      // lost when the page closes
    }
    apply();
  },
};

/** Play a sound, if the visitor has chosen to hear any; only then its module is loaded. */
export async function play(sound) {
  if (prefs.get("sound") !== "off") await (await import("./live/sounds.js")).play(sound);
}

/** Whether animations may run. */
export function moving() {
  return prefs.get("motion") === "auto" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function stored(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function apply() {
  for (const name of ["theme", "motion"]) document.documentElement.dataset[name] = prefs.get(name);
  const isSharp = prefs.get("theme") === "contrast";
  for (const image of document.querySelectorAll('img[src*="page/games/"]')) { // a browser passes only light and dark on to an image
    const address = image.src.replace(/&theme=.*|$/, isSharp ? "&theme=contrast" : "");
    if (image.src !== address) image.src = address;
  }
}

apply();
addEventListener("storage", apply); // of other pages of this device
