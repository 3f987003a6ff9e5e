// The table of notices in the settings: what comes over each channel, and about single matches; the address for mail.

import { send } from "../api.js";
import { attempt } from "../dom.js";

/** What the forms do, by their names. */
export const NOTICE_FORMS = { mail: chooseMail, notices: chooseNotices };

/** Save the table: its ticks have names such as `turn mail`. */
function chooseNotices({ twice, from, until, ...ticks }) {
  const kinds = {};
  for (const [kind, channel] of Object.keys(ticks).map((name) => name.split(" "))) (kinds[kind] ??= []).push(channel);
  const quiet = from && until ? { from, until, time_zone: namedZone() } : null;
  return send("PUT", "v1/me/notices", { kinds, twice: !!twice, quiet_hours: quiet });
}

/** Save my address for mail, and about what I get it. */
function chooseMail({ address, ...kinds }) {
  const { lang } = document.documentElement;
  return send("PUT", "v1/me/mail", { address, kinds: Object.keys(kinds), language: lang, time_zone: namedZone() });
}

document.addEventListener("change", ({ target }) => {
  const { notices } = target.dataset; // the id of a match
  if (notices) attempt(() => send("PUT", `v1/matches/${notices}/notices`, { notices: target.value }));
});

/** The time zone of the visitor by its name; some systems know only a difference, such as `+08:00`. */
function namedZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return /^[A-Za-z]/.test(timeZone) ? timeZone : "UTC";
}
