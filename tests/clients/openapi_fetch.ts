// What openapi-typescript makes of the contract, with openapi-fetch, plays a game: URL, name, game, level.
import createClient from "openapi-fetch";
import type { paths } from "./annals";
const MAX_MOVES = 30;
const [url, name, game, level] = process.argv.slice(2);
async function main() {
  const nobody = createClient<paths>({ baseUrl: url });
  const { data: me } = await nobody.POST("/v1/players", { body: { name } });
  const annals = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${me!.token}` } });
  const { data: opened } = await annals.POST("/v1/matches", { body: { game, seats: [{ me: true }, { bot: level }], clock: { bank_s: 600 } } });
  let match = opened!;
  const path = { match_id: match.id };
  for (let moves = 0; match.status !== "scored"; ) {
    if (match.view?.game !== game) throw new Error("another game");
    const { data: legal } = await annals.GET("/v1/matches/{match_id}/legal-moves", { params: { path } });
    const move = legal!.moves[0];
    if (move && moves === MAX_MOVES) await annals.POST("/v1/matches/{match_id}/resign", { params: { path } });
    else if (move) {
      const { data: receipt } = await annals.POST("/v1/matches/{match_id}/moves", { params: { path }, body: { move } });
      if (!receipt!.events.every((event) => event.type)) throw new Error("no event");
      moves++;
    } else {
      const { data: page } = await annals.GET("/v1/matches/{match_id}/events", { params: { path, query: { after: match.version, wait: 20 } } });
      const next: number | null = page!.next;
      if (next !== null && next <= match.version) throw new Error("no next page");
    }
    match = (await annals.GET("/v1/matches/{match_id}", { params: { path } })).data!;
  }
  if (!match.result?.lines.some((line) => line.rank === 1)) throw new Error("no winner");
}
main();
