// What hey-api makes of the contract plays a game: URL, name, game, level.
import { createMatch, getMatch, listEvents, listLegalMoves, makeMove, registerPlayer, resign } from "./hey_api_client";
import { client } from "./hey_api_client/client.gen";
const MAX_MOVES = 30;
const [baseUrl, name, game, level] = process.argv.slice(2);
async function main() {
  client.setConfig({ baseUrl, throwOnError: true });
  const { data: me } = await registerPlayer({ body: { name } });
  client.setConfig({ auth: me!.token });
  const { data: opened } = await createMatch({ body: { game, seats: [{ me: true }, { bot: level }], clock: { bank_s: 600 } } });
  let match = opened!;
  const path = { match_id: match.id };
  for (let moves = 0; match.status !== "scored"; ) {
    if (match.view?.game !== game) throw new Error("another game");
    const move = (await listLegalMoves({ path })).data!.moves[0];
    if (move && moves === MAX_MOVES) await resign({ path });
    else if (move) {
      const { data: receipt } = await makeMove({ path, body: { move } });
      if (!receipt!.events.every((event) => event.type)) throw new Error("no event");
      moves++;
    } else await listEvents({ path, query: { after: match.version, wait: 20 } });
    match = (await getMatch({ path })).data!;
  }
  if (!match.result?.lines.some((line) => line.rank === 1)) throw new Error("no winner");
}
main();
