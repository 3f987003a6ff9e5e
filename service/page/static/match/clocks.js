// Running clocks.

const TICK_MS = 250;
const HOUR_S = 3_600;
const LOW_MS = 20_000;

/** The time left of a seat in ms; the service's clock is `ahead` ms ahead of this device's. */
function timeLeft({ left_ms, running, since }, seat, ahead) {
  const thought = running.includes(seat) ? Date.now() + ahead - new Date(since) : 0;
  return Math.max(0, left_ms[seat] - Math.max(0, thought));
}

/** Format a time: `1:02:03`, `04:05`. */
function format(ms) {
  const s = Math.ceil(ms / 1000);
  const rest = new Date(s * 1000).toISOString().slice(14, 19);
  return s < HOUR_S ? rest : `${Math.floor(s / HOUR_S)}:${rest}`;
}

/** Show the time left from `clocks()`; `now` is the service's time when it rendered the page. */
export function run(clocks, now) {
  const [loaded] = performance.getEntriesByType("navigation");
  const ahead = new Date(now) - performance.timeOrigin - (loaded?.responseStart ?? 0);
  setInterval(() => {
    for (const clock of clocks() ? document.querySelectorAll("[data-clock]") : []) {
      const ms = timeLeft(clocks(), Number(clock.dataset.clock), ahead);
      clock.textContent = format(ms);
      clock.classList.toggle("little", ms < LOW_MS);
    }
  }, TICK_MS);
}
