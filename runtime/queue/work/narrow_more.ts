import type { NarrowRequest } from "../../server/contract/narrow.ts";

type Narrowing = NonNullable<NarrowRequest["grants"]>;

/** Takes away what both take away: of a job, and of one of its lines. */
export function narrowMore(a: Narrowing | undefined, b: Narrowing | undefined): Narrowing | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const strictest = [a.policy, b.policy].includes("read-only-no-net")
    ? "read-only-no-net"
    : a.policy ?? b.policy;
  const tools = a.tools && b.tools ? a.tools.filter((name) => b.tools!.includes(name)) : a.tools ?? b.tools;
  return {
    ...strictest && { policy: strictest },
    ...tools && { tools },
    ...both("deny_read", a, b),
    ...both("deny_write", a, b),
    ...both("deny_net", a, b),
    ...both("deny_run", a, b),
  };
}

function both<Name extends Exclude<keyof Narrowing, "policy" | "tools">>(
  name: Name,
  a: Narrowing,
  b: Narrowing,
) {
  const [one, other] = [a[name], b[name]];
  if (one === undefined && other === undefined) return {};
  return { [name]: one === true || other === true ? true : [...one ?? [], ...other ?? []] };
}
