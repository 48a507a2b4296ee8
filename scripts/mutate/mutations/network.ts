import type { Mutation } from "../mutation.ts";

/** Of the gate and its decisions. */
export const NETWORK: readonly Mutation[] = [
  {
    id: "net-lookup-twice",
    file: "runtime/net/dial/dial.ts",
    find: "connectToAny(options.addresses ?? await lookUp(to, options), to, options)",
    replace: "connectToAny((await lookUp(to, options), await addressesFor(to, options)), to, options)",
    promise: "what is dialled is an address that was checked",
    caughtBy: ["tests/unit/runtime/net/dial/dial_test.ts"],
  },
  {
    id: "net-redirect-keeps-key",
    file: "runtime/net/room/redirect.ts",
    find: "    return (isSame || FOR_ANYBODY.has(low)) && (!dropsBody",
    replace: "    return (!dropsBody",
    promise: "a redirect to another origin gets no headers with keys",
    caughtBy: ["tests/unit/runtime/net/room/redirect_test.ts"],
  },
  {
    id: "walls-denied-host",
    file: "runtime/walls/net/decide_net.ts",
    find: '  if (denied !== null) return refuse("denied", denied);\n  // A word about',
    replace: "  // A word about",
    promise: "a host that is denied by its name is refused",
    caughtBy: ["tests/unit/runtime/walls/net/decide_net_test.ts"],
  },
  {
    id: "walls-unseen-public",
    file: "runtime/walls/net/decide_net.ts",
    find: "return denied === undefined || isOpen ? decision",
    replace: "return true ? decision",
    promise: "where a proxy looks names up, a denied `public` means every name",
    caughtBy: ["tests/unit/runtime/net/dial/reach_test.ts"],
  },
  {
    id: "walls-link-local",
    file: "runtime/walls/net/kind_of_address.ts",
    find: '  ["169.254.0.0/16", "link-local"],\n',
    replace: "",
    promise: "the address of a cloud's metadata is not public",
    caughtBy: ["tests/unit/runtime/walls/net/decide_net_test.ts"],
  },
];
