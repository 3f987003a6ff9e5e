// What operators do to players, matches, webhooks and backups.

import { send } from "../api.js";
import { ask, bindButtons, confirmed, h, reveal, toast } from "../dom.js";
import "../frame.js";
import { refresh } from "../refresh.js";
import { t } from "../words.js";

const MAX_REASON_CHARS = 200;

const ACTIONS = {
  ban: async ({ id, name }) => {
    const reason = h("input", { required: true, maxlength: MAX_REASON_CHARS, autocomplete: "off" });
    const question = h("label", {}, h("span", {}, t("admin_ban_sure", { name })), reason);
    if (!(await confirmed(question, t("admin_ban")))) return;
    await ban(id, { reason: reason.value });
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
    const reason = await ask(t("admin_close_sure"), [
      { value: "abuse", label: t("admin_abuse"), kind: "grave" },
      { value: "fault", label: t("admin_fault"), kind: "grave" },
      { value: "request", label: t("admin_request"), kind: "grave" },
      { value: null, label: t("cancel") },
    ]);
    if (reason) await send("POST", `v1/admin/matches/${id}/close`, { reason });
  },
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
  if (failed.length) toast(t("admin_not_left", { matches: failed.join(", ") }));
}

bindButtons(ACTIONS, () => refresh("section"));
