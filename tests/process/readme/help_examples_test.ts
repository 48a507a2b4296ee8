import { assert } from "@std/assert";
import { join } from "@std/path";

import { COMMAND_NAMES, type CommandName, commandOf } from "../../../runtime/cli/args/command_table.ts";
import manifest from "../../../tools/manifest.json" with { type: "json" };
import { boxTest } from "../../support/box.ts";
import { makePerson, type Person } from "../../support/readme/person.ts";
import { scriptedModel } from "../../support/scripted_model.ts";

/** How an example ends that does not end with 0, with what it says. */
interface End {
  codes: readonly number[];
  says?: RegExp;
}

/** Those that show a refusal, or that say what is missing where nothing was done before. */
const ENDS: Readonly<Record<string, End>> = {
  "explain Write path=/etc/hosts content=x": { codes: [3], says: /would be refused/ },
  "models groq": { codes: [4], says: /GROQ_API_KEY/ },
  trust: { codes: [0, 2], says: /adds nothing|--yes/ },
  "trust --json": { codes: [0, 2] },
  "apply src docs/intro.md": { codes: [2], says: /No overlay of .* waits/ },
  apply: { codes: [0, 2], says: /No overlay of .* waits/ },
  "diff --stat": { codes: [0, 2], says: /No overlay of .* waits/ },
  sources: { codes: [2], says: /No session of .* has sources/ },
  "sources --as bibtex > sources.bib": { codes: [2], says: /No session of .* has sources/ },
  "trust rm ~/shop": { codes: [2], says: /is not trusted/ },
  "undo --last": { codes: [0, 2], says: /pass --yes to undo without a question/ },
};
/** Those that a test of their own tries: at a terminal, with a queue, at the address of a release. */
const ELSEWHERE = /^(?:chat\b|(?:queue|worker) .*(?:nats|tls):|upgrade --check --from https:)/;
/** Those that stay until they are ended. */
const STAYS = /^(?:serve|ui|mcp serve --http)\b/;

/** What stands in the shop of the person, as the examples speak of it. */
async function prepare({ home, shop, own }: Person): Promise<void> {
  const files: Record<string, string> = {
    "a.txt": "tea\nTODO: more\n",
    "calls.jsonl": '{"id":"1","tool":"Read","arguments":{"path":"a.txt"}}\n',
    "task.md": "Say hello.\n",
    "tasks.jsonl": '{"id":"1","prompt":"Say hello"}\n',
    "agents.yaml": "agents:\n  helper:\n    description: Helps\n",
    "bulkhead.json": "{}\n",
    "package.json":
      '{"name":"shop","version":"1.0.0","scripts":{"test":"echo tested"},"dependencies":{"left":"1.0.0"}}\n',
    Makefile: "check:\n\techo checked\n",
    "docs/intro.md": "# Shop\n",
    "../notes/list.md": "milk\n",
    "../project/b.txt": "b\n",
    "../server.mjs": 'import { readdirSync } from "node:fs"; readdirSync(process.argv[2]);\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(join(shop, name, ".."), { recursive: true });
    await Deno.writeTextFile(join(shop, name), text);
  }
  await Deno.copyFile(join(shop, "agent.jsonl"), join(shop, "run.jsonl"));
  await Deno.mkdir(join(home, ".config"), { recursive: true });
  await own();
}

/** Sites and registries of the examples stand on this machine. */
function onThisMachine(
  line: string,
  { home, registry }: { home: string; registry: string },
) {
  return line.replace("http://localhost:11434/v1", `http://${registry}/v1`)
    .replace(
      "--allow-net=registry.npmjs.org -- npm",
      `--allow-private-net=${registry} -- npm --registry=http://${registry}`,
    )
    .replace("npx -y notes-server", `node ${home}/server.mjs ${home}/notes`)
    .replace("--model replay:run.jsonl --strict", "--model replay:run.jsonl --replay-tools --strict");
}

function examplesOf(name: CommandName): string[] {
  const own = commandOf(name).examples.map(([line]) => line);
  const others = (manifest.command_examples as Record<string, { line: string }[]>)[name] ?? [];
  return [...others.map(({ line }) => line), ...own];
}

/** A registry with one package, which lists a model as well. */
function serveRegistry(tarball: Uint8Array<ArrayBuffer>) {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname, origin } = new URL(request.url);
    if (request.method === "POST") return Response.json({});
    if (pathname === "/v1/models") return Response.json({ data: [{ id: "m" }] });
    if (pathname.endsWith(".tgz")) return new Response(tarball);
    const version = { name: "left", version: "1.0.0", dist: { tarball: `${origin}/left.tgz` } };
    return Response.json({ name: "left", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } });
  });
}

async function packLeft(): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/package`);
  await Deno.writeTextFile(`${folder}/package/package.json`, '{"name":"left","version":"1.0.0"}');
  const { stdout } = await new Deno.Command("tar", { args: ["cz", "-C", folder, "package"] }).output();
  await Deno.remove(folder, { recursive: true });
  return stdout;
}

/** A server is ended when it has said where it is. */
function untilServing(line: string): string {
  return `bulkhead ${line} --port 0 > .said 2>&1 & s=$!
for i in $(seq 600); do grep -q 'serving on\\|http://' .said && break; sleep 0.1; done
cat .said; grep -q 'http://' .said; c=$?; kill $s; wait $s; exit $c`;
}

/** `forbidden` is a bubblewrap that may make no namespaces. */
async function tryAll(where: "sandbox" | "forbidden"): Promise<string[]> {
  await using person = await makePerson();
  await prepare(person);
  await using model = scriptedModel(() => ({ text: "Hello." }));
  const registry = serveRegistry(await packLeft());
  const { home } = person;
  const PATH = Deno.env.get("PATH")!;
  if (where === "forbidden") {
    await Deno.writeTextFile(
      join(home, "bin/bwrap"),
      "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n",
    );
    await Deno.chmod(join(home, "bin/bwrap"), 0o755);
  }
  await person.own();
  const env = { PATH, OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, OPENAI_MODEL: "m", CI: "1" };
  await person.bash(
    "bulkhead schema lock tools.lock.json; bulkhead call Read path=a.txt --audit calls.audit.jsonl",
    env,
  );
  const failed: string[] = [];
  for (const name of COMMAND_NAMES) {
    for (const line of examplesOf(name)) {
      if (ELSEWHERE.test(line)) continue;
      const here = onThisMachine(line, {
        home,
        registry: `127.0.0.1:${registry.addr.port}`,
      });
      const stays = STAYS.test(line) && !line.includes("--http");
      const script = stays ? untilServing(here.replace(/ --port 0$/, "")) : `bulkhead ${here}`;
      const { code, output } = await person.bash(line.includes("--http") ? "true" : script, env);
      if (!isTrue(line, { code, output }, where)) failed.push(`${line}: ${code}\n${output.slice(-600)}`);
    }
  }
  await registry.shutdown();
  return failed;
}

/** Where the sandbox is forbidden, what needs one says so, and does not say that it is not installed. */
function isTrue(line: string, { code, output }: { code: number; output: string }, where: string): boolean {
  const { codes, says } = ENDS[line] ?? { codes: [0] };
  if (codes.includes(code) && (code === 0 || (says ?? /./).test(output))) {
    return !/there is no "|not installed/.test(output);
  }
  return where === "forbidden" && /may not make namespaces/.test(output) &&
    !/not installed|apt-get/.test(output);
}

boxTest("every example of --help does what it says, for a person below /home", async () => {
  const failed = await tryAll("sandbox");
  assert(failed.length === 0, failed.join("\n\n"));
});

boxTest(
  "every example of --help does what it says, or says why not, where the sandbox is forbidden",
  async () => {
    const failed = await tryAll("forbidden");
    assert(failed.length === 0, failed.join("\n\n"));
  },
);
