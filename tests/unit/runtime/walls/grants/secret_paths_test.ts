import { assertEquals } from "@std/assert";

import { isKernelFolder, isSecret } from "../../../../../runtime/walls/grants/secret_paths.ts";
import { isProtected } from "../../../../../runtime/walls/grants/protected_paths.ts";
import { isInside } from "../../../../../runtime/walls/grants/inside.ts";

const SECRET = [
  "/ws/.env",
  "/ws/.env.local",
  "/ws/.ENV",
  "/ws/.envrc",
  "/ws/a/.ssh/config",
  "/ws/.aws/credentials",
  "/ws/server.pem",
  "/ws/deep/er/id_ed25519",
  "/ws/.docker/config.json",
  "/ws/.config/gcloud/token.db",
  "/ws/.netrc",
  "/proc/self/environ",
  "/sys/kernel",
  "/dev/sda",
];
const HARMLESS = [
  "/ws/.env.example",
  "/ws/credentials",
  "/ws/config.json",
  "/ws/environment.ts",
  "/ws/.config/app/settings.json",
  "/ws/monkey.txt",
  "/ws/process/x",
  "/dev/shm/ws/a.txt",
];

Deno.test("isSecret() knows secrets by name at any depth", { permissions: "none" }, () => {
  for (const path of SECRET) assertEquals(isSecret(path, "/ws"), true, path);
  for (const path of HARMLESS) assertEquals(isSecret(path, "/ws"), false, path);
});

Deno.test("isKernelFolder() names the kernel's folders alone", { permissions: "none" }, () => {
  for (const path of ["/proc", "/sys", "/dev"]) assertEquals(isKernelFolder(path), true, path);
  for (const path of ["/ws/proc", "/home", "/dev.md"]) assertEquals(isKernelFolder(path), false, path);
});

Deno.test("isSecret() does not hold the workspace's own name against it", { permissions: "none" }, () => {
  assertEquals(isSecret("/home/u/.kube/project/a.yaml", "/home/u/.kube/project"), false);
  assertEquals(isSecret("/home/u/.kube/other/a.yaml", "/home/u/.kube/project"), true);
});

Deno.test("isProtected() covers what other programs execute", { permissions: "none" }, () => {
  const yes = [
    "/ws/.git/hooks/pre-commit",
    "/ws/.git/config",
    "/ws/sub/.git/hooks",
    "/ws/.git",
    "/ws/.git/modules/x/hooks/post-checkout",
    "/ws/.vscode/tasks.json",
    "/ws/.mcp.json",
    "/ws/.envrc",
    "/ws/bulkhead.json",
    "/ws/.bulkhead/config.json",
    "/ws/.git/commondir",
    "/ws/.git/gitdir",
    "/ws/.git/rebase-merge/git-rebase-todo",
    "/ws/.git/modules/a/b/commondir",
    "/ws/.git/worktrees/w/info/attributes",
    "/ws/.bash_login",
    "/ws/.zlogin",
    "/ws/.tcshrc",
    "/ws/.config/fish/config.fish",
    "/ws/.config/git/config",
  ];
  const no = [
    "/ws/.git/description",
    "/ws/.git/info/exclude",
    "/ws/.git/COMMIT_EDITMSG",
    "/ws/.config/app.json",
    "/ws/git/hooks/x",
    "/ws/.gitignore",
    "/ws/mcp.json",
    "/ws/src/.vscodex",
  ];
  for (const path of yes) assertEquals(isProtected(path), true, path);
  for (const path of no) assertEquals(isProtected(path), false, path);
});

Deno.test("isInside() compares whole segments", { permissions: "none" }, () => {
  assertEquals(isInside("/r/proj", "/r/proj-evil/x"), false);
  assertEquals(isInside("/r/proj", "/r/proj/x"), true);
  assertEquals(isInside("/r/proj", "/r/proj"), true);
  assertEquals(isInside("/", "/anything"), true);
});
