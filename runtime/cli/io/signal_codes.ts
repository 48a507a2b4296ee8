/** What ends a run, with the exit codes that shells give to programs that these signals end. */
export const SIGNAL_CODES: Readonly<Record<string, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  SIGTERM: 143,
};
