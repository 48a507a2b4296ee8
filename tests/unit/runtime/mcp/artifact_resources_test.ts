import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";

import { ArtifactResources } from "../../../../runtime/mcp/artifact_resources.ts";

Deno.test("ArtifactResources reads the files of its own connection alone, by the very URI that it made", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [mine, other] = [new ArtifactResources(), new ArtifactResources()];
    const path = join(folder, "a b.txt");
    const secret = join(folder, "secret.txt");
    await Deno.writeTextFile(path, "mine");
    await Deno.writeTextFile(secret, "theirs");
    const [resource] = mine.add([{ name: "a b.txt", path, bytes: 4 }]);
    const [foreign] = other.add([{ name: "secret.txt", path: secret, bytes: 6 }]);
    const uri = resource!.uri;
    assertEquals(await mine.read(uri), { uri, mimeType: "text/plain", text: "mine" });
    const tricks = [
      foreign!.uri,
      `file://${secret}`,
      secret,
      `${uri}/../secret.txt`,
      uri.replace("a%20b.txt", "secret.txt"),
      uri.replace("a%20b.txt", "..%2fsecret.txt"),
      `${uri}?x`,
      `${uri}#`,
      uri.toUpperCase(),
      "bulkhead://artifact/",
      "",
      "__proto__",
    ];
    for (const trick of tricks) assertEquals(await mine.read(trick), null, trick);
    // What became a link since is no file of the call.
    await Deno.remove(path);
    await Deno.symlink(secret, path);
    assertEquals(await mine.read(uri), null);
    // Nor is what a folder leads to that became a link.
    const below = join(folder, "a", "b", "secret.txt");
    await Deno.mkdir(join(folder, "a", "b"), { recursive: true });
    await Deno.writeTextFile(below, "mine");
    const [deep] = mine.add([{ name: "secret.txt", path: below, bytes: 4 }]);
    assert(await mine.read(deep!.uri) !== null);
    await Deno.rename(join(folder, "a"), join(folder, "c"));
    await Deno.mkdir(join(folder, "a"));
    await Deno.symlink(folder, join(folder, "a", "b"));
    assertEquals(await mine.read(deep!.uri), null);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("ArtifactResources tells one file once, and gives bytes as base64", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const resources = new ArtifactResources();
    const path = join(folder, "a.png");
    await Deno.writeFile(path, new Uint8Array([0, 255]));
    const artifact = { name: "a.png", path, bytes: 2 };
    const [first] = resources.add([artifact]);
    const [again] = resources.add([artifact]);
    assertEquals(again!.uri, first!.uri);
    assertEquals(resources.list().length, 1);
    const content = await resources.read(first!.uri);
    assert(content !== null && "blob" in content);
    assertEquals([content.blob, content.mimeType], ["AP8=", "image/png"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
