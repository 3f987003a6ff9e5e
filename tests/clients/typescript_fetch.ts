// What openapi-generator makes of the contract for TypeScript plays Qin to the end: arguments are URL and name.
import { EventsApi, Configuration, MatchesApi, MovesApi, PicturesApi, PlayersApi } from "./annals";
const [basePath, name] = process.argv.slice(2);
async function main() {
  const me = await new PlayersApi(new Configuration({ basePath })).registerPlayer({ newPlayer: { name } });
  const configuration = new Configuration({ basePath, accessToken: me.token });
  const [tables, playing, history] = [new MatchesApi(configuration), new MovesApi(configuration), new EventsApi(configuration)];
  let match = await tables.createMatch({ newMatch: { game: "qin", seats: [{ me: true }, { bot: "li_mu" }], clock: { bankS: 600 } } });
  const matchId = match.id;
  while (match.status !== "scored") {
    const view = match.view;
    if (view?.game !== "qin") throw new Error("not Qin");
    if (view.hands[view.seat!] === null) throw new Error("no hand");
    const legal = await playing.listLegalMoves({ matchId });
    if (legal.moves.length) {
      const receipt = await playing.makeMove({ matchId, newMove: { move: legal.moves[0] } });
      if (receipt.events[0].type !== "TilePlaced") throw new Error("no tile");
    } else await history.listEvents({ matchId, after: match.version, wait: 20 });
    match = await tables.getMatch({ matchId });
  }
  const picture = await new PicturesApi(configuration).getBoardPng({ matchId });
  if (picture.size < 1000) throw new Error("no picture");
  if (!match.result?.lines.some((line) => line.rank === 1)) throw new Error("no winner");
}
main();
