// Hot seat: a player with several seats passes the device on, and each person sees their own seat only.

import { h } from "../dom.js";
import { prefs } from "../prefs.js";
import { t } from "../words.js";

/** Hides what a seat knows until the person who plays it has taken the device; calls `onLift()` then. */
export class Curtain {
  constructor(isHotSeat, onLift) {
    Object.assign(this, { isHotSeat, onLift, holder: null, next: null });
  }

  get guards() {
    return this.isHotSeat && prefs.get("curtain") === "seats";
  }

  /** Whether the page may show what a seat knows. */
  admits(seat) {
    return !this.guards || seat === this.holder;
  }

  /** As whom to show the match while these seats of the player decide: the one with the device, or a spectator. */
  viewer(seats) {
    const admitted = seats.includes(this.holder);
    this.next = admitted || !seats.length ? null : seats[0];
    return admitted ? this.holder : "spectator";
  }

  /** Open the dialog if the device must be passed on to a seat, with `nameOf(seat)`; else close it. */
  render(nameOf) {
    const { next } = this;
    if (this.box?.seat === next) return;
    const box = this.box;
    this.box = null;
    box?.close();
    if (next !== null) this.open(next, nameOf(next));
  }

  open(seat, name) {
    const lift = () => {
      [this.holder, this.next] = [seat, null];
      this.render();
      this.onLift();
    };
    const box = h(
      "dialog",
      { class: "ask curtain", "aria-labelledby": "pass", closedby: "none", oncancel: (event) => event.preventDefault() },
      h("p", { id: "pass" }, t("pass_device", { name })),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: lift }, t("i_am", { name }))),
    );
    box.addEventListener("close", () => (this.box === box ? box.showModal() : box.remove())); // also Escape twice
    this.box = Object.assign(box, { seat });
    document.body.append(box);
    box.showModal();
  }
}
