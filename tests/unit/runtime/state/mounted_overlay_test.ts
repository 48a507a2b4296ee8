import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { applyChanges, chooseChanges } from "../../../../runtime/state/overlay/apply_overlay.ts";
import { findMountWay, mountWords } from "../../../../runtime/state/overlay/mounted_overlay.ts";
import { changesOf } from "../../../../runtime/state/overlay/overlay_changes.ts";
import { layOverlay, removeOverlay } from "../../../../runtime/state/overlay/overlay_store.ts";
import { findProgram } from "../../../../runtime/walls/files/find_program.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { boxWorks } from "../../../support/box.ts";
import { inFolder } from "../../../support/cli/odd_tree.ts";

const PROGRAMS = { find: (name: string) => findProgram(name, "/usr/bin:/bin") };
const TREE = "umask 022; echo 1 > f; echo 2 > z; mkdir -p sub/deep; echo 3 > sub/g; echo 4 > sub/deep/h";

/** A workspace with an overlay of the kernel over it. Throws where there is none. */
async function layOver(tree: string) {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  const [ws, state] = [`${root}/w s,:`, `${root}/state`];
  Deno.mkdirSync(ws);
  await inFolder(ws, tree);
  const findWay = (folder: string) => findMountWay({ workspace: ws, folder, table: "" }, PROGRAMS);
  const overlay = await layOverlay(state, { id: "one", workspace: ws, now: new Date(), findWay });
  const end = () => Deno.removeSync(root, { recursive: true });
  if ("cause" in overlay) {
    end();
    throw new Error(overlay.cause);
  }
  const { mounted, folder } = overlay;
  const rows = async () =>
    (await changesOf(overlay)).changes.map(({ path, status, isOutdated }) =>
      `${status} ${path}${isOutdated ? " !" : ""}`
    );
  return {
    ...{ ws, overlay, rows, end },
    async inside(script: string) {
      const words = [...mountWords(mounted!, { workspace: ws, folder, at: ws }), "/bin/bash", "-ec"];
      const { success, stderr } = await new Deno.Command(words[0]!, {
        args: [...words.slice(1), `cd -- "$0"; ${script}`, ws],
      }).output();
      assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
    },
    apply: async () =>
      await applyChanges(state, overlay, chooseChanges((await changesOf(overlay)).changes, []), {
        now: new Date(),
      }),
  };
}

const missing = boxWorks
  ? await layOver(TREE).then(({ end }) => end() ?? null, ({ message }) => message)
  : "no namespaces";

function mountTest(name: string, run: () => Promise<void>): void {
  Deno.test({
    name: `${name}${missing ? ` (needs overlays of the kernel: ${missing})` : ""}`,
    ignore: missing !== null,
    fn: run,
  });
}

/** What is done in the overlay, what is done in the workspace then, and the changes; `!` is what changed there since. */
const CASES: readonly [inside: string, below: string, rows: readonly string[]][] = [
  ["echo x >> f; rm z; echo n > sub/new", "", ["M f", "A sub/new", "D z"]],
  ["touch f; chmod 755 sub; cat sub/g", "", []],
  ["chmod 700 sub; chmod 600 f", "", ["M f", "M sub"]],
  ["rm -r sub; mkdir sub; echo n > sub/n", "", ["D sub/deep", "D sub/deep/h", "D sub/g", "A sub/n"]],
  ["rm -r sub", "", ["D sub", "D sub/deep", "D sub/deep/h", "D sub/g"]],
  ["mv sub/deep deep", "", ["A deep", "A deep/h", "D sub/deep", "D sub/deep/h"]],
  ["mv f sub/f; mkdir n; mv n m", "", ["D f", "A m", "A sub/f"]],
  ["rm f; mkdir f; echo 1 > f/in", "", ["M f", "A f/in"]],
  ["rm -r sub; echo 1 > sub", "", ["M sub", "D sub/deep", "D sub/deep/h", "D sub/g"]],
  ["ln -s f l; mkfifo p; rm z; ln -s f z", "", ["A l", "A p", "M z"]],
  ["echo x >> f", "echo y >> f", ["M f !"]],
  ["echo x >> f", "echo x >> f", []],
  ["echo x >> f", "rm f", ["A f !"]],
  ["rm f", "echo y >> f", ["D f !"]],
  ["rm f", "rm f", []],
  ["rm -r sub", "echo u > sub/u", ["D sub !", "D sub/deep !", "D sub/deep/h !", "D sub/g !", "D sub/u !"]],
  ["rm -r sub", "mv sub old; mkdir sub; mv old/deep sub/deep", ["D sub !", "D sub/deep !", "D sub/deep/h !"]],
  ["rm -r sub; mkdir sub", "mv sub old; mkdir sub; mv old/deep sub/deep", ["D sub/deep !", "D sub/deep/h !"]],
  ["echo a > n", "echo b > n", ["M n !"]],
  ["echo a > sub/n; mkdir -p k/k; echo a > k/k/n", "echo b > u; echo b > sub/u", [
    "A k",
    "A k/k",
    "A k/k/n",
    "A sub/n",
  ]],
  ["echo x >> sub/g", "rm -r sub", ["A sub !", "A sub/g !"]],
];

mountTest("changesOf() reads what the kernel wrote, and finds what changed below since", async () => {
  for (const [inside, below, rows] of CASES) {
    const at = await layOver(TREE);
    try {
      await at.inside(inside);
      await inFolder(at.ws, below);
      assertEquals(await at.rows(), rows, `${inside} | ${below}`);
      if (rows.some((row) => row.endsWith("!"))) {
        const { code, message } = await assertRejects(at.apply, ToolError);
        assertEquals(code, "conflict");
        assertStringIncludes(message, "changed in the workspace since");
      } else if (rows.length > 0) {
        await at.apply();
        assertEquals(await at.rows(), [], inside);
        // What was brought in is no change of somebody else's.
        await at.inside(`[ -d f ] || echo more >> f; rm -rf z ${below === "" ? "sub" : ""}`);
        assertEquals((await at.rows()).filter((row) => row.endsWith("!")), [], inside);
      }
      await removeOverlay(at.overlay);
    } finally {
      at.end();
    }
  }
});

mountTest("an apply brings in times, links and attributes, and none of the kernel's own", async () => {
  const at = await layOver(`${TREE}; echo k > keep`);
  try {
    await at.inside("ln keep keep2; echo x > new; touch -d '2020-01-02 03:04:05.678901234' new; echo x >> f");
    await at.apply();
    const { stdout } = await new Deno.Command("bash", {
      args: [
        "-c",
        "stat -c '%n %y' new; test keep -ef keep2 && echo linked; tar -c --xattrs --format=pax f new | grep -ac user.overlay",
      ],
      cwd: at.ws,
      env: { TZ: "UTC" },
    }).output();
    assertEquals(new TextDecoder().decode(stdout), "new 2020-01-02 03:04:05.678901234 +0000\nlinked\n0\n");
  } finally {
    at.end();
  }
});

Deno.test("findMountWay() says why the kernel lays no overlay", async () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    const place = { workspace: root, folder: root, table: `1 2 3:4 / ${root}/in\\040ner rw` };
    const none = await findMountWay(place, { find: () => null });
    assertEquals(none, { cause: "unshare, mount or tar is not installed" });
    assertEquals(await findMountWay(place, { find: () => "/bin/false" }), {
      cause: `"${root}/in ner" in it is a mount of its own`,
    });
    const failed = await findMountWay({ ...place, table: "" }, { find: () => "/bin/false" });
    assertStringIncludes("cause" in failed ? failed.cause : "", "the kernel lays none over it here");
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
