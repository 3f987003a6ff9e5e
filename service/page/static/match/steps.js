// What others did since a player's last move, one move after another.

import { get, me } from "../api.js";
import { fill } from "../dom.js";
import { moving } from "../prefs.js";
import { textOf } from "./log.js";

const STEP_MS = 370; // 250 of it for pieces that travel
const MAX_STEPS = 4; // a whole turn takes less than 1.5 s
const prompt = document.getElementById("prompt");

export class Steps {
  /** `show(picture)` shows a picture. */
  constructor(path, { log, replay, curtain, panels }, show) {
    Object.assign(this, { path, log, moment: replay, curtain, panels, show, skip: () => {} });
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, () => this.end(), true);
  }

  /** Whose own moves are no steps: in hot seat those of the seat that has the device. */
  get viewer() {
    return this.curtain.guards ? { seat: this.curtain.holder } : { by: me };
  }

  /**
   * Show the moves of others since the shown version until another, and remember in `before` the map
   * before them; a key or a touch skips them. Behind a curtain their player has not seen them: they
   * begin at the player's last move.
   */
  async play(shown, until, as, plays) {
    const { log, viewer } = this;
    const last = plays && log.lastMove(viewer);
    const from = this.curtain.takeLift() ? last || 1 : shown;
    const versions = log.movesOfOthers(viewer, from, until + 1);
    if ((until > from && !versions.length) || last > shown || from < shown) this.before = null;
    if (!versions.length) return;
    const base = from < shown ? from : last > shown && last < until && last;
    if (base) this.show(await this.draw(base, as));
    if (base || last === shown) this.before ??= this.panels.map.picture;
    else await this.recall(until, as);
    if (moving()) await this.showEach(versions.filter((one) => one < until).slice(-MAX_STEPS), as);
  }

  /** Remember in `before` the map after the player's last move, if others have moved since. */
  async recall(until, as) {
    const last = this.log.lastMove(this.viewer);
    if (!last || !this.log.movesOfOthers(this.viewer, last, until + 1).length) return;
    this.before ??= this.panels.read(await this.draw(last, as)).map;
  }

  async showEach(versions, as) {
    this.skips = false;
    prompt.ariaLive = "off"; // the announcer says the steps
    for (const version of versions) {
      if (this.moment.version || this.skips) break;
      this.show(await this.draw(version, as));
      this.panels.light([], []);
      fill(prompt, [textOf(this.log.at(version))]);
      await Promise.race([new Promise((done) => setTimeout(done, STEP_MS)), new Promise((done) => (this.skip = done))]);
    }
    prompt.ariaLive = "polite";
  }

  async draw(version, as) {
    return (await get(`${this.path}/board.svg`, { version, as })).data;
  }

  /** Show no further steps. */
  end() {
    this.skips = true;
    this.skip();
  }

  /** The number of moves of others since the player's last one. */
  count() {
    const last = this.log.lastMove(this.viewer);
    return last && this.log.movesOfOthers(this.viewer, last, this.log.newest + 1).length;
  }

  /** Replay them. */
  replay() {
    this.moment.go(this.log.lastMove(this.viewer));
    this.moment.run(false);
  }
}
