// A worker that takes orders of a lane, says their numbers, and holds them until it is killed.
import { bytes, openOn } from "./queue_scene.ts";

const engine = await openOn([{ port: Number(Deno.args[0]) }]);
for await (const { number } of engine.take("a", { places: 3, leaseMs: 700 })) {
  await Deno.stdout.write(bytes(`${number}\n`));
}
