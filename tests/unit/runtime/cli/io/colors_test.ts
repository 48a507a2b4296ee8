import { assertEquals } from "@std/assert";

import { type ColorWish, wantsColors } from "../../../../../runtime/cli/io/colors.ts";
import type { Io } from "../../../../../runtime/cli/io/io.ts";

const CASES: readonly (readonly [wish: ColorWish, env: Record<string, string>, colors: boolean])[] = [
  [{ isTerminal: true }, {}, true],
  [{ isTerminal: true }, { TERM: "dumb" }, false],
  [{ isTerminal: true }, { NO_COLOR: "1" }, false],
  [{ isTerminal: true, noColor: true }, {}, false],
  [{ isTerminal: false }, {}, false],
  [{ isTerminal: false }, { FORCE_COLOR: "1" }, true],
  [{ isTerminal: true }, { TERM: "dumb", FORCE_COLOR: "1" }, true],
  [{ isTerminal: false }, { FORCE_COLOR: "0" }, false],
  [{ isTerminal: true, noColor: true }, { FORCE_COLOR: "1" }, false],
  [{ isTerminal: true }, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
];

for (const [wish, env, colors] of CASES) {
  Deno.test(
    `wantsColors() says ${colors} to ${JSON.stringify(wish)} with ${JSON.stringify(env)}`,
    { permissions: "none" },
    () => {
      const io = { env: (name: string) => env[name] } as Partial<Io> as Io;
      assertEquals(wantsColors(io, wish), colors);
    },
  );
}
