import { assertEquals, assertStringIncludes } from "@std/assert";

import {
  type BoxFacts,
  explainBox,
  missingBox,
} from "../../../../../../runtime/walls/box/lack/lack_of_box.ts";
import { installWords } from "../../../../../../runtime/walls/process/install_words.ts";

const FREE: BoxFacts = {
  ...{ switches: {}, isFiltered: false, isContainer: false, isRoot: false },
  install: (packages) => `INSTALL ${packages.join(" ")}`,
};
const NO_NAMESPACE =
  "bwrap: No permissions to create new namespace, likely because the kernel does not allow " +
  "non-privileged user namespaces.";
const APPARMOR = { switches: { "kernel.apparmor_restrict_unprivileged_userns": "1" } };

Deno.test("explainBox() tells apart what is forbidden by which switch, and what is broken", {
  permissions: "none",
}, () => {
  const rows: [said: string, facts: Partial<BoxFacts>, cause: string, reason: string, advice: string][] = [
    [
      "bwrap: setting up uid map: Permission denied",
      APPARMOR,
      "forbidden",
      "kernel.apparmor_restrict_unprivileged_userns=1 forbids it",
      "allow it with: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ],
    [
      "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
      { switches: { "user.max_user_namespaces": "0" }, isRoot: true },
      "forbidden",
      "user.max_user_namespaces=0 forbids it",
      "allow it with: sysctl -w user.max_user_namespaces=15000",
    ],
    [
      NO_NAMESPACE,
      { switches: { "kernel.unprivileged_userns_clone": "0", "user.max_user_namespaces": "15000" } },
      "forbidden",
      "kernel.unprivileged_userns_clone=0 forbids it",
      "sysctl -w kernel.unprivileged_userns_clone=1",
    ],
    // A switch for ordinary users does not hold root.
    [
      NO_NAMESPACE,
      { ...APPARMOR, isRoot: true },
      "forbidden",
      "namespaces here: No permissions",
      "bulkhead help deploy",
    ],
    [
      "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      { isContainer: true, isFiltered: true },
      "forbidden",
      "may not make namespaces in this container: Can't mount proc",
      "start the container with --security-opt seccomp=unconfined",
    ],
    [
      NO_NAMESPACE,
      { ...APPARMOR, isContainer: true },
      "forbidden",
      "=1 forbids it",
      "allow it on the host with: sudo",
    ],
    [NO_NAMESPACE, { isFiltered: true }, "forbidden", "a filter of system calls", "leave RestrictNamespaces"],
    [NO_NAMESPACE, {}, "forbidden", "namespaces here: No permissions", "see: bulkhead help deploy"],
    [
      "bwrap: Unknown option --disable-userns",
      APPARMOR,
      "broken",
      "/b/bwrap does not work: ",
      "INSTALL bubblewrap",
    ],
    [
      "",
      APPARMOR,
      "broken",
      "/b/bwrap does not work: it failed without a word",
      "/b/bwrap --ro-bind / / true",
    ],
    ["it did not end within 20 seconds", {}, "broken", "it did not end within 20 seconds", "try it with"],
    ["may not", {}, "broken", "/b/bwrap does not work: may not", "try it with"],
  ];
  for (const [said, facts, cause, reason, advice] of rows) {
    const lack = explainBox("/b/bwrap", said, { ...FREE, ...facts });
    assertEquals(lack.cause, cause, said);
    assertStringIncludes(lack.reason, reason);
    assertStringIncludes(lack.advice, advice);
    // What is there must not be told to be installed.
    assertEquals(cause === "forbidden" && /install /i.test(lack.advice), false, lack.advice);
  }
  assertEquals(missingBox(FREE.install).advice, "install it with: INSTALL bubblewrap");
});

Deno.test("installWords() names what installs packages here", { permissions: "none" }, () => {
  const on = (name: string | null, isRoot = false) =>
    installWords(["xvfb", "bsdutils"], {
      isRoot,
      find: (asked) => asked === name ? `/usr/bin/${name}` : null,
    });
  assertEquals(on("apt-get"), "sudo apt-get install xvfb bsdutils");
  assertEquals(on("dnf", true), "dnf install xorg-x11-server-Xvfb util-linux");
  assertEquals(on("apk", true), "apk add xvfb util-linux");
  assertEquals(on(null), "install xvfb and util-linux");
});
