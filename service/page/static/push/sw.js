// Shows push messages, also while no page is open. Pages never come from here.

self.addEventListener("push", (event) => {
  const { notification = {}, app_badge: count } = read(event.data);
  const { title = self.location.host, navigate = "./", ...options } = notification;
  const address = self.location.origin + new URL(navigate, self.registration.scope).pathname; // never that of another site
  const shown = self.registration.showNotification(title, { ...options, data: address });
  event.waitUntil(Promise.all([shown, Number.isInteger(count) && navigator.setAppBadge?.(count)]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** The message; one that can't be read is shown, too: a browser ends a subscription that shows nothing. */
function read(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}

/** Go to the open page with this address, or open one. */
async function open(address) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = pages.find(({ url }) => new URL(url).pathname === new URL(address).pathname);
  return shown ? shown.focus() : self.clients.openWindow(address);
}
