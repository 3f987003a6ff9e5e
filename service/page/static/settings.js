// The settings of this device, and of one's account.

import { choose } from "./frame.js";
import { send } from "./api.js";
import { register, signIn } from "./account.js";
import { ask, attempt, buttons, h, sure, toast } from "./dom.js";
import { prefs } from "./prefs.js";
import { renew } from "./renew.js";
import { t, when } from "./words.js";

const FORMS = {
  register: async ({ name }) => began(await register(name)),
  rename: ({ name }) => send("POST", "v1/me/name", { name }),
  code: signIn,
  token: signIn,
  recover: async (who) => began((await send("POST", "v1/recovery", who)).data),
};

const DEEDS = {
  codes: async () => saved((await send("POST", "v1/me/recovery-codes")).data),
  token: async () => saved((await send("POST", "v1/me/token")).data),
  link: async () => {
    const { data } = await send("POST", "v1/session/codes");
    await reveal(t("link_hint", { until: when(data.expires_at) }), data.code);
  },
  end: ({ id }) => send("DELETE", `v1/me/tokens/${id}`),
  leave: async () => {
    if (!(await sure(t("leave_sure"), t("sign_out")))) return;
    await send("DELETE", "v1/session");
    location.reload();
  },
  delete: async ({ name }) => {
    const typed = h("input", { "aria-label": t("name"), autocomplete: "off" });
    const asked = h("label", {}, h("span", {}, t("delete_sure", { name })), typed);
    if (!(await sure(asked, t("delete_account")))) return;
    await send("DELETE", `v1/me?${new URLSearchParams({ name: typed.value })}`);
    location.reload();
  },
};

for (const select of document.querySelectorAll("[data-pref]")) select.value = prefs.get(select.dataset.pref);

document.addEventListener("change", async ({ target }) => {
  if ("choose" in target.dataset) choose(target.value);
  const { pref } = target.dataset;
  if (pref === "notify" && target.value === "on" && (await window.Notification?.requestPermission()) !== "granted") {
    target.value = "off";
    toast(t("notify_refused"));
  }
  if (pref) prefs.set(pref, target.value);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const { target } = event;
  attempt(async () => {
    await FORMS[target.dataset.form](Object.fromEntries(new FormData(target)));
    location.reload();
  });
});

buttons(DEEDS, () => renew("tokens"));

/** Sign in; show what is told only once, whatever comes of that. */
async function began(account) {
  try {
    await signIn(account);
  } finally {
    await saved(account);
  }
}

/** Show what is told only once, until somebody says that they have it. */
async function saved({ token, recovery_codes = [] }) {
  await reveal(t("save_this"), [token, ...recovery_codes].filter(Boolean).join("\n"));
}

async function reveal(says, secret) {
  const copied = await ask(h("div", {}, h("p", {}, says), h("code", { class: "secret" }, secret)), [
    { value: true, says: t("copy") },
    { value: false, says: t("done"), kind: "main" },
  ]);
  if (!copied) return;
  await navigator.clipboard?.writeText(secret);
  await reveal(says, secret);
}
