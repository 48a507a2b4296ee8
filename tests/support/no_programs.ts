import type { ProgramHost } from "../../runtime/programs/process/program_host.ts";
import type { LazyBrowser } from "../../runtime/browser/lazy_browser.ts";
import type { LazyDesktop } from "../../runtime/desktop/lazy_desktop.ts";
import type { Programs } from "../../schemas/program.ts";

const refuse = (): Promise<never> => Promise.reject(new Error("this test starts no programs"));

export const noPrograms: Programs = {
  run: refuse,
  open: refuse,
  command: refuse,
  write: refuse,
  read: refuse,
  signal: refuse,
  close: refuse,
  screen: refuse,
  keepScreen: refuse,
  serveApart: refuse,
};

export const noBrowser: LazyBrowser = {
  act: () => Promise.reject(new Error("this test starts no browser")),
  end: () => Promise.resolve(),
};

export const noDesktop: LazyDesktop = {
  act: () => Promise.reject(new Error("this test starts no desktop")),
  end: () => Promise.resolve(),
};

export const noProgramHost: ProgramHost = {
  ...noPrograms,
  check: refuse,
  end: () => Promise.resolve(),
};
