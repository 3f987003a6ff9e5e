// The settings of this device and of the account.

import { chooseLanguage } from "./frame.js";
import { send } from "./api.js";
import { register, signIn } from "./account.js";
import { attempt, bindButtons, confirmed, h, reveal, toast } from "./dom.js";
import { attemptForm } from "./forms.js";
import { play, prefs } from "./prefs.js";
import { refresh } from "./refresh.js";
import { NOTICE_FORMS } from "./settings/notices.js";
import { canNotify } from "./turns.js";
import { t, when } from "./words.js";

const DAY_S = 86_400;
const FORMS = {
  register: async ({ name }) => signInAndShow(await register(name), t("account_hint")),
  rename: ({ name }) => send("POST", "v1/me/name", { name }),
  program: async ({ name, scopes, days }) => {
    const asked = { name, scopes: scopes.split(" "), expires_in_s: days ? days * DAY_S : null };
    await reveal(t("program_hint", { name }), (await send("POST", "v1/me/tokens", asked)).data.token);
  },
  ...NOTICE_FORMS,
  code: signIn,
  token: signIn,
  recover: async (proof) => signInAndShow((await send("POST", "v1/recovery", proof)).data, t("recovered_hint")),
};

const ACTIONS = {
  codes: async ({ name }) => showSecrets((await send("POST", "v1/me/recovery-codes")).data, t("codes_hint", { name })),
  token: async () => showSecrets((await send("POST", "v1/me/token")).data, t("token_hint")),
  link: async () => {
    const { data } = await send("POST", "v1/session/codes");
    await reveal(t("link_hint", { until: when(data.expires_at) }), data.code);
  },
  end: ({ id }) => send("DELETE", `v1/me/tokens/${id}`),
  mailless: async () => {
    await send("DELETE", "v1/me/mail");
    location.reload();
  },
  leave: async () => {
    if (!(await confirmed(t("leave_sure"), t("sign_out")))) return;
    await send("DELETE", "v1/session");
    prefs.set("push", "");
    location.reload();
  },
  delete: async ({ name }) => {
    const typed = h("input", { required: true, pattern: name.replaceAll(".", "\\."), title: name, autocomplete: "off" });
    const label = h("label", {}, h("span", {}, t("delete_sure", { name })), typed);
    if (!(await confirmed(label, t("delete_account")))) return;
    await send("DELETE", `v1/me?${new URLSearchParams({ name: typed.value })}`);
    location.reload();
  },
};

for (const select of document.querySelectorAll("[data-pref]")) select.value = prefs.get(select.dataset.pref);
document.querySelector("[data-pref=notify]").closest("label").hidden = !canNotify();

if (document.getElementById("push")) attempt(async () => (await import("./push/switch.js")).showSwitch());

document.addEventListener("change", async ({ target }) => {
  if ("choose" in target.dataset) chooseLanguage(target.value);
  const { pref, forced } = target.dataset;
  if (forced !== undefined) attempt(() => send("PUT", "v1/me/forced-moves", { automatic: !!target.value }));
  if (pref === "notify" && target.value === "on" && (await Notification.requestPermission()) !== "granted") {
    target.value = "off";
    toast(t("notify_refused"));
  }
  if (pref) prefs.set(pref, target.value);
  if (pref === "sound") play("turn");
});

for (const form of document.querySelectorAll("[data-form]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attemptForm(form, async () => {
      await FORMS[form.dataset.form](Object.fromEntries(new FormData(form)));
      location.reload();
    });
  });
}

bindButtons(ACTIONS, () => refresh("tokens"));

/** Sign in, and show the secrets in any case. */
async function signInAndShow(account, hint) {
  try {
    await signIn(account);
  } finally {
    await showSecrets(account, hint);
  }
}

/** Show secrets, and what they are for, until the visitor confirms that they have them. */
async function showSecrets({ token, recovery_codes = [] }, hint) {
  await reveal(hint, [token, ...recovery_codes].filter(Boolean).join("\n"));
  prefs.set("guest", "");
}
