// What openapi-generator makes of the contract for TypeScript plays a game: URL, name, game, level.
import { EventsApi, Configuration, MatchesApi, MovesApi, PicturesApi, PlayersApi, WebhooksApi } from "./annals";
const MAX_MOVES = 30;
const [basePath, name, game, level] = process.argv.slice(2);
async function main() {
  const me = await new PlayersApi(new Configuration({ basePath })).registerPlayer({ newPlayer: { name } });
  const configuration = new Configuration({ basePath, accessToken: me.token });
  const [tables, playing, history] = [new MatchesApi(configuration), new MovesApi(configuration), new EventsApi(configuration)];
  let match = await tables.createMatch({ newMatch: { game, seats: [{ me: true }, { bot: level }], clock: { bankS: 600 } } });
  const matchId = match.id;
  if ((await new WebhooksApi(configuration).listWebhooks()).webhooks.length) throw new Error("a webhook");
  for (let moves = 0; match.status !== "scored"; ) {
    if (match.view?.game !== game) throw new Error("another game");
    const [move] = (await playing.listLegalMoves({ matchId })).moves;
    if (move && moves === MAX_MOVES) await playing.resign({ matchId });
    else if (move) {
      const receipt = await playing.makeMove({ matchId, newMove: { move } });
      if (!receipt.events.every((event) => event.type)) throw new Error("no event");
      moves++;
    } else await history.listEvents({ matchId, after: match.version, wait: 20 });
    match = await tables.getMatch({ matchId });
  }
  const picture = await new PicturesApi(configuration).getBoardPng({ matchId });
  if (picture.size < 1000) throw new Error("no picture");
  if (!match.result?.lines.some((line) => line.rank === 1)) throw new Error("no winner");
}
main();
