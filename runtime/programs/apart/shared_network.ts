import type { ProgramNetwork, ProgramWay } from "../network/program_network.ts";

/**
 * Makes a network that programs share: what listens in one is reached from the others. It is taken with the first of them,
 * and ends with the network that it is made of.
 *
 * @param options `isClosed`: it leads nowhere
 */
export function makeSharedNetwork(
  network: Pick<ProgramNetwork, "expect" | "take" | "takeClosed">,
  { isClosed }: { isClosed: boolean },
): ProgramNetwork {
  let taken: Promise<ProgramWay> | undefined;
  const renew = async (before: Promise<ProgramWay> | undefined, who: string) => {
    const known = await before?.catch(() => undefined);
    if (known?.isWhole) return known;
    return isClosed ? await network.takeClosed() : await network.take(who);
  };
  const take = async (who: string): Promise<ProgramWay> => {
    const way = await (taken = renew(taken, who));
    return {
      pid: way.pid,
      get isWhole() {
        return way.isWhole;
      },
      connections: () => way.connections(),
      admit: (...given) => way.admit(...given),
      end: async () => ({ connections: await way.connections(), isWhole: way.isWhole }),
    };
  };
  return {
    expect: () => isClosed ? undefined : network.expect(),
    take,
    takeClosed: () => take(""),
    end: () => Promise.resolve(),
  };
}
