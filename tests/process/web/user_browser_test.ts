import { assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";
import { webBrowser } from "../../support/cli/serve/web_browser.ts";
import { testServer } from "../../support/net/gate_scene.ts";
import { browserTest } from "../../support/web/browser_scene.ts";

const html = { headers: { "content-type": "text/html" } };

browserTest(
  "the user's own browser is used in tabs of the run, and held to the addresses that are granted",
  async () => {
    await using server = testServer(({ url }) =>
      new Response(`<title>${new URL(url).pathname}</title><a href="/next" target="_blank">Next</a>`, html)
    );
    await using browser = await webBrowser();
    const { page } = await browser.open(new URL("/users", server.url).href);
    using scene = makeScene();
    const use = (input: Record<string, unknown>) => ({ tool: "manus/browser_use", arguments: input });
    const { answers, stderr } = await scene.batch([
      use({ action: "go_to_url", url: new URL("/runs", server.url).href }),
      use({ action: "click_element", index: 0 }),
      use({ action: "go_to_url", url: "http://127.0.0.1:50001/" }),
    ], ["--browser-url", browser.endpoint, `--allow-private-net=${server.host}`]);
    assertEquals(answers.map(({ ok }) => ok), [true, true, false], stderr);
    assertStringIncludes(answers[0]!.text, "This is your own browser");
    assertStringIncludes(answers[1]!.text, "Tab 1 (current): /next");
    assertEquals(answers[1]!.text.includes("/users"), false);
    assertStringIncludes(answers[2]!.text, "--allow-private-net=127.0.0.1:50001");
    assertEquals(new URL(page.url()).pathname, "/users");
  },
);
