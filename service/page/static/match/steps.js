// What others did since a player's last move, one move after another.

import { get, me } from "../api.js";
import { $, fill } from "../dom.js";
import { moving, play } from "../prefs.js";
import { textOf } from "./log.js";

const STEP_MS = 370; // 250 of it for pieces that travel
const MAX_STEPS_MS = 1200; // with the last move, which comes after the steps, a whole turn takes less than 1.5 s
const MAX_STEPS = 8; // of longer turns some steps show several moves
const prompt = $("prompt");

export class Steps {
  /** `show(picture)` shows a picture. */
  constructor(path, { log, replay, curtain, panels, announcer }, show) {
    Object.assign(this, { path, log, moment: replay, curtain, panels, announcer, show, skip: () => {} });
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, () => this.end(), true);
  }

  /** Whose own moves are no steps: in hot seat those of the seat that has the device. */
  get viewer() {
    return this.curtain.guards ? { seat: this.curtain.holder } : { by: me };
  }

  /** The version after which all is new: the player's last move; for spectators the one before the last turn. */
  lastKnown(plays) {
    return plays ? this.log.lastMove(this.viewer) : this.log.beforeTurn();
  }

  /**
   * Show the moves of others since the shown version until another, and remember in `before` the map
   * before them; a key or a touch skips them. Behind a curtain their player has not seen them: they
   * begin at the player's last move.
   */
  async play(shown, until, as, plays) {
    const { log, viewer } = this;
    const last = this.lastKnown(plays);
    const isLifted = this.curtain.takeLift();
    const from = isLifted ? last || 1 : shown;
    const versions = log.movesOfOthers(viewer, from, until + 1);
    if (isLifted) this.announcer.say(versions.map((one) => textOf(log.at(one))).filter(Boolean)); // who heard them gave the device away
    if ((until > from && !versions.length) || last !== this.last || from < shown) this.before = null;
    this.last = last;
    if (!versions.length) return;
    const base = from < shown ? from : last > shown && last < until && last;
    if (base) this.show(await this.draw(base, as));
    if (base || last === shown) this.before ??= this.panels.map.picture;
    else await this.recall(until, as, plays);
    if (moving()) await this.showEach(pickEvenly(versions.filter((one) => one < until)), as);
  }

  /** Remember in `before` the map at the last known version, perhaps long ago, if others have moved since. */
  async recall(until, as, plays) {
    const isHidden = this.curtain.guards && this.curtain.holder === null;
    if (!isHidden && !this.lastKnown(plays) && this.log.oldest > 1 && !this.sought) {
      this.sought = true;
      await this.log.earlier();
    }
    const last = (this.last = this.lastKnown(plays));
    if (!last || !this.log.movesOfOthers(this.viewer, last, until + 1).length) return;
    this.before ??= this.panels.read(await this.draw(last, as)).map;
  }

  async showEach(versions, as) {
    this.skips = false;
    const pictures = await Promise.all(versions.map((version) => this.draw(version, as))); // no step waits for the network
    prompt.ariaLive = "off"; // the announcer says the steps
    const stepMs = Math.min(STEP_MS, MAX_STEPS_MS / versions.length);
    const begin = performance.now();
    for (const [step, version] of versions.entries()) {
      const restMs = begin + (step + 1) * stepMs - performance.now();
      if (this.moment.version || this.skips) break;
      if (restMs <= 0) continue; // drawing took its time
      this.show(pictures[step]);
      play("piece");
      this.panels.light([], []);
      const text = textOf(this.log.at(version));
      if (text) fill(prompt, [text]); // a silent step keeps that of the one before
      await Promise.race([new Promise((done) => setTimeout(done, restMs)), new Promise((done) => (this.skip = done))]);
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

  /** The versions of the moves of others since the player's last one. */
  since() {
    const last = this.log.lastMove(this.viewer);
    return last ? this.log.movesOfOthers(this.viewer, last, this.log.newest + 1) : [];
  }

  /** Replay them; with reduced motion the player goes from one to the next. */
  replay() {
    this.moment.go(this.log.lastMove(this.viewer));
    if (moving()) this.moment.run(false);
  }

  /** Whether the version shown is the player's last move or later, and nothing plays. */
  canStep() {
    const last = this.log.lastMove(this.viewer);
    return !moving() && last && this.moment.version >= last;
  }

  /** Show the next of them, or now after the last. */
  step() {
    const { moment } = this;
    moment.show(this.since().find((one) => one > moment.version) ?? null, moment.chosen);
  }
}

/** At most MAX_STEPS of these, evenly spaced, with the last one. */
function pickEvenly(versions) {
  const count = Math.min(versions.length, MAX_STEPS);
  return Array.from({ length: count }, (_, step) => versions[Math.ceil(((step + 1) * versions.length) / count) - 1]);
}
