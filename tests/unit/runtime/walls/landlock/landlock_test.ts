import { assertEquals, assertMatch } from "@std/assert";

import { callFilter } from "../../../../../runtime/walls/seccomp/seccomp_filter.ts";
import { MAIN_URL } from "../../../../../runtime/self/entry_urls.ts";
import { findSelf } from "../../../../../runtime/self/find_self.ts";
import { cutOut } from "../../../../../runtime/walls/landlock/cut_out.ts";
import {
  CAP_NAME,
  type LandlockRule,
  type LaunchPlan,
  planVariables,
} from "../../../../../runtime/walls/landlock/plan.ts";
import { attempt, landlockFilter, tryLandlock } from "../../../../../runtime/walls/box/try_landlock.ts";
import { landlockLack } from "../../../../support/box.ts";
import { textOf } from "../../../../support/source/source_tree.ts";

const launcher = findSelf(MAIN_URL, (name) => Deno.env.get(name)).launcher!;
const SYSTEM: LandlockRule[] = ["/usr", "/bin", "/lib", "/lib64"].flatMap((path) => {
  try {
    return [[Deno.realPathSync(path), "run"] as const];
  } catch {
    return [];
  }
});
const PLAN: LaunchPlan = {
  ...{ rules: SYSTEM, ports: [], filter: landlockFilter({ local: false, internet: "none" }) ?? "" },
  ...{ bounds: [], argv: ["/bin/true"], env: {}, keeps: [] },
};

/** Registers a test that runs only where Landlock works. */
function landlockTest(name: string, run: (folder: string) => Promise<void>): void {
  const why = landlockLack === null ? "" : ` (needs Landlock: ${landlockLack})`;
  Deno.test({
    name: `${name}${why}`,
    ignore: landlockLack !== null,
    async fn() {
      const folder = Deno.realPathSync(await Deno.makeTempDir());
      try {
        await run(folder);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

async function start(plan: Partial<LaunchPlan>, env: Record<string, string> = {}) {
  const [program = "", ...args] = launcher.argv;
  const variables = planVariables({ ...PLAN, ...plan });
  const { code, stdout, stderr } = await new Deno.Command(program, {
    ...{ args, clearEnv: true, env: { ...launcher.env, ...variables, ...env } },
  }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

const script = (text: string): Pick<LaunchPlan, "argv"> => ({ argv: ["/bin/sh", "-c", text] });

landlockTest(
  "what is not granted is neither read nor written nor listed, and what is granted is",
  async (at) => {
    Deno.mkdirSync(`${at}/open`);
    for (const name of ["open/a", "closed"]) Deno.writeTextFileSync(`${at}/${name}`, name);
    const { stdout } = await start({
      rules: [...SYSTEM, [`${at}/open`, "work"]],
      ...script(
        `cat ${at}/open/a ${at}/closed; echo x > ${at}/open/b; echo y > ${at}/closed; ls ${at}; cat ${at}/open/b`,
      ),
    });
    assertEquals([stdout, Deno.readTextFileSync(`${at}/closed`)], ["open/ax\n", "closed"]);
  },
);

landlockTest("a folder that was swapped for a link is not opened, and nothing starts", async (at) => {
  Deno.symlinkSync("/etc", `${at}/link`);
  const { code, stderr } = await start({ rules: [...SYSTEM, [`${at}/link`, "run"]] });
  assertEquals(code, 125);
  assertMatch(stderr, /link" was moved while the sandbox was made/);
});

landlockTest("without Landlock, or where a filter refuses its calls, nothing starts", async () => {
  const none = await start(script("echo started"), { [CAP_NAME]: "0" });
  assertEquals([none.code, none.stdout], [125, ""]);
  // As old engines of containers answer: EPERM and ENOSYS for what they do not know.
  for (const error of [1, 38]) {
    const outer = { rules: null, filter: refusing([444, 445, 446], error), argv: launcher.argv };
    const inner = planVariables({ ...PLAN, ...script("echo started") });
    const { code, stdout, stderr } = await start({ ...outer, env: { ...launcher.env, ...inner } });
    assertEquals([code, stdout], [125, ""], stderr);
    assertMatch(stderr, /asking for Landlock failed with error/);
  }
});

landlockTest(
  "older versions of Landlock are told by what they do not hold, and ports need version 4",
  async () => {
    const held = async (version: number) => {
      const env = { ...launcher.env, [CAP_NAME]: String(version) };
      const found = await tryLandlock({ ...launcher, env });
      return typeof found === "string" ? found : [found.holdsPorts, found.holdsSignals];
    };
    const versions = [0, 1, 3, 4, 6];
    assertEquals(await Promise.all(versions.map(held)), [
      "this kernel has no Landlock",
      [false, false],
      [false, false],
      [true, false],
      [true, true],
    ]);
    const { code } = await start({ ports: [1], ...script("echo started") }, { [CAP_NAME]: "3" });
    assertEquals(code, 125);
  },
);

landlockTest(
  "each kind of socket, signals, tracing, keys and namespaces are refused by attempts",
  async () => {
    const { pid } = Deno;
    const results = await attempt(launcher, {
      ...PLAN,
      filter: landlockFilter({ local: false, internet: "tcp" })!,
      ports: [1],
      attempts: [
        ...[[1, 1], [2, 2], [2, 3], [10, 2], [16, 3], [17, 3], [40, 1]].map(([family, type]) =>
          ({ try: "socket", family: family!, type: type! }) as const
        ),
        { try: "tcp", port: 2 },
        { try: "tcp", port: 1 },
        { try: "udp", port: 1 },
        ...(["signal", "trace"] as const).map((what) => ({ try: what, pid })),
        ...(["namespace", "keys"] as const).map((what) => ({ try: what })),
      ],
    });
    // Nobody listens at the granted port.
    assertEquals(results, [...[97, 93, 93, 93, 97, 97, 97], ...[13, 111, 93], ...[1, 1, 1, 1]]);
  },
);

landlockTest(
  "bounds hold, descriptors are closed, a broken pipe ends a writer, and powers are gone",
  async () => {
    const { stdout } = await start({
      bounds: [[4, 0]],
      rules: [...SYSTEM, ["/proc/self", "read"]],
      ...script(
        "ulimit -c; yes | head -1; while read -r a b; do case $a in CapEff:|NoNewPrivs:|Seccomp:) echo $b;; esac; done < /proc/$$/status",
      ),
    });
    assertEquals(stdout, "0\ny\n0000000000000000\n1\n2\n");
  },
);

landlockTest("cutOut() opens what lies beside a closed file, and no other name of it", (at) => {
  for (const folder of ["a/b", "c"]) Deno.mkdirSync(`${at}/${folder}`, { recursive: true });
  for (const name of ["x", "a/y", "a/b/.env"]) Deno.writeTextFileSync(`${at}/${name}`, "");
  Deno.linkSync(`${at}/a/b/.env`, `${at}/a/twin`);
  const cut = cutOut([[at, "run"]], [`${at}/a/b/.env`]) ?? [];
  assertEquals(
    cut.map(([path, kind]) => [path.slice(at.length), kind].join(" ")).sort(),
    ["list", "/a list", "/a/b list", "/a/y run", "/c run", "/x run"].map((line) =>
      line === "list" ? " list" : line
    ).sort(),
  );
  assertEquals(cutOut([[at, "run"]], [at]), []);
  return Promise.resolve();
});

Deno.test("main gives native code up before it imports anything", () => {
  const text = textOf("main.ts");
  const [before = ""] = text.split('Deno.permissions.revokeSync({ name: "ffi" });');
  assertEquals(text.match(/^import (?!type )/gm), null);
  assertEquals(before.match(/import\(.*\)/g), ['import("./runtime/walls/landlock/launch.ts")']);
});

/** A filter that refuses some calls of x86-64, in base64. */
function refusing(numbers: readonly number[], error: number): string {
  const steps = [
    [0x20, 0, 0, 0],
    ...numbers.map((number, at) => [0x15, numbers.length - at, 0, number]),
    [0x06, 0, 0, 0x7fff0000],
    [0x06, 0, 0, 0x50000 | error],
  ];
  const bytes = new DataView(new ArrayBuffer(8 * steps.length));
  for (const [at, [code, yes, no, value]] of steps.entries()) {
    bytes.setUint16(8 * at, code!, true);
    bytes.setUint8(8 * at + 2, yes!);
    bytes.setUint8(8 * at + 3, no!);
    bytes.setUint32(8 * at + 4, value!, true);
  }
  return btoa(String.fromCharCode(...new Uint8Array(bytes.buffer)));
}

Deno.test("callFilter() is the same for boxes with and without the words of Landlock", () => {
  assertEquals(callFilter("x86_64"), callFilter("x86_64", { local: true, internet: "all", bare: false }));
});
