import { type Attack, attackTests, type Place, sampled } from "../attack.ts";

const ASK = JSON.stringify({ tools: { "*": { permission: "confirm" } } });
const FLAGS = ["--config", "<home>/ask.json"];

/** What may stand on stdin of a run that no terminal has. */
const PIPED: Readonly<Record<string, string>> = {
  "y": "y\n",
  "a, for the whole run": "a\n",
  "yes": "yes\n",
  "y, many times": "y\n".repeat(500),
  "y with a carriage return": "y\r\n",
  "an empty line": "\n",
};

async function writeWith({ run, flags, ws }: Place, options: Parameters<Place["run"]>[1]): Promise<void> {
  const { code, stdout } = await run(["call", "Write", "path=made.txt", "content=x", ...flags], options);
  const isThere = [...Deno.readDirSync(ws)].some(({ name }) => name === "made.txt");
  if (isThere || code === 0) throw new Error(`ended with ${code}: ${stdout}`);
}

const piped = Object.entries(PIPED).map(([what, stdin], at): Attack => ({
  id: `5-${101 + at}`,
  title: `consent from a pipe: ${what}`,
  files: { "home/ask.json": ASK },
  flags: FLAGS,
  act: (place) => writeWith(place, { stdin }),
  absent: ["made.txt"],
}));

attackTests(5, sampled(piped));
