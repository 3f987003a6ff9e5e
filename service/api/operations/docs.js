SwaggerUIBundle({
  url: new URL("../openapi.yaml", document.currentScript.src).href,
  dom_id: "#contract",
  deepLinking: true,
  docExpansion: "list",
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
});
