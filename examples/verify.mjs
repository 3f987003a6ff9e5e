#!/usr/bin/env node
// Checks a bundle of a match (GET /v1/matches/{id}/export) without the service, and without any of its code:
//
//     node examples/verify.mjs BUNDLE [VKEY]
//
// VKEY is the key of the log, from a source that you trust; without it the key in the bundle is taken. What
// is checked here: the chain, what was opened, the seed, every draw, that the log has it, who signed the log. That
// the moves, the result and the board are by the rules only `annals verify` can check, so the steps `rules` and
// `score` are open. docs/audit.md explains every byte. The exit code is 1 if anything is wrong, and otherwise 2,
// because steps are open. It is 64 if there is no such file.
import { createHash, createHmac, createPublicKey, verify } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

const HEX = /^([0-9a-f]{2})*$/;
const SECRET = /^[0-9a-f]{64}$/;
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hex = (digits) => {
  if (typeof digits !== "string" || !HEX.test(digits)) throw new Wrong("This is not hexadecimal.");
  return Buffer.from(digits, "hex");
};
const base64 = (coded) => {
  const raw = Buffer.from(coded, "base64");
  if (raw.toString("base64") !== coded) throw new Wrong("This is not how base64 is written.");
  return raw;
};

class Wrong extends Error {
  constructor(says, version = null) {
    super(says);
    this.version = version;
  }
}
class Open extends Error {} // cannot be checked, or not yet

// The chain: head(v) = SHA-256("annals/entry/1\n" + head(v-1) + text(v)).
function chain(bundle) {
  let head = Buffer.alloc(32);
  bundle.entries.forEach(({ text, head: told }, place) => {
    const version = place + 1;
    if (read(text, version).version !== version) throw new Wrong("another entry stands here.", version);
    head = sha256("annals/entry/1\n", head, text);
    if (told !== head.toString("hex")) throw new Wrong("the head does not follow.", version);
  });
  if (bundle.entries.length === 0 || bundle.entries.length !== bundle.version) throw new Wrong("Entries are missing.");
  if (bundle.head !== head.toString("hex")) throw new Wrong("The head is not that of the last entry.");
  const created = read(bundle.entries[0].text, 1).events[0];
  const same = ["match", "game", "seed_hash"].every((name) => created[name] === bundle[name]);
  if (created.type !== "Created" || !same) throw new Wrong("it is of another match than the bundle says.", 1);
  return `${bundle.version} entries, head ${bundle.head}.`;
}

// Openings: SHA-256(salt + fact) stands where the fact belongs.
function openings(bundle) {
  const count = bundle.entries.reduce((sum, entry) => sum + entry.openings.length, 0);
  const hidden = opened(bundle).flatMap(commitments).length;
  if (hidden && revealed(bundle) !== null) throw new Wrong(`${hidden} commitments are not opened.`);
  viewer(bundle, hidden);
  return `${count} commitments opened, ${hidden} hidden.`;
}

// Until all is opened, a bundle opens what the seat in `as` may know, and nothing else.
function viewer(bundle, hidden) {
  const { as } = bundle;
  if (as !== null && !(as in chairs(bundle))) throw new Wrong(`The match has no seat ${as}.`);
  if (hidden === 0 && as !== null) throw new Open(`the bundle is for seat ${as}, but it opens what all seats know.`);
  if (hidden === 0) return;
  opened(bundle).forEach(({ move, events }, place) => {
    const owners = bundle.entries[place].openings.map(({ field }) =>
      field === "move" ? move.seat : events[field.split(".")[1]].seat,
    );
    if (owners.some((seat) => seat !== as)) throw new Wrong(`an opening is not for the seat ${as}.`, place + 1);
    const own = events.filter(({ seat }) => seat !== undefined && seat === as);
    if (own.flatMap(Object.values).some(isCommitment)) throw new Wrong(`an opening for seat ${as} is missing.`, place + 1);
  });
}

const chairs = (bundle) => read(bundle.entries[0].text, 1).events[0].chairs;

function opened(bundle) {
  return bundle.entries.map(({ text, openings }, place) => {
    const said = read(text, place + 1);
    for (const { field, salt, fact } of openings) {
      const [inner, name] = within(said, field, place + 1);
      const committed = sha256(secret(salt), fact).toString("hex");
      if (Object.keys(inner[name] ?? {}).join() !== "commitment" || inner[name].commitment !== committed)
        throw new Wrong(`${field} was not what its opening says.`, place + 1);
      inner[name] = JSON.parse(fact);
    }
    return said;
  });
}

function within(said, field, version) {
  const [first, number, name, ...more] = field.split(".");
  if (field === "move") return [said, "move"];
  const event = first === "events" && /^\d+$/.test(number) && more.length === 0 ? said.events[number] : undefined;
  if (!event || !Object.hasOwn(event, name)) throw new Wrong(`an opening is for ${field}, which is not there.`, version);
  return [event, name];
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isCommitment = (value) => value !== null && typeof value === "object" && Object.keys(value).join() === "commitment";
const commitments = (said) => [said.move, ...said.events.flatMap((event) => Object.values(event))].filter(isCommitment);

function read(text, version) {
  try {
    const said = JSON.parse(text, finite);
    const numbers = [said.version, said.at, said.rules, said.format ?? 0].every(Number.isInteger);
    const formed = numbers && typeof said.kind === "string" && typeof said.actor === "string" && Array.isArray(said.events);
    const members = "format" in said ? `format ${TEXT}` : TEXT;
    if (!formed || !exactly(said, members) || !(said.move === null || isObject(said.move)) || !said.events.every(isObject))
      throw new Error("no entry");
    if (said.version === 1 && said.format !== 1) throw new Error("another format");
    return said;
  } catch (error) {
    throw new Wrong(`its text is not that of an entry (${error.message}).`, version);
  }
}

function finite(_, value) {
  if (value === Infinity || value === -Infinity) throw new Error("a number without end");
  return value;
}

// The seed: its hash was published, and every salt is an HMAC with what salts follow from.
function seed(bundle) {
  const over = end(bundle);
  if (over && over.seed !== bundle.seed) throw new Wrong("it reveals another seed than the bundle has.", over.version);
  if (sha256(needed(bundle)).toString("hex") !== bundle.seed_hash) throw new Wrong("its hash is another one.", 1);
  const key = secret(bundle.salts);
  bundle.entries.forEach(({ openings }, place) => {
    for (const { field, salt } of openings) {
      const name = `salt|${bundle.match}|${place + 1}|${field}`;
      if (createHmac("sha256", key).update(name).digest("hex") !== salt)
        throw new Wrong(`the salt of ${field} is another one.`, place + 1);
    }
  });
  return `its hash is ${bundle.seed_hash}; all salts follow from it.`;
}

// The entry that reveals the seed; undefined while the match goes on.
function end(bundle) {
  return bundle.entries
    .flatMap(({ text }, place) => read(text, place + 1).events.map((event) => ({ ...event, version: place + 1 })))
    .find(({ type }) => type === "Scored" || type === "Aborted");
}

// The seed of the bundle, or else the one that the end reveals; null while the match goes on.
const revealed = (bundle) => bundle.seed ?? end(bundle)?.seed ?? null;

function needed(bundle) {
  const seed = revealed(bundle);
  if (seed === null) throw new Open("the seed is not revealed yet.");
  return secret(seed);
}

function secret(digits) {
  if (!SECRET.test(digits)) throw new Wrong("A secret has 64 hexadecimal digits.");
  return hex(digits);
}

// Every draw: the n-th 8 bytes that HMAC gives for "<draw>|<n>", those too large to be fair left out.
function draws(bundle) {
  let [key, next, numbers] = [null, 0, 0];
  const server = needed(bundle);
  opened(bundle).forEach(({ events, rules }, place) => {
    if (rules > bundle.rules) throw new Wrong("its rules are newer than those of the bundle.", place + 1);
    const started = events.find((event) => event.type === "Started");
    if (started) key = sha256("annals/seed/1", server, ...started.nonces.map((one) => (one ? hex(one) : Buffer.alloc(32))));
    const fell = events.filter((event) => event.type === "DiceFell");
    const told = bundle.entries[place].draws;
    if (fell.length > 1 || (fell.length === 1 && fell[0].draw !== next))
      throw new Wrong("draws are not counted one by one.", place + 1);
    if (told.length > 0 !== (fell.length > 0 && rules === bundle.rules))
      throw new Wrong("a draw has no numbers, or numbers have no draw.", place + 1);
    next += fell.length;
    numbers += told.length;
    let counter = 0;
    for (const [sides, number] of told) {
      const limit = 2n ** 64n - (2n ** 64n % BigInt(sides));
      let raw;
      do raw = createHmac("sha256", key).update(`${next - 1}|${counter++}`).digest().readBigUInt64BE();
      while (raw >= limit);
      if (raw % BigInt(sides) !== BigInt(number)) throw new Wrong("a draw is another one.", place + 1);
    }
  });
  const { rules } = read(bundle.entries.at(-1).text, bundle.version);
  if (rules !== bundle.rules)
    throw new Open(`version ${bundle.rules} of the rules wrote the bundle, version ${rules} the last entry.`);
  return `${numbers} numbers in ${next} draws.`;
}

// What only the rules of the game can show; this program does not know them.
function rules() {
  throw new Open("only `annals verify` can check that the moves and the board are by the rules.");
}

function score() {
  throw new Open("only `annals verify` can check that the result is by the rules.");
}

// Inclusion (RFC 6962): from the leaf up to the root that the checkpoint tells.
function inclusion(bundle) {
  for (const proof of proofs(bundle)) {
    agrees(bundle, readLeaf(proof.leaf));
    const { size, root } = checkpoint(proof.text);
    let [index, last, hash] = [proof.index, size - 1n, sha256(Buffer.of(0), proof.leaf)];
    if (index > last) throw new Wrong("The leaf is not in this checkpoint.");
    for (const other of proof.hashes) {
      if (last === 0n) throw new Wrong("The proof is too long.");
      if (index & 1n || index === last) {
        hash = sha256(Buffer.of(1), other, hash);
        while (!(index & 1n) && index) [index, last] = [index >> 1n, last >> 1n];
      } else hash = sha256(Buffer.of(1), hash, other);
      [index, last] = [index >> 1n, last >> 1n];
    }
    if (last !== 0n || !hash.equals(root)) throw new Wrong("The leaf is not in the log of this checkpoint.");
  }
  complete(bundle, proofs(bundle).map(({ leaf }) => readLeaf(leaf)));
  return `${proofs(bundle).length} leaves are in the log.`;
}

function agrees(bundle, leaf) {
  if (leaf.match !== bundle.match) throw new Wrong("A leaf is about another match.");
  if (leaf.version) {
    if (bundle.entries[leaf.version - 1]?.head !== leaf.head) throw new Wrong("the log has another head of it.", leaf.version);
    return;
  }
  if (leaf.seed_hash !== bundle.seed_hash) throw new Wrong("The log has another hash of the seed.");
  const promised = chairs(bundle).map(({ commitment }) => (commitment ? hex(commitment) : Buffer.alloc(32)));
  const nonces = sha256(...promised).toString("hex");
  if (leaf.nonces !== nonces) throw new Wrong("The log has other nonces of the seats.");
}

// A leaf is a text of these lines: the opening of a match, or its head at a version.
const OPENING = /^annals\/v1\nopen\nmatch (?<match>[!-~]{1,100})\nseed_hash (?<seed_hash>[0-9a-f]{64})\nnonces (?<nonces>[0-9a-f]{64})\n$/;
const HEAD = /^annals\/v1\nhead\nmatch (?<match>[!-~]{1,100})\nversion (?<version>[1-9][0-9]{0,14})\nhead (?<head>[0-9a-f]{64})\nstate (?:ended|turn|aborted)\n$/;

function readLeaf(raw) {
  const said = (OPENING.exec(raw.toString()) ?? HEAD.exec(raw.toString()))?.groups;
  if (!said) throw new Wrong("This is no leaf of a match.");
  return { ...said, version: said.version && Number(said.version) };
}

// The log must have the opening of the match and its end, or a head of a match that goes on.
function complete(bundle, leaves) {
  if (leaves.every(({ version }) => version)) throw new Open("the opening is not shown to be in the log.");
  const versions = leaves.flatMap(({ version }) => version ?? []);
  if (versions.length === 0) throw new Open("no head of the match is shown to be in the log.");
  once(bundle.proofs);
  const over = end(bundle);
  if (over && Math.max(...versions) < over.version) throw new Open("the end of the match is not shown to be in the log.");
}

// The note (C2SP signed-note): Ed25519 over the text of the checkpoint.
function note(bundle, vkey) {
  const keys = vkey ? [vkey] : bundle.keys;
  for (const { text, signatures } of proofs(bundle)) {
    const { origin } = checkpoint(text);
    const signed = keys.map(readKey).some((key) => key.name === origin && signatures.some((one) => signedBy(key, text, one)));
    if (!signed) throw new Wrong(`The checkpoint of ${origin} has no signature by a known key.`);
  }
  once(bundle.keys);
  return `signed with ${vkey ? "a key that you trust" : "the key that the bundle itself names"}.`;
}

function signedBy(key, text, { name, value }) {
  if (name !== key.name || !value.subarray(0, 4).equals(key.id)) return false;
  if (!verify(null, Buffer.from(text), key.ed25519, value.subarray(4))) throw new Wrong(`A signature of ${name} does not fit.`);
  return true;
}

function readKey(vkey) {
  const [, name, id, coded] = vkey.match(/^([^+ ]+)\+([0-9a-f]{8})\+(.+)$/) ?? [];
  const raw = base64(coded ?? "");
  if (raw[0] !== 1 || !sha256(`${name}\n`, raw).subarray(0, 4).equals(hex(id))) throw new Wrong("This is no key of a log.");
  const spki = Buffer.concat([hex("302a300506032b6570032100"), raw.subarray(1)]);
  return { name, id: hex(id), ed25519: createPublicKey({ key: spki, format: "der", type: "spki" }) };
}

// A proof (C2SP tlog-proof): its first lines, then the checkpoint with its signatures.
function proofs(bundle) {
  if (bundle.proofs.length === 0) throw new Open("there is no proof in the bundle.");
  return bundle.proofs.map((raw) => {
    const [head, text, lines, ...more] = raw.split("\n\n");
    const [kind, extra, index, ...hashes] = head.split("\n");
    const [last, ...signed] = (lines ?? "").split("\n").reverse();
    const signatures = signed.map((line) => line.match(/^\u2014 (\S+) (\S+)$/));
    const formed = kind === "c2sp.org/tlog-proof@v1" && /^extra /.test(extra) && /^index (0|[1-9]\d*)$/.test(index);
    if (!formed || last !== "" || more.length || signatures.length === 0 || signatures.includes(null))
      throw new Wrong("This is not a proof of a transparency log.");
    return {
      leaf: base64(extra.slice(6)),
      index: BigInt(index.slice(6)),
      hashes: hashes.map(base64),
      text: `${text}\n`,
      signatures: signatures.map(([, name, value]) => ({ name, value: base64(value) })),
    };
  });
}

function once(list) {
  if (new Set(list).size < list.length) throw new Open("a proof or a key is in the bundle twice.");
}

function checkpoint(text) {
  const [origin, size, root] = text.split("\n");
  if (!/^\d+$/.test(size)) throw new Wrong("This is not a checkpoint.");
  return { origin, size: BigInt(size), root: base64(root) };
}

// A bundle has these members and no others, of these types. Only the first text has a format.
const TEXT = "version kind actor at rules move events";
const ENTRY = "text head openings draws";
const OPENING_MEMBERS = "field salt fact";
const BUNDLE = "bundle match game rules version head seed_hash seed salts as board entries proofs keys";
const exactly = (object, members) => Object.keys(object).sort().join(" ") === members.split(" ").sort().join(" ");

function check(bundle) {
  const strings = (list) => Array.isArray(list) && list.every((one) => typeof one === "string" && !/\p{Surrogate}/u.test(one));
  const opening = (one) => exactly(one, OPENING_MEMBERS) && strings([one.field, one.salt, one.fact]);
  const draw = (one) => one.length === 2 && one.every((number) => Number.isInteger(number));
  const entry = (one) =>
    exactly(one, ENTRY) && strings([one.text, one.head]) && one.openings.every(opening) && one.draws.every(draw);
  const { bundle: format, match, game, head, seed_hash, version, rules, seed, salts, as, board } = bundle;
  if (format !== 1 || !exactly(bundle, BUNDLE)) throw new Wrong("This bundle has another format.");
  const told = strings([match, game, head, seed_hash]) && [version, rules, as ?? 0].every(Number.isInteger);
  const secrets = [seed, salts].every((one) => one === null || strings([one]));
  if (!told || !secrets || !bundle.entries.every(entry) || !strings(bundle.proofs) || !strings(bundle.keys) || !isObject(board))
    throw new Wrong("This is not a bundle of a match.");
}

// Checks the text of a bundle; returns the outcome of each step, and what it found.
export function outcomes(text, vkey) {
  try {
    check(JSON.parse(text));
  } catch (error) {
    return [["WRONG", "bundle", error.message]];
  }
  return [chain, openings, seed, draws, rules, score, inclusion, note].map((step) => {
    try {
      return ["ok", step.name, step(JSON.parse(text), vkey)];
    } catch (error) {
      const where = error.version ? `version ${error.version}: ` : "";
      return [error instanceof Open ? "open" : "WRONG", step.name, `${where}${error.message}`];
    }
  });
}

function main(file, vkey) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    console.error(`usage: node verify.mjs BUNDLE [VKEY] (${error.message})`);
    return 64;
  }
  const found = outcomes(text, vkey);
  for (const [outcome, name, says] of found) console.log(`${outcome.padEnd(6)} ${name}: ${says}`);
  return found.some(([outcome]) => outcome === "WRONG") ? 1 : 2;
}

const [, program, ...words] = process.argv;
if (program && import.meta.url === pathToFileURL(realpathSync(program)).href) process.exit(main(...words));
