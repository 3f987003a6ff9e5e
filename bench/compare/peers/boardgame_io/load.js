// Plays matches: `node load.js PORT MATCHES MOVES together|in-turn` prints the milliseconds of each
// move, and of all of them, as JSON.
const { io } = require("socket.io-client");

const [port, matches, moves, how] = process.argv.slice(2);
const url = `http://127.0.0.1:${port}`;
const latencies = [];

async function opened() {
  const answer = await fetch(`${url}/games/placing/create`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ numPlayers: 2 }),
  });
  const { matchID } = await answer.json();
  const socket = io(`${url}/placing`, { transports: ["websocket"], forceNew: true });
  const synced = new Promise((done) => socket.once("sync", done));
  socket.emit("sync", matchID, "0", undefined, 2);
  await synced;
  return { matchID, socket };
}

async function play({ matchID, socket }) {
  let stateID = 0;
  for (let cell = 0; cell < Number(moves); cell++) {
    const playerID = String(cell % 2);
    const action = { type: "MAKE_MOVE", payload: { type: "place", args: [cell], playerID } };
    const began = performance.now();
    const answered = new Promise((done) => socket.once("update", (_, state) => done(state)));
    socket.emit("update", action, stateID, matchID, playerID);
    const state = await answered;
    latencies.push(performance.now() - began);
    if (state.G.cells[cell] !== playerID) throw new Error("the move was not made");
    stateID = state._stateID;
  }
}

async function main() {
  const all = [];
  for (let number = 0; number < Number(matches); number++) all.push(await opened());
  const began = performance.now();
  if (how === "together") await Promise.all(all.map(play));
  else for (const one of all) await play(one);
  const whole = performance.now() - began;
  for (const { socket } of all) socket.close();
  console.log(JSON.stringify({ latencies, whole }));
}

main();
