// Running clocks.

const TICK_MS = 250;
const HOUR_S = 3_600;
const LOW_MS = 20_000;

let zero; // the service's time in ms when this device's monotonic clock is 0; undefined if it is unknown

/** Set the clock to the service's time, as an answer that has just arrived gives it; whether it was unknown. */
export function setTime(at) {
  const isFirst = zero === undefined;
  zero = new Date(at) - performance.now();
  return isFirst;
}

/** The service's time, in ms since the epoch. */
export const now = () => zero + performance.now();

/** The time left of a seat in ms. */
function timeLeft({ left_ms, running, since }, seat) {
  const thought = running.includes(seat) ? now() - new Date(since) : 0;
  return Math.max(0, left_ms[seat] - Math.max(0, thought));
}

/** Format a time: `1:02:03`, `04:05`. */
function format(ms) {
  const s = Math.ceil(ms / 1000);
  const rest = new Date(s * 1000).toISOString().slice(14, 19);
  return s < HOUR_S ? rest : `${Math.floor(s / HOUR_S)}:${rest}`;
}

/**
 * Show the time left from `clocks()`; `start` is the service's time when it rendered the page. A page
 * that the browser has kept, as after "back", shows no time before the first heartbeat.
 */
export function run(clocks, start) {
  const [loaded] = performance.getEntriesByType("navigation");
  if (loaded?.type !== "back_forward") zero = new Date(start) - (loaded?.responseStart ?? 0);
  setInterval(() => {
    const known = zero === undefined ? null : clocks();
    for (const clock of document.querySelectorAll("[data-clock]")) {
      const ms = known ? timeLeft(known, Number(clock.dataset.clock)) : Infinity;
      clock.textContent = known ? format(ms) : "";
      clock.classList.toggle("little", ms < LOW_MS);
    }
  }, TICK_MS);
}
