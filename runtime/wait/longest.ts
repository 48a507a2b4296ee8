/** Longest time that a timer takes, in milliseconds: some weeks. */
export const LONGEST_MS = 2 ** 31 - 1;
