import type { NarrowPrograms } from "../programs/narrow/narrow_programs.ts";
import type { RunPrograms } from "./make_programs.ts";

/**
 * Makes a host of programs that is loaded with the first program: most runs of a single call start none.
 *
 * @param load Makes the host itself
 */
export function lazyPrograms(load: () => Promise<RunPrograms>): RunPrograms {
  let loading: Promise<RunPrograms> | undefined;
  let loaded: RunPrograms | undefined;
  const host = () => loading ??= load().then((made) => loaded = made);
  return {
    check: async (...given) => await (await host()).check(...given),
    run: async (...given) => await (await host()).run(...given),
    attach: async (...given) => await (await host()).attach(...given),
    open: async (...given) => await (await host()).open(...given),
    command: async (...given) => await (await host()).command(...given),
    write: async (...given) => await (await host()).write(...given),
    read: async (...given) => await (await host()).read(...given),
    signal: async (...given) => await (await host()).signal(...given),
    close: async (...given) => await (await host()).close(...given),
    screen: async (...given) => await (await host()).screen(...given),
    keepScreen: async (...given) => await (await host()).keepScreen(...given),
    narrowed(needs) {
      let made: Promise<NarrowPrograms> | undefined;
      const narrow = () => made ??= host().then((loaded) => loaded.narrowed(needs));
      return {
        check: async (...given) => await (await narrow()).check(...given),
        run: async (...given) => await (await narrow()).run(...given),
        pipe: async (...given) => await (await narrow()).pipe(...given),
      };
    },
    closed: () => loaded?.closed() ?? { hidden: [], frozen: [] },
    // Who waits for a program hears of a failure.
    stand: () => void host().then((made) => made.stand(), () => {}),
    warm: () => void host().then((made) => made.warm(), () => {}),
    end: async () => await (await loading)?.end(),
  };
}
