// Applies the theme before the first paint.
try {
  document.documentElement.dataset.theme = localStorage.getItem("annals.theme") || "auto";
} catch {
  document.documentElement.dataset.theme = "auto";
}
