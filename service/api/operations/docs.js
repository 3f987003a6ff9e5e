const part = document.getElementById("part");
const search = document.getElementById("search");
const contract = document.getElementById("contract");
const NAMES = { select: "Kind", textarea: "Body", input: "Value" };
const address = () => new URL(`../openapi/${part.value}.json`, import.meta.url).href;

/** Whether an operation has all these words in its path, its summary or its description. */
function matches(operation, words) {
  const texts = ["operationId", "summary", "description"].map((name) => operation.getIn(["operation", name], ""));
  const text = [operation.get("method"), operation.get("path"), ...texts].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The operations by tag, without those that the search does not find. */
function filterOperations(tags, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  const found = tags.map((tag) => tag.update("operations", (several) => several.filter((one) => matches(one, words))));
  return found.filter((tag) => tag.get("operations").size);
}

/** Completes what Swagger UI shows: names for its fields, levels of headings, and examples that a keyboard can scroll. */
function complete() {
  for (const field of contract.querySelectorAll(":is(select, textarea, input):not([aria-label])")) {
    field.setAttribute("aria-label", field.placeholder || NAMES[field.localName]);
  }
  for (const example of contract.querySelectorAll("pre:not([tabindex])")) example.tabIndex = 0;
  for (const part of contract.querySelectorAll(".wrapper:not([role], main .wrapper, :has(main))")) {
    part.setAttribute("role", "region");
    part.setAttribute("aria-label", part.querySelector("h1, h2")?.textContent ?? part.className);
  }
  for (const heading of contract.querySelectorAll(":is(h3, h4, h5):not([aria-level])")) heading.ariaLevel = heading.localName[1] - 1;
}

const ui = SwaggerUIBundle({
  url: address(),
  dom_id: "#contract",
  deepLinking: true,
  docExpansion: "list",
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { theme: "obsidian" },
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [
    SwaggerUIBundle.plugins.DownloadUrl,
    ({ React }) => ({
      fn: { opsFilter: filterOperations },
      wrapComponents: {
        DeepLink: () => ({ text }) => React.createElement("span", null, text), // a link inside a button cannot be used
        ServersContainer: () => () => null, // there is one
      },
    }),
  ],
});

new MutationObserver(complete).observe(contract, { childList: true, subtree: true });
search.addEventListener("input", () => ui.layoutActions.updateFilter(search.value.trim()));
part.addEventListener("change", () => {
  ui.specActions.updateUrl(address());
  ui.specActions.download(address());
});
