import { assertEquals } from "@std/assert";

import { thisMac, tryProgramProfile, tryRoomProfile } from "../../../../../runtime/walls/box/try_seatbelt.ts";
import { readProfile } from "../../../../support/walls/seatbelt_profile.ts";

Deno.test("tryProgramProfile() starts a program from a shell under a profile that grants nothing, and tries that it holds", async () => {
  const runs: (readonly string[])[] = [];
  const run = (words: readonly string[]) => {
    runs.push(words);
    return Promise.resolve(null);
  };
  assertEquals(await tryProgramProfile({ run }), null);
  const [words = []] = runs;
  assertEquals([runs.length, words[0], words[1]], [1, "/usr/bin/sandbox-exec", "-p"]);
  assertEquals(words.slice(3), [
    "/bin/sh",
    "-c",
    "/usr/bin/true || exit 3; ! /bin/ls /private/var/log 2>/dev/null",
  ]);
  const { decide } = readProfile(words[2]!);
  assertEquals(decide("process-exec", "/usr/bin/true"), "allow");
  assertEquals(decide("process-exec", "/bin/ls"), "allow");
  assertEquals(decide("file-read-data", "/private/var/log"), "deny");
});

Deno.test("the script of the trial fails where no program starts, and where what is closed can be read", async () => {
  const scripts: string[] = [];
  const run = (words: readonly string[]) => Promise.resolve(String(scripts.push(words.at(-1)!)));
  await tryProgramProfile({ run });
  const codeOf = async (script: string) =>
    (await new Deno.Command("/bin/sh", { args: ["-c", script], stdout: "null", stderr: "null" }).output())
      .code;
  const script = scripts[0]!.replace("/private/var/log", "/no/such/folder");
  assertEquals(await codeOf(script), 0);
  assertEquals(await codeOf(script.replace("/usr/bin/true", "/no/such/program")), 3);
  assertEquals(await codeOf(scripts[0]!.replace("/private/var/log", "/")), 1);
});

Deno.test("tryProgramProfile() says why it does not work", async () => {
  const run = () => Promise.resolve("sandbox-exec: Operation not permitted");
  assertEquals(
    await tryProgramProfile({ run }),
    "a trial of sandbox-exec failed: sandbox-exec: Operation not permitted",
  );
});

Deno.test("tryRoomProfile() starts this program itself, and nothing else", async () => {
  const runs: (readonly string[])[] = [];
  const run = (words: readonly string[]) => {
    runs.push(words);
    return Promise.resolve("why");
  };
  assertEquals(await tryRoomProfile({ run, self: () => ["/opt/bulkhead", "version"] }), "why");
  const [words = []] = runs;
  assertEquals(words.slice(3), ["/opt/bulkhead", "version"]);
  const { decide } = readProfile(words[2]!);
  assertEquals(decide("process-exec", "/opt/bulkhead"), "allow");
  assertEquals(decide("process-exec", "/bin/sh"), "deny");
});

Deno.test("a Mac's trial tells an end without a word, its last words, and a program that is not there", async () => {
  assertEquals(await thisMac.run(["/bin/sh", "-c", "exit 0"]), null);
  assertEquals(await thisMac.run(["/bin/sh", "-c", "exit 7"]), "it ended with code 7");
  assertEquals(await thisMac.run(["/bin/sh", "-c", "echo why >&2; exit 1"]), "why");
  assertEquals(typeof await thisMac.run(["/no/such/program"]), "string");
});
