import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { initialize } from "../support/cli/mcp/client.ts";
import { toldPort } from "../support/cli/serve/served.ts";
import { scriptedModel } from "../support/scripted_model.ts";
import { rounds } from "../support/tier.ts";
import { type Attack, attackTests, type Place, SECRET } from "./attack.ts";

const SWAPPER = await Deno.readTextFile(new URL("../fixtures/attacks/swap_all.py", import.meta.url));
const SECONDS = rounds(4, 30);
const TOKEN = "token-of-the-attacks-0123456789";

/** What is shown of a workspace lies there, and at the same names outside. */
const SCENE: Pick<Attack, "files" | "alone" | "needs" | "why"> = {
  files: {
    "ws/swap.py": SWAPPER,
    "ws/a.txt": "a line\n".repeat(590_000),
    "ws/d/b.txt": "b\n",
    "outside/a.txt": `${SECRET}\n`,
    "outside/b.txt": `${SECRET}\n`,
  },
  alone: true,
  needs: ["sandbox", "program python3"],
  why: "without one the program could read what lies outside itself",
};

const swapping = (place: Place) => ({
  command: `python3 swap.py ${place.outside} ${SECONDS}`,
  timeout: SECONDS + 60,
});

/** A run of a server, as a client sees it. */
interface ServedRun {
  /** Answers a request about the run, such as `diff`, with its text. */
  ask(about: string, init?: RequestInit): Promise<string>;
  isAtWork(): Promise<boolean>;
}

/** Serves a place, starts a run that makes one call of Bash, and does something beside it. */
async function besideRun(
  place: Place,
  input: Record<string, unknown>,
  act: (run: ServedRun) => Promise<void>,
): Promise<void> {
  await using model = scriptedModel(({ body }) =>
    body.messages.some(({ role }: { role: string }) => role === "tool")
      ? { text: "Done." }
      : { tool_calls: [{ name: "Bash", arguments: input }] }
  );
  const key = { OPENAI_API_KEY: "sk-attacks", OPENAI_MODEL: "small" };
  const running = place.start(["serve", "--port", "0", ...place.flags], {
    env: { BULKHEAD_SERVE_TOKEN: TOKEN, OPENAI_BASE_URL: model.url, ...key },
    timeoutMs: 240_000,
  });
  try {
    const url = `http://127.0.0.1:${await toldPort(running)}/runs`;
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const ask = async (path: string, init: RequestInit = {}) =>
      await (await fetch(url + path, { headers, ...init, signal: AbortSignal.timeout(60_000) })).text();
    const { id } = JSON.parse(await ask("", { method: "POST", body: '{"prompt":"go"}' }));
    const stateOf = async () => JSON.parse(await ask(`/${id}`)).state as string;
    await act({
      ask: (about, init) => ask(`/${id}/${about}`, init),
      isAtWork: async () => ["queued", "running"].includes(await stateOf()),
    });
    assertEquals(await stateOf(), "completed");
  } finally {
    running.kill("SIGTERM");
    await running.ended();
  }
}

/** Asks a server for all that it shows of a run, while its program swaps what is shown. */
async function askWhileSwapping(place: Place): Promise<void> {
  const shown = [
    "diff",
    "files",
    "changed/a.txt",
    "changed/d/b.txt",
    "changed/d/b.txt?side=before",
    "export",
  ];
  await besideRun(place, swapping(place), async ({ ask, isAtWork }) => {
    let answers = 0;
    while (await isAtWork()) {
      for (const path of shown) {
        assert(!(await ask(path)).includes(SECRET), `${path} shows what lies outside`);
        answers++;
      }
    }
    assert(answers > shown.length, "nothing was asked while it swapped");
    // What is taken back, or why it is not, shows nothing of the outside either.
    const undone = await ask("undo", { method: "POST", body: "{}" });
    assert(!undone.includes(SECRET), "undo shows what lies outside");
    assertEquals((await place.bash(`! grep -rq ${SECRET} .`)).code, 0);
  });
}

/** The user edits a file of secrets, while a program of a run waits for that. */
async function editWhileRunning(place: Place): Promise<void> {
  const command = "echo 2 > a.txt; touch begun; while ! [ -e edited ]; do sleep 0.1; done";
  await besideRun(place, { command }, async ({ ask, isAtWork }) => {
    assertEquals((await place.bash("while ! [ -e begun ]; do sleep 0.1; done; echo >> .env")).code, 0);
    const shown = ["files", "diff", "export", "changed/.env", "changed/.env?side=before"];
    const look = async () => (await Promise.all(shown.map((path) => ask(path)))).join("\n");
    const atWork = await look();
    await place.bash("touch edited");
    while (await isAtWork()) { /* Until it has ended. */ }
    for (const text of [atWork, await look()]) {
      assert(!text.includes(SECRET), "the secret was shown");
      assertStringIncludes(text, "a.txt");
      assert(!text.includes("b/.env"), "the user's own change counts as the program's");
    }
  });
}

attackTests(10, [
  {
    id: "10-95",
    title: "a client asks for what a run changed, while the user edits a file of secrets beside its program",
    files: { "ws/.env": `KEY=${SECRET}\n`, "ws/a.txt": "1\n" },
    alone: true,
    needs: ["sandbox"],
    why: "without one the program could have changed it",
    act: editWhileRunning,
  },
]);

attackTests(12, [
  {
    id: "12-51",
    title: "a program swaps files of git for pipes and links without a pause, while its call ends",
    ...SCENE,
    async act(place) {
      const { command, timeout } = swapping(place);
      const words = ["call", "Bash", `command=${command}`, `timeout:=${timeout}`, "--json", ...place.flags];
      const { stdout } = await place.run(words, { timeoutMs: 240_000 });
      assertStringIncludes(stdout, "swapped");
      assert(!stdout.includes(SECRET));
    },
  },
  {
    id: "12-52",
    title:
      "a program of a run swaps files, folders, links and pipes, while a client asks for what the run changed",
    ...SCENE,
    act: askWhileSwapping,
  },
  {
    id: "12-53",
    title: "a program of one call swaps what the calls of the same client of the protocol look at",
    ...SCENE,
    async act(place) {
      const running = place.start(["mcp", "serve", ...place.flags], { timeoutMs: 240_000 });
      await using client = await initialize(running);
      const { command, timeout } = swapping(place);
      const long = client.ask("tools/call", { name: "Bash", arguments: { command, timeout } });
      const { result } = await long;
      assertStringIncludes(JSON.stringify(result), "swapped");
      const after = await client.call("Bash", { command: "echo still here" });
      assertStringIncludes(after.text, "still here");
    },
  },
]);
