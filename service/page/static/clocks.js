// Clocks that run while the page is open.

const HOUR_S = 3_600;
const LITTLE_MS = 20_000;

let ahead = 0; // ms by which the service's clock is ahead of this device's

/** What time it is at the service, when the page was made. */
export function setClock(iso) {
  ahead = new Date(iso) - Date.now();
}

/** What a seat has left, in ms. */
function left({ left_ms, running, since }, seat) {
  const thought = running.includes(seat) ? Date.now() + ahead - new Date(since) : 0;
  return Math.max(0, left_ms[seat] - Math.max(0, thought));
}

/** A time as on a clock: `1:02:03`, `4:05`. */
function told(ms) {
  const s = Math.ceil(ms / 1000);
  const parts = [Math.floor((s % HOUR_S) / 60), s % 60];
  if (s >= HOUR_S) parts.unshift(Math.floor(s / HOUR_S));
  return parts.map((part, place) => String(part).padStart(place ? 2 : 1, "0")).join(":");
}

/** Show in elements with `data-clock` what their seats have left, if there are clocks. */
export function tick(clocks) {
  for (const shown of clocks ? document.querySelectorAll("[data-clock]") : []) {
    const ms = left(clocks, Number(shown.dataset.clock));
    shown.textContent = told(ms);
    shown.classList.toggle("little", ms < LITTLE_MS);
  }
}
