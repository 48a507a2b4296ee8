import { assertEquals } from "@std/assert";

import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import {
  narrowToNeeds,
  type ProgramNeeds,
  ungrantedFlags,
} from "../../../../../runtime/programs/narrow/program_needs.ts";

const place = { workspace: "/ws", cwd: "/ws", realPath: (path: string) => path };
const FLAGS: GrantFlags = {
  allow: { read: ["/data"], write: ["/ws/.envrc"], net: ["example.com", "*.example.org:443"] },
  deny: { read: ["/ws/closed"] },
  allowSecrets: ["/ws/a/.env"],
  allowPrivateNet: ["127.0.0.1:80"],
  sandboxShow: ["/opt/sdk"],
  shareNet: true,
};

function narrow(needs: ProgramNeeds, flags: GrantFlags = FLAGS) {
  return narrowToNeeds(makeGrants(flags, place), needs);
}

Deno.test("narrowToNeeds() leaves nothing to a program that needs nothing, and no way past the gate", () => {
  const less = narrow({});
  assertEquals([less.allow.read, less.allow.write, less.netNamed, less.privateNet], [[], [], [], []]);
  assertEquals([less.secrets, less.writeNamed, less.shareNet], [[], [], false]);
  assertEquals(less.deny.read, ["/ws/closed"]);
  assertEquals(less.sandboxShow, ["/opt/sdk"]);
});

Deno.test("narrowToNeeds() leaves what is both needed and granted, of each kind", () => {
  const cases: [ProgramNeeds, read: unknown, write: unknown][] = [
    [{ read: ["/ws/a", "/etc"] }, ["/ws/a"], []],
    [{ read: ["/"] }, ["/ws", "/data"], []],
    [{ read: true }, ["/ws", "/data"], []],
    [{ write: ["/ws/a", "/data"] }, ["/ws/a", "/data"], ["/ws/a"]],
    [{ write: true }, ["/ws", "/data"], ["/ws", "/ws/.envrc"]],
    [{ read: ["/wsx"], write: ["/datas"] }, [], []],
  ];
  for (const [needs, read, write] of cases) {
    const { allow } = narrow(needs);
    assertEquals([allow.read, allow.write], [read, write], JSON.stringify(needs));
  }
  assertEquals(narrow({ write: ["/etc/x"] }, { allowAll: true }).allow.write, ["/etc/x"]);
  assertEquals(narrow({ read: ["/ws/a"] }).secrets, ["/ws/a/.env"]);
  assertEquals(narrow({ read: ["/ws/b"] }).secrets, []);
  assertEquals(narrow({ write: ["/ws"] }).writeNamed, ["/ws/.envrc"]);
  assertEquals(narrow({ read: ["/ws"] }).writeNamed, []);
});

Deno.test("ungrantedFlags() names the flags for what is needed, not granted, and not denied", () => {
  const cases: [ProgramNeeds, flags: string[], policy?: "read-only"][] = [
    [{}, []],
    [{ read: ["/ws/a", "/data"], write: ["/ws/b"] }, []],
    [{ read: true, write: ["/"] }, []],
    [{ read: ["/ws/closed/a"] }, []],
    [{ read: ["/wsx", "/etc,d"], write: ["/data/b"] }, [
      "--allow-read=/wsx,/etc,,d",
      "--allow-write=/data/b",
    ]],
    [{ read: ["/wsx"], write: ["/data/b"] }, ["--allow-read=/wsx"], "read-only"],
  ];
  for (const [needs, flags, policy = "coder"] of cases) {
    const grants = makeGrants({ ...FLAGS, policy }, place);
    assertEquals(ungrantedFlags(grants, needs), flags, JSON.stringify(needs));
  }
  assertEquals(ungrantedFlags(makeGrants({ allowAll: true }, place), { write: ["/etc/x"] }), []);
});

Deno.test("narrowToNeeds() grants hosts as a tool's, and private ones only by the flag for them", () => {
  const named: GrantFlags = { ...FLAGS, policy: "read-only-no-net" };
  assertEquals(narrow({ net: ["example.com:443", "other.example"] }, named).netNamed, ["example.com:443"]);
  assertEquals(narrow({ net: ["a.example.org"] }, named).netNamed, ["a.example.org:443"]);
  assertEquals(narrow({ net: true }, named).netNamed, ["example.com", "*.example.org:443"]);
  assertEquals(narrow({ net: ["other.example"] }, {}).netNamed, ["other.example"]);
  assertEquals(narrow({ net: ["10.0.0.1", "127.0.0.1"] }).privateNet, ["127.0.0.1:80"]);
  assertEquals(narrow({ net: ["10.0.0.1"] }, {}).privateNet, []);
});

Deno.test("narrowToNeeds() shows what a program consists of, by its real path", () => {
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-needs-" });
  try {
    Deno.mkdirSync(`${folder}/real`);
    Deno.symlinkSync(`${folder}/real`, `${folder}/link`);
    const { sandboxShow, allow } = narrow({
      show: [`${folder}/link`, `${folder}/link/none`],
      read: [folder],
    });
    assertEquals(sandboxShow, ["/opt/sdk", `${folder}/real`, `${folder}/real/none`]);
    assertEquals(allow.read, []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
