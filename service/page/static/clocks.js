// Clocks that run while the page is open.

const HOUR_S = 3_600;
const LITTLE_S = 20;

let ahead = 0; // ms by which the service's clock is ahead of this device's

/** What time it is at the service, when the page was made. */
export function setClock(iso) {
  ahead = new Date(iso) - Date.now();
}

/** What a seat has left, in ms; null if there is no clock. */
export function left(clocks, seat) {
  if (!clocks) return null;
  const bank = clocks.left_ms[seat];
  const thought = clocks.running.includes(seat) ? Date.now() + ahead - new Date(clocks.since) : 0;
  return Math.max(0, bank - Math.max(0, thought));
}

/** A time as on a clock: `1:02:03`, `4:05`. */
export function told(ms) {
  const s = Math.ceil(ms / 1000);
  const parts = [Math.floor((s % HOUR_S) / 60), s % 60];
  if (s >= HOUR_S) parts.unshift(Math.floor(s / HOUR_S));
  return parts.map((part, place) => String(part).padStart(place ? 2 : 1, "0")).join(":");
}

/** Show in elements with `data-clock` what their seats have left. */
export function tick(place, clocks) {
  for (const shown of place.querySelectorAll("[data-clock]")) {
    const ms = left(clocks, Number(shown.dataset.clock));
    shown.textContent = ms === null ? "" : told(ms);
    shown.classList.toggle("little", ms !== null && ms < LITTLE_S * 1000);
  }
}
