// Hot seat: people pass the device on, and each sees only their own seat.

import { h } from "../dom.js";
import { prefs } from "../prefs.js";
import { t } from "../words.js";

/** Hides what a seat knows until its person has taken the device; calls `onLift()` then. */
export class Curtain {
  constructor(isHotSeat, onLift) {
    Object.assign(this, { isHotSeat, onLift, holder: null, next: null });
  }

  get guards() {
    return this.isHotSeat && prefs.get("curtain") === "seats";
  }

  /** As whom to show the match while these seats decide. */
  viewer(seats) {
    const admitted = seats.includes(this.holder);
    this.next = admitted || !seats.length ? null : seats[0];
    return admitted ? this.holder : "spectator";
  }

  /** Show a dialog if the device must be passed on. */
  render() {
    const { next, box: old } = this;
    if (old?.seat === next) return;
    this.box = null;
    old?.close();
    if (next === null) return;
    const name = document.querySelectorAll("#seats .who")[next].textContent;
    const box = h(
      "dialog",
      { class: "ask curtain", "aria-labelledby": "pass" },
      h("p", { id: "pass" }, t("pass_device", { name })),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => this.lift() }, t("i_am", { name }))),
    );
    box.addEventListener("close", () => (this.box === box ? box.showModal() : box.remove())); // Escape
    this.box = Object.assign(box, { seat: next });
    document.body.append(box);
    box.showModal();
  }

  /** Whether it was lifted since the last call. */
  takeLift() {
    const { isLifted } = this;
    this.isLifted = false;
    return isLifted;
  }

  lift() {
    this.isLifted = true;
    [this.holder, this.next] = [this.next, null];
    this.render();
    this.onLift();
  }
}
