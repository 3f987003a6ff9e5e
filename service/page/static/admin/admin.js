// What operators do to players, matches, reports, webhooks and backups.

import { send } from "../api.js";
import { bindButtons, confirmed, h, reveal, toast } from "../dom.js";
import "../frame.js";
import { refresh } from "../refresh.js";
import { t } from "../words.js";

const MAX_REASON_CHARS = 200;

const ACTIONS = {
  ban: async ({ id, name }) => {
    const reason = h("input", { required: true, maxlength: MAX_REASON_CHARS, autocomplete: "off" });
    const keep = h("input", { type: "checkbox" });
    const question = h("div", { class: "stack" },
      h("label", {}, h("span", {}, t("admin_ban_sure", { name })), reason),
      h("label", { class: "tick" }, keep, h("span", {}, t("admin_keep"))),
    );
    if (!(await confirmed(question, t("admin_ban")))) return;
    await ban(id, { reason: reason.value, keep_matches: keep.checked });
  },
  resign: async ({ id, name, reason }) => {
    if (!(await confirmed(t("admin_resign_sure", { name }), t("admin_resign")))) return;
    await ban(id, { reason });
  },
  lift: async ({ id, name }) => {
    if (!(await confirmed(t("admin_lift_sure", { name }), t("admin_lift")))) return;
    await send("DELETE", `v1/admin/players/${id}/ban`);
  },
  token: async ({ id, name }) => {
    if (!(await confirmed(t("admin_token_sure", { name }), t("admin_token")))) return;
    await reveal(t("admin_give_token", { name }), (await send("POST", `v1/admin/players/${id}/token`)).data.token);
  },
  close: async ({ id }) => {
    const reason = h("select", { required: true },
      h("option", { value: "" }, "–"),
      h("option", { value: "abuse" }, t("admin_abuse")),
      h("option", { value: "fault" }, t("admin_fault")),
      h("option", { value: "request" }, t("admin_request")),
    );
    const note = h("input", { maxlength: MAX_REASON_CHARS, autocomplete: "off" });
    const question = h("div", { class: "stack" },
      h("label", {}, h("span", {}, t("admin_close_sure")), reason),
      h("label", {}, h("span", {}, t("admin_note")), note),
    );
    if (!(await confirmed(question, t("admin_close")))) return;
    await send("POST", `v1/admin/matches/${id}/close`, { reason: reason.value, note: note.value });
  },
  dismiss: ({ id }) => send("DELETE", `v1/admin/reports/${id}`),
  mute: async ({ id, name }) => {
    const reason = h("input", { required: true, maxlength: MAX_REASON_CHARS, autocomplete: "off" });
    const until = document.getElementById("mute-days").content.cloneNode(true), days = until.querySelector("select");
    const question = h("div", { class: "stack" },
      h("label", {}, h("span", {}, t("admin_mute_sure", { name })), reason),
      until,
    );
    if (!(await confirmed(question, t("admin_mute")))) return;
    const more = days.value ? { days: Number(days.value) } : {};
    await send("PUT", `v1/admin/players/${id}/mute`, { reason: reason.value, ...more });
  },
  unmute: ({ id }) => send("DELETE", `v1/admin/players/${id}/mute`),
  retry: ({ id }) => send("PATCH", `v1/admin/webhooks/${id}`, { active: true }),
  pause: ({ id }) => send("PATCH", `v1/admin/webhooks/${id}`, { active: false }),
  backup: async () => {
    await send("POST", "v1/admin/backups");
    toast(t("admin_backup_soon"));
  },
};

/** Ban a player, or complete their ban, and say which matches they could not leave. */
async function ban(id, body) {
  const { failed } = (await send("POST", `v1/admin/players/${id}/ban`, body)).data;
  if (failed.length) toast(t("admin_not_left", { matches: failed.join(t("comma")) }));
}

bindButtons(ACTIONS, () => refresh("section"));
