import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { certificates } from "../../support/net/certificates.ts";
import { makeNatsAccount } from "../../support/queue/nats_account.ts";
import { makeQueueScene, queueTest } from "../../support/cli/queue/queue_scene.ts";

const GREP = { tool: "Grep", arguments: { pattern: "TODO" } };

queueTest("a queue with TLS and a file of credentials serves who has both, and refuses others", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-secured-" });
  try {
    const { ca, cert, key } = await certificates();
    const account = makeNatsAccount();
    const texts = { ca, cert, key, mine: account.creds, other: makeNatsAccount().creds };
    for (const [name, text] of Object.entries(texts)) Deno.writeTextFileSync(join(folder, name), text);
    const config = `tls { cert_file: "${folder}/cert", key_file: "${folder}/key" }\n${account.config}`;
    const trust = `--queue-ca=${join(folder, "ca")}`;
    const link = [trust, `--queue-creds=${join(folder, "mine")}`];
    await using queue = await makeQueueScene({ "ws/a.txt": "a TODO\n" }, { config, scheme: "tls", link });
    const { scene, url } = queue;
    await queue.worker();
    const { code, answers } = await queue.batch([GREP, GREP, GREP]);
    assertEquals([code, answers.map(({ ok }) => ok)], [0, [true, true, true]]);
    const status = (words: readonly string[]) => scene.run(["queue", "status", url, ...words]);
    assertEquals((await status(link)).code, 0);
    for (
      const [words, said] of [
        [[trust], "check its user, token or credentials file"],
        [[trust, `--queue-creds=${join(folder, "other")}`], "check its user, token or credentials file"],
        [[link[1]!], "check its certificate and the CA"],
      ] as const
    ) {
      const refused = await status(words);
      assertEquals([refused.code === 0, refused.stdout], [false, ""], words.join(" "));
      assertStringIncludes(refused.stderr, said);
      assertEquals(/SEED|eyJ/.test(refused.stderr), false);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

queueTest("a queue takes the user and the token of variables, and no message shows them", async () => {
  const user = { BULKHEAD_QUEUE_USER: "robot", BULKHEAD_QUEUE_PASSWORD: "pass-4711" };
  const token = { BULKHEAD_QUEUE_TOKEN: "token-4711" };
  for (
    const [authorization, env] of [
      ["user: robot, password: pass-4711", user],
      ["token: token-4711", token],
    ] as const
  ) {
    await using queue = await makeQueueScene({ "ws/a.txt": "a TODO\n" }, {
      config: `authorization { ${authorization} }\n`,
    });
    await queue.worker([], { env });
    const batch = (variables: Record<string, string>) =>
      queue.scene.run(["batch", "-", "--queue", queue.url], {
        stdin: `${JSON.stringify(GREP)}\n`,
        env: variables,
      });
    const taken = await batch(env);
    assertEquals([taken.code, JSON.parse(taken.stdout).ok], [0, true], taken.stderr);
    const wrong = await batch({
      ...env,
      BULKHEAD_QUEUE_PASSWORD: "no-4711",
      BULKHEAD_QUEUE_TOKEN: "no-4711",
    });
    assertEquals([wrong.code === 0, wrong.stdout], [false, ""]);
    assertStringIncludes(wrong.stderr, "refuses the credentials");
    assertEquals(wrong.stderr.includes("4711"), false);
  }
});
