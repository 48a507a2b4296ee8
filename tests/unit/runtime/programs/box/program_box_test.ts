import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { boxTest } from "../../../../support/box.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";
import { listed } from "../../../../support/listed.ts";

boxTest("a boxed program sees the system, its workspace and an empty home, and nothing else", async () => {
  using scene = launchScene({ "ws/a.txt": "mine", "other/b.txt": "not mine", "home/c.txt": "not mine" });
  const { stdout } = await scene.sh("cat a.txt; echo; ls / $HOME; ls -d ..; ls ..");
  const names = stdout.split("\n").filter((line) => line !== "");
  assertEquals(names[0], "mine");
  for (const own of ["/tmp/home:", "usr", "proc", "dev"]) assert(names.includes(own), `${own} in ${stdout}`);
  for (const foreign of ["home", "root", "run", "var", "sys", "other", "b.txt", "c.txt"]) {
    assertEquals(names.includes(foreign), false, foreign);
  }
});

boxTest("under a read-only policy a boxed program does not write the workspace", async () => {
  for (const policy of ["read-only", "read-only-no-net"] as const) {
    using scene = launchScene({ "ws/a.txt": "old" }, {
      flags: { policy, allow: { write: ["ws"], run: true } },
    });
    const launch = await scene.prepare({
      argv: ["sh", "-c", "cat a.txt; echo new > a.txt; rm a.txt; touch b"],
    });
    const { stdout } = await start(launch);
    assertEquals([stdout, scene.read("ws/a.txt"), scene.exists("ws/b")], ["old", "old", false], policy);
    assertEquals(launch.writes, []);
  }
});

boxTest("secrets are hidden at any depth, in any case, and behind links named like them", async () => {
  using scene = launchScene({
    "ws/.env": "TOPSECRET",
    "ws/.env.example": "harmless",
    "ws/a/b/.ENV.local": "TOPSECRET",
    "ws/a/server.key": "TOPSECRET",
    "ws/.ssh/id_rsa": "TOPSECRET",
    "ws/dots/ssh/id": "TOPSECRET",
    "ws/dots/settings": "TOPSECRET",
    "ws/open.txt": "harmless",
  });
  Deno.symlinkSync("dots/ssh", scene.at("ws/.aws"));
  Deno.symlinkSync("../dots/settings", scene.at("ws/a/.npmrc"));
  const { stdout } = await scene.sh(
    "grep -rs . . ; cat .env a/b/.ENV.local dots/ssh/id dots/settings .aws/id; ls -A .ssh",
  );
  assertEquals(stdout.includes("TOPSECRET"), false, stdout);
  assertEquals(stdout.includes("id_rsa"), false, stdout);
  assertStringIncludes(stdout, "./open.txt:harmless");
  assertStringIncludes(stdout, "./.env.example:harmless");
});

boxTest("a secret cannot be reached by moving it or the folder that holds it", async () => {
  using scene = launchScene({ "ws/a/.env": "TOPSECRET", "ws/.ssh/id_rsa": "TOPSECRET" });
  const { stdout } = await scene.sh(
    "mv a/.env a/x; ln a/.env y; mv a b; mv .ssh ssh; cat a/x b/.env b/x y ssh/id_rsa; rm -f a/.env; rm -rf .ssh",
  );
  assertEquals(stdout, "");
  assertEquals([scene.read("ws/a/.env"), scene.read("ws/.ssh/id_rsa")], ["TOPSECRET", "TOPSECRET"]);
});

boxTest("a granted home shows no secret but the one that --allow-secrets names", async () => {
  const files = {
    "home/.ssh/id_rsa": "KEY",
    "home/.ssh/config": "CONFIG",
    "home/.config/gh/hosts": "TOKEN",
    "home/n": "N",
  };
  const flags = { allow: { read: ["home"] }, allowSecrets: ["home/.ssh/config"] };
  using scene = launchScene(files, { flags });
  const home = scene.at("home");
  const { stdout } = await scene.sh(`cd ${home}; cat n .ssh/config .ssh/id_rsa .config/gh/hosts; ls .ssh`);
  assertEquals(stdout, "NCONFIGconfig\n");
});

boxTest("a granted folder of secrets is shown only if --allow-secrets names it", async () => {
  const files = { "home/.ssh/config": "CONFIG" };
  const read = ["home/.ssh"];
  for (const [allowSecrets, expected] of [[[], ""], [read, "CONFIG"]] as const) {
    using scene = launchScene(files, { flags: { allow: { read }, allowSecrets } });
    const { stdout } = await scene.sh(`cat ${scene.at("home/.ssh/config")}`);
    assertEquals(stdout, expected);
  }
});

boxTest("denied paths are neither seen nor written, nor what is granted by name inside", async () => {
  const files = { "ws/private/a": "A", "ws/fixed/b": "B", "ws/c": "C" };
  const flags = { deny: { read: ["ws/private"], write: ["ws/fixed"] } };
  using scene = launchScene(files, { flags });
  const { stdout } = await scene.sh(
    "cat private/a fixed/b c; echo x > fixed/b; echo x > private/a; mv fixed f; mv private p",
  );
  assertEquals(stdout, "BC");
  assertEquals([scene.read("ws/fixed/b"), scene.read("ws/private/a")], ["B", "A"]);
});

boxTest("files that other programs execute cannot be written, replaced or moved away", async () => {
  using scene = launchScene({
    "ws/.git/config": "[core]\n\tbare = false\n",
    "ws/.git/hooks/pre-commit": "old",
    "ws/.git/HEAD": "ref: refs/heads/main\n",
    "ws/.vscode/tasks.json": "old",
    "ws/sub/.mcp.json": "old",
    "ws/tree/.git": "gitdir: ../.git/worktrees/tree\n",
    "ws/hooks/run": "old",
  });
  Deno.symlinkSync("hooks", scene.at("ws/.husky"));
  const targets = listed(
    ".git/config, .git/hooks/pre-commit, .vscode/tasks.json, sub/.mcp.json, tree/.git, hooks/run",
  );
  const { stdout } = await scene.sh(`
    for f in ${targets.join(" ")}; do
      echo evil > $f && echo wrote $f; rm -f $f && echo removed $f; mv $f x && echo moved $f
      echo evil > n; mv -f n $f && echo replaced $f; ln $f l && echo linked $f
    done
    mv .git g && echo moved .git; rm -rf .git/hooks; mv .git/hooks h && echo moved hooks; mv .vscode v && echo moved .vscode
    echo new > .git/HEAD && echo wrote HEAD`);
  assertEquals(stdout, "wrote HEAD\n");
  assertEquals(scene.read("ws/.git/hooks/pre-commit"), "old");
  assertEquals(scene.read("ws/.git/config"), "[core]\n\tbare = false\n");
});

boxTest("--allow-write opens the protected file that it names, and no other", async () => {
  const files = { "ws/.vscode/tasks.json": "old", "ws/.vscode/launch.json": "old" };
  using scene = launchScene(files, { flags: { allow: { write: ["ws", "ws/.vscode/tasks.json"] } } });
  await scene.sh("echo new > .vscode/tasks.json; echo new > .vscode/launch.json");
  assertEquals([scene.read("ws/.vscode/tasks.json"), scene.read("ws/.vscode/launch.json")], ["new\n", "old"]);
});

boxTest("sockets of other programs are hidden, also where they lie in the workspace", async () => {
  using scene = launchScene({ "ws/": "" });
  using _listener = Deno.listen({ transport: "unix", path: scene.at("ws/docker.sock") });
  const script =
    "import socket; s = socket.socket(socket.AF_UNIX); s.connect('docker.sock'); print('reached')";
  const { stdout } = await start(await scene.prepare({ argv: ["/usr/bin/python3", "-c", script] }));
  assertEquals(stdout, "");
});

boxTest("the network is cut off with loopback, and --share-net gives both", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serve = (async () => {
    for await (const connection of listener) connection.close();
  })();
  const { port } = listener.addr as Deno.NetAddr;
  const script = `import socket; socket.create_connection(('127.0.0.1', ${port}), 2); print('reached')`;
  for (const [shareNet, expected] of [[false, ""], [true, "reached\n"]] as const) {
    using scene = launchScene({}, { flags: { shareNet } });
    const { stdout } = await start(await scene.prepare({ argv: ["/usr/bin/python3", "-c", script] }));
    assertEquals(stdout, expected);
    const { code } = await scene.sh("test -e /etc/resolv.conf");
    assertEquals(code, shareNet ? 0 : 1);
  }
  listener.close();
  await serve;
});

boxTest("a denied program is not there for scripts either", async () => {
  using scene = launchScene({}, { flags: { deny: { run: ["python3"] } } });
  const { stdout } = await scene.sh(
    "python3 -c 'print(1)'; /usr/bin/python3 -c 'print(1)'; $(readlink -f /usr/bin/python3) -c 'print(1)'; echo end",
  );
  assertEquals(stdout, "end\n");
});

boxTest("everything granted leaves out /run, the shared /tmp, and secrets of system and home", async () => {
  const files = {
    "home/.ssh/id_rsa": "KEY",
    "home/.config/gh/hosts": "TOKEN",
    "home/.bashrc": "old",
    "home/n": "N",
  };
  using scene = launchScene({ ...files, "ws/a": "A" }, { flags: { allowAll: true }, dir: "/var/tmp" });
  const { stdout } = await scene.sh(`
      cat a /etc/shadow; test -e /etc/fstab && echo etc; ls -A /run /sys /tmp
      cd ${scene.at("home")}; cat n .ssh/id_rsa .config/gh/hosts; echo evil > .bashrc; echo new > n`);
  assertEquals(stdout, "Aetc\n/run:\n\n/tmp:\nhome\nN");
  assertEquals([scene.read("home/.bashrc"), scene.read("home/n")], ["old", "new\n"]);
});

boxTest("--sandbox-show shows a folder, first on PATH, read-only and without its secrets", async () => {
  const files = { "tools/bin/hello": "#!/bin/sh\necho hello", "tools/.env": "SECRET", "tools/data": "D" };
  using scene = launchScene(files, { flags: { sandboxShow: ["tools"] } });
  Deno.chmodSync(scene.at("tools/bin/hello"), 0o755);
  const { stdout } = await scene.sh(
    `hello; cat ${scene.at("tools")}/data ${scene.at("tools")}/.env; echo x > ${scene.at("tools")}/data`,
  );
  assertEquals(stdout, "hello\nD");
  assertEquals(scene.read("tools/data"), "D");
});

boxTest("bulkhead's own files are hidden", async () => {
  using scene = launchScene({ "ws/state/log": "L", "ws/a": "A" }, { hide: ["ws/state"] });
  assertEquals((await scene.sh("cat a state/log; ls state")).stdout, "A");
});

boxTest("the box works for an unprivileged user too", async () => {
  if (Deno.uid() !== 0) return;
  using scene = launchScene({ "ws/.env": "SECRET", "ws/.git/config": "", "ws/a": "A" });
  await new Deno.Command("/bin/chown", { args: ["-R", "65534:65534", scene.root] }).output();
  const launch = await scene.prepare({
    argv: ["sh", "-c", "id -u; cat a .env; echo x > b; echo x > .git/config; mount -t tmpfs n /tmp"],
  });
  const { stdout } = await start(
    launch,
    listed("/usr/bin/setpriv, --reuid=65534, --regid=65534, --clear-groups, --"),
  );
  assertEquals([stdout, scene.read("ws/b"), scene.read("ws/.git/config")], ["65534\nA", "x\n", ""]);
});
