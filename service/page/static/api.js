// Requests to the public REST interface.

const { dataset } = document.documentElement;

export const root = dataset.root;
export const language = dataset.language;
export const house = dataset.house; // the name of the service
export const me = dataset.me || null; // the id of the visitor's player

const MAX_TRIES = 4;
const BASE_DELAY_MS = 400;
const MAX_DELAY_MS = 15_000;
const TIMEOUT_MS = 10_000;

/** A problem document; status 0 if there is no connection. */
export class Problem extends Error {
  constructor(status, content, retryAfter) {
    super(content.detail || content.title || "");
    Object.assign(this, { errors: [] }, content, { status, retryAfter }); // seconds, or null
  }
}

const FINAL = ["corrupt", "analysis_failed"];

/** Whether the same request may succeed later: the service has not answered, or has not decided. */
export const isTemporary = (problem) => (problem?.status >= 500 && !FINAL.includes(problem.code)) || [0, 429].includes(problem?.status);

/** A URL of the service: `url("v1/matches", {game: "qin"})`. */
export function url(path, params = {}) {
  const set = Object.entries(params).filter(([, value]) => (value ?? null) !== null);
  const query = new URLSearchParams(set).toString();
  return root + path + (query && `?${query}`);
}

/**
 * GET: `data` (JSON or text), `etag`, `status`, `retryAfter` (s). With `language` in the address, the headers are
 * those for an image. Throws a Problem.
 */
export function get(path, params) {
  return request(url(path, params), { headers: params?.language ? {} : { "Accept-Language": language } });
}

/** GET all pages of a list, from the one `after` a place: what they have under `member`. Throws a Problem. */
export async function getAll(path, member, after) {
  const { data } = await get(path, { after });
  return data[member].concat(data.next ? await getAll(path, member, data.next) : []);
}

/** The present content of this page. Throws a Problem. */
export async function getPage() {
  const { data } = await request(location.href, { headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(data, "text/html");
}

/**
 * A function that runs `read` until it has succeeded; a call while it runs makes it run once more.
 * Other errors than temporary ones end it, and go to `onError`; `onChange(running)` tells when it
 * begins and ends.
 */
export function persistent(read, onError = reportFault, onChange = () => {}) {
  let [running, again] = [false, false];
  return async () => {
    again = true;
    if (running) return;
    running = true;
    try {
      for (let delay = BASE_DELAY_MS; again; ) {
        again = false;
        onChange(true);
        const problem = await read().then(() => null, (error) => error);
        if (isTemporary(problem)) {
          again = true;
          await pause(problem.retryAfter * 1000 || delay, !problem.retryAfter);
          delay = Math.min(2 * delay, MAX_DELAY_MS);
        } else if (problem) onError(problem);
        else delay = BASE_DELAY_MS;
      }
    } finally {
      running = false;
      onChange(false);
    }
  };
}

/** Wait; with `eager` only until the device is online again. */
const pause = (ms, eager) =>
  new Promise((done) => {
    setTimeout(done, ms);
    if (eager) addEventListener("online", done, { once: true });
  });

/** Refusals concern what the page shows; anything else is a fault. */
function reportFault(problem) {
  if (!(problem.status >= 400 && problem.status < 500)) reportError(problem);
}

/**
 * Send a command. Retries use the same key, so that it is carried out once. `version` is the version
 * of the match that the visitor has seen; `maxTries` is 1 for what the caller may no longer want
 * later, and `over.abort()` takes it back. Throws a Problem.
 */
export async function send(method, path, body, { version, key = randomHex(16), maxTries = MAX_TRIES, over } = {}) {
  const headers = { "Accept-Language": language, "Idempotency-Key": key };
  if (me) headers["Annals-Player"] = me; // another tab may have signed in since
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  if (body !== undefined && body !== null) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  for (let tries = 1; ; tries++) {
    try {
      return await request(url(path), { method, headers, body, over });
    } catch (problem) {
      if (!isTemporary(problem) || problem.status === 429 || tries === maxTries) throw problem;
      await new Promise((done) => setTimeout(done, (problem.retryAfter ?? 0) * 1000 || BASE_DELAY_MS * 2 ** tries));
    }
  }
}

/** Random bytes in hex. */
export function randomHex(bytes) {
  const random = crypto.getRandomValues(new Uint8Array(bytes)); // works without https, too
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function request(address, { over = new AbortController(), ...options }) {
  let response, data, json;
  const timer = setTimeout(() => over.abort(), TIMEOUT_MS);
  try {
    response = await fetch(address, { credentials: "same-origin", signal: over.signal, ...options });
    json = /[/+]json/.test(response.headers.get("Content-Type") || "");
    data = await (json ? response.json() : response.text());
  } catch {
    throw new Problem(0, { code: "no_connection" }, null);
  } finally {
    clearTimeout(timer);
  }
  const seconds = response.headers.get("Retry-After");
  const retryAfter = seconds === null ? null : Number(seconds);
  if (response.ok) return { data, etag: response.headers.get("ETag"), status: response.status, retryAfter };
  throw new Problem(response.status, json ? data : {}, retryAfter);
}
