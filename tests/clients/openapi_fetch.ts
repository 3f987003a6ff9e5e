// What openapi-typescript makes of the contract, with openapi-fetch, plays Qin to the end: arguments are URL and name.
import createClient from "openapi-fetch";
import type { paths } from "./annals";
const [url, name] = process.argv.slice(2);
async function main() {
  const nobody = createClient<paths>({ baseUrl: url });
  const { data: me } = await nobody.POST("/v1/players", { body: { name } });
  const annals = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${me!.token}` } });
  const { data: opened } = await annals.POST("/v1/matches", { body: { game: "qin", seats: [{ me: true }, { bot: "li_mu" }], clock: { bank_s: 600 } } });
  let match = opened!;
  const path = { match_id: match.id };
  while (match.status !== "scored") {
    const view = match.view;
    if (view?.game !== "qin") throw new Error("not Qin");
    const hands: (string[] | null)[] = view.hands;
    if (hands[view.seat!] === null) throw new Error("no hand");
    const { data: legal } = await annals.GET("/v1/matches/{match_id}/legal-moves", { params: { path } });
    if (legal!.moves.length) {
      const { data: receipt } = await annals.POST("/v1/matches/{match_id}/moves", { params: { path }, body: { move: legal!.moves[0] } });
      if (receipt!.events[0].type !== "TilePlaced") throw new Error("no tile");
    } else await annals.GET("/v1/matches/{match_id}/events", { params: { path, query: { after: match.version, wait: 20 } } });
    match = (await annals.GET("/v1/matches/{match_id}", { params: { path } })).data!;
  }
  if (!match.result?.lines.some((line) => line.rank === 1)) throw new Error("no winner");
}
main();
