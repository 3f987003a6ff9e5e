// The public REST interface, as the page uses it.

const { dataset } = document.documentElement;

export const root = dataset.root;
export const language = dataset.language;
export const me = dataset.me || null; // the id of the player who looks

const TRIES = 4;
const SOME_MS = 400;
const LONGEST_MS = 30_000;

/** Why a request was refused, as its problem document says it; status 0 if there is no connection. */
export class Problem extends Error {
  constructor(status, content, retryAfter) {
    super(content.detail || content.title || "");
    Object.assign(this, { errors: [] }, content, { status, retryAfter }); // seconds, or null
  }
}

/** The address of something of the service, below the root: `url("v1/matches", {game: "qin"})`. */
export function url(path, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given).toString();
  return root + path + (query && `?${query}`);
}

/** Read something: its `data` (JSON, or else text), its `etag`; throws a Problem. */
export async function get(path, params) {
  return await asked(url(path, params), { headers: { "Accept-Language": language } });
}

/**
 * Send a command, again with the same key while the connection breaks, so that it is carried out
 * once. `version` is that of the match which it was meant for. Throws a Problem.
 */
export async function send(method, path, body, { version, key = chance(16) } = {}) {
  const headers = { "Accept-Language": language, "Idempotency-Key": key };
  if (me) headers["Annals-Player"] = me; // who is signed in may be another by now, in another tab
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  if (body !== undefined && body !== null) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  for (let tried = 1; ; tried++) {
    try {
      return await asked(url(path), { method, headers, body });
    } catch (problem) {
      const again = problem.status === 0 || [502, 503, 504].includes(problem.status);
      if (!again || tried === TRIES) throw problem;
      await new Promise((done) => setTimeout(done, (problem.retryAfter ?? 0) * 1000 || SOME_MS * 2 ** tried));
    }
  }
}

/** Random bytes in hex: nobody else has the same, or could know them before. */
export function chance(bytes) {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes)); // all that there is without https
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function asked(address, options) {
  let answer, data, json;
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    answer = await fetch(address, { credentials: "same-origin", signal, ...options });
    json = /[/+]json/.test(answer.headers.get("Content-Type") || "");
    data = await (json ? answer.json() : answer.text());
  } catch {
    throw new Problem(0, { code: "no_connection" }, null);
  }
  if (answer.ok) return { data, etag: answer.headers.get("ETag"), status: answer.status };
  const seconds = answer.headers.get("Retry-After");
  throw new Problem(answer.status, json ? data : {}, seconds === null ? null : Number(seconds));
}
