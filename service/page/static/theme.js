// Before anything is shown: light or dark, as somebody has set it on this device.
try {
  document.documentElement.dataset.theme = localStorage.getItem("annals.theme") || "auto";
} catch {
  document.documentElement.dataset.theme = "auto";
}
