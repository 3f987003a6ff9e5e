SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#contract",
  deepLinking: true,
  docExpansion: "list",
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
});
