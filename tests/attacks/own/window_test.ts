import { assertEquals, assertMatch } from "@std/assert";

import { exists } from "../../../runtime/walls/files/file_facts.ts";
import { until } from "../../support/cli/processes.ts";
import { type Attack, attackTests, type Place } from "../attack.ts";

const FLAGS = ["--allow-run=bash"];
/** What a program makes at once, and then stays. */
const PLANTED = [
  ".vscode/tasks.json",
  ".envrc",
  ".mcp.json",
  ".husky/pre-commit",
  "sub/.idea/x",
  "new/.git/hooks/pre-commit",
];
const PLANT = PLANTED.map((path) => `mkdir -p $(dirname ${path}); echo x > ${path}; chmod +x ${path}`).join(
  "; ",
);
/** Longer than such a file may stand, on a loaded machine. */
const STANDS_MS = 30_000;

function standing({ ws }: Place): string[] {
  return PLANTED.filter((path) => exists(`${ws}/${path}`));
}

function planting(place: Place) {
  const words = ["call", "Bash", `command=${PLANT}; sleep 100`, "timeout=100", ...place.flags];
  return place.start(words, { timeoutMs: 110_000 });
}

/** Ends a run while its program runs; what stands then is moved by it or by the next run, which says so. */
function ended(id: string, signals: readonly Deno.Signal[], code: number): Attack {
  return {
    id,
    title: `planted files after ${signals.join(", ")}`,
    flags: FLAGS,
    async act(place) {
      const running = planting(place);
      await until("a planted file", () => standing(place).length > 0, 60_000, 0);
      for (const signal of signals) {
        running.kill(signal);
        await new Promise((resolve) => setTimeout(resolve));
      }
      const isKilled = signals[0] === "SIGKILL";
      assertEquals((await running.ended()).code, code);
      if (!isKilled) assertEquals(standing(place), []);
      const { stderr } = await place.run(["call", "Glob", "pattern=nothing"]);
      if (isKilled) assertMatch(stderr, /was killed while its program ran/);
      assertEquals([standing(place), [...Deno.readDirSync(`${place.state}/running`)]], [[], []]);
    },
  };
}

attackTests(1, [
  {
    id: "1-301",
    title: "planted files while their program runs",
    flags: FLAGS,
    async act(place) {
      const running = planting(place);
      const seen = new Set<string>();
      await until(
        "the planted files",
        () => {
          for (const path of standing(place)) seen.add(path);
          return seen.size === PLANTED.length;
        },
        60_000,
        0,
      );
      await until("their end", () => standing(place).length === 0, STANDS_MS);
      running.kill("SIGTERM");
      assertEquals((await running.ended()).code, 143);
    },
  },
  {
    id: "1-302",
    title: "planted files of a terminal that stays",
    flags: FLAGS,
    needs: ["sandbox"],
    async act(place) {
      const running = place.start(["batch", "-", ...place.flags]);
      await running.write('{"tool":"TerminalStart","arguments":{}}\n');
      await running.nextLine();
      const input = { session_id: "term_1", input: PLANT, yield_time_ms: 200 };
      await running.write(`${JSON.stringify({ tool: "TerminalWrite", arguments: input })}\n`);
      await running.nextLine();
      await until("their end", () => standing(place).length === 0, STANDS_MS);
      await running.closeInput();
      assertEquals((await running.ended()).code, 0);
    },
  },
  ended("1-303", ["SIGKILL"], 137),
  ended("1-304", ["SIGHUP"], 129),
  ended("1-305", ["SIGQUIT"], 131),
  ended("1-306", ["SIGTERM"], 143),
  ended("1-307", ["SIGINT", "SIGINT"], 130),
  ended("1-308", ["SIGINT", "SIGINT", "SIGINT", "SIGINT", "SIGINT"], 130),
]);
