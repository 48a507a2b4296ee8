import { assertEquals, assertNotEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

import { bundle } from "../../../../scripts/compile/bundle.ts";

const ROOT = fromFileUrl(new URL("../../../..", import.meta.url));

for (
  const [what, name] of [["all that its source gives back", "main"], ["the bytes that it packs", "packed"]]
) {
  Deno.test(`a bundle gives back ${what}`, async () => {
    const folder = await Deno.makeTempDir({ prefix: "bulkhead-bundle-" });
    try {
      const source = join(ROOT, `tests/fixtures/bundle/${name}.ts`);
      await bundle(ROOT, [source], folder);
      assertEquals(await outputOf(join(folder, `${name}.js`)), await outputOf(source));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

async function outputOf(path: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", path],
    stderr: "inherit",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertNotEquals(text, "");
  return text;
}
