// Subscribes this browser to push messages; loaded by the settings, and on browsers that are subscribed.

import { get, me, root, send } from "../api.js";
import { prefs } from "../prefs.js";

const PATH = "v1/me/push-subscriptions";

/** Why this browser can't subscribe: `ios` before the page is on the Home Screen, `denied`, `unsupported`; or null. */
export function obstacle() {
  if (!("PushManager" in window && "serviceWorker" in navigator)) return navigator.standalone === false ? "ios" : "unsupported";
  return Notification.permission === "denied" ? "denied" : null;
}

/** Whether this browser is subscribed for the visitor. */
export const isOn = () => !!me && prefs.get("push") === me;

/** One change at a time, of all pages: else one that renews could follow one that ends. */
const alone = (change) => navigator.locks.request("push", change);

/** Subscribe, after a touch: the browser asks the visitor. Throws a Problem, or an error of the browser. */
export const turnOn = () => alone(async () => {
  if ((await Notification.requestPermission()) === "granted") await subscribe((await get(PATH)).data.key);
});

/** End the subscription of this browser. */
export const turnOff = () => alone(async () => {
  const id = prefs.get("push-id");
  prefs.set("push", "");
  await (await current())?.unsubscribe();
  await send("DELETE", `${PATH}/${id}`).catch((problem) => {
    if (problem.status !== 404) throw problem;
  });
});

/** Subscribe again if the browser or the server has lost the subscription, or has another key or language. */
export const renew = () => alone(async () => {
  if (!isOn()) return;
  if (Notification.permission !== "granted") return prefs.set("push", "");
  const { key, subscriptions } = (await get(PATH)).data;
  const known = await current();
  const own = subscriptions.find(({ id }) => id === prefs.get("push-id"));
  if (own) prefs.set("push-kinds", JSON.stringify(own.kinds));
  if (known && keyOf(known) === key && own?.language === document.documentElement.lang) return;
  await subscribe(key, JSON.parse(prefs.get("push-kinds")));
});

/** Subscribe about some kinds; without these, about what the server has for the visitor. */
async function subscribe(key, kinds) {
  await navigator.serviceWorker.register(`${root}sw.js`);
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known && keyOf(known) !== key) await known.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  const { data } = await send("POST", PATH, { endpoint, keys, kinds, language: document.documentElement.lang });
  prefs.set("push-id", data.id);
  prefs.set("push-kinds", JSON.stringify(data.kinds));
  prefs.set("push", me);
}

const current = async () => (await navigator.serviceWorker.getRegistration(root))?.pushManager.getSubscription();

/** The key of the server with which a subscription was made, in base64url. */
function keyOf({ options }) {
  const letters = String.fromCharCode(...new Uint8Array(options.applicationServerKey));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
