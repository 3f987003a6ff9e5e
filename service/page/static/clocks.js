// Clocks that run while the page is open.

const TICK_MS = 250;
const HOUR_S = 3_600;
const LITTLE_MS = 20_000;

/** What a seat has left, in ms; the service's clock is so many ms ahead of this device's. */
function left({ left_ms, running, since }, seat, ahead) {
  const thought = running.includes(seat) ? Date.now() + ahead - new Date(since) : 0;
  return Math.max(0, left_ms[seat] - Math.max(0, thought));
}

/** A time as on a clock: `1:02:03`, `04:05`. */
function told(ms) {
  const s = Math.ceil(ms / 1000);
  const rest = new Date(s * 1000).toISOString().slice(14, 19);
  return s < HOUR_S ? rest : `${Math.floor(s / HOUR_S)}:${rest}`;
}

/** Show what seats have left by `clocks()`; `now` is the service's time when the page was made. */
export function run(clocks, now) {
  const [loaded] = performance.getEntriesByType("navigation");
  const ahead = new Date(now) - performance.timeOrigin - (loaded?.responseStart ?? 0);
  setInterval(() => {
    for (const shown of clocks() ? document.querySelectorAll("[data-clock]") : []) {
      const ms = left(clocks(), Number(shown.dataset.clock), ahead);
      shown.textContent = told(ms);
      shown.classList.toggle("little", ms < LITTLE_MS);
    }
  }, TICK_MS);
}
