import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import type { makeProgramBridges } from "../../net/bridge/program_bridges.ts";
import type { ProgramNetwork } from "../../programs/network/program_network.ts";
import type { Self } from "../../self/find_self.ts";
import type { BoxChoice } from "../../walls/box/choose_box.ts";
import { realDisk } from "../../walls/box/disk_view.ts";
import { installWords } from "../../walls/process/install_words.ts";
import { programRules, withHost } from "../../walls/net/net_rules.ts";
import { noOther, type OpenPort, takePort } from "./loopback_network.ts";
import type { RunGate } from "./run_gate.ts";

/** What the network of a run's programs is made of. */
export interface ProgramNetworkParts {
  grants: Grants;
  box: BoxChoice;
  gate: RunGate;
  self: Self;
  /** Finds a program of the system. */
  find(name: string): string | null;
}

/** Makes the way of boxed programs to the gate. Nothing of it is started before it is asked for. */
export function makeProgramNetwork({ grants, box, gate, self, find }: ProgramNetworkParts): ProgramNetwork {
  let loading: Promise<ReturnType<typeof makeProgramBridges>> | undefined;
  const load = async () => {
    const { makeProgramBridges } = await import("../../net/bridge/program_bridges.ts");
    return makeProgramBridges({
      self,
      disk: realDisk,
      folder: gate.folder,
      async tools() {
        const state = await box.state();
        const nsenter = find("nsenter");
        if (!state.works) throw new ToolError("unavailable", `${state.reason}; ${state.advice}`);
        if (state.bwrap === null) throw noOther();
        if (nsenter === null) {
          const words = installWords(["util-linux"]);
          throw new ToolError("unavailable", `nsenter is missing: install it with: ${words}`);
        }
        return { bwrap: state.bwrap, sh: find("sh") ?? "/bin/sh", nsenter };
      },
      door: (who, rules = programRules(grants), also) =>
        gate.door({ who, rules: withHost(rules, also), secrets: [], form: "proxy" }),
    });
  };
  const bridges = () => loading ??= load();
  const isProfile = async () => {
    const state = await box.state();
    return state.works && state.bwrap === null;
  };
  const expect = async () => {
    if (!await box.isUsed()) return;
    if (!await isProfile()) (await bridges()).expect();
    // Also its code, which the first door waits for.
    await gate.stand(false);
  };
  const openPort: OpenPort = (who, rules) =>
    gate.door({ who, rules, secrets: [], form: "proxy", listens: "loopback" });
  return {
    // Who takes a way hears of a failure.
    expect: () => void expect().catch(() => {}),
    take: async (who, rules) =>
      await isProfile()
        ? await takePort(openPort, who, rules ?? programRules(grants))
        : await (await bridges()).take(who, rules),
    takeClosed: async () => await (await bridges()).takeClosed(),
    end: async () => await (await loading)?.end(),
  };
}
