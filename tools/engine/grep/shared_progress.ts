/**
 * How much a search wants before it stops; the joined result is never shorter than the characters of its
 * lines.
 */
export interface SearchLimits {
  lines: number;
  chars: number;
}

/**
 * One thread's view of a search that several threads share: which batch is next, whether to stop, and what
 * the finished batches hold. The search stops by itself once the batches finished without a gap from the
 * first on hold enough.
 */
export interface SharedProgress {
  /** Claims the next batch if it is one of the first `published`; returns its index, or -1. */
  claim(published: number): number;
  /** Tells that a batch is finished and what it holds. */
  finish(batch: number, lines: number, chars: number): void;
  /** Ends the search for all threads. */
  stop(): void;
  isStopped(): boolean;
}

const NEXT = 0;
const STOP = 1;
const HEADER = 2;

/** Batches behind these are searched as well, but do not stop the search early. */
const TRACKED_BATCHES = 8192;

/** Makes the memory that the threads of one search share. */
export function createSharedMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer((HEADER + 2 * TRACKED_BATCHES) * Int32Array.BYTES_PER_ELEMENT);
}

/** Opens the shared memory in one thread. */
export function openSharedProgress(memory: SharedArrayBuffer, limits: SearchLimits): SharedProgress {
  const cells = new Int32Array(memory);
  const total = { batches: 0, lines: 0, chars: 0 };
  const stop = () => Atomics.store(cells, STOP, 1);
  const addFinished = () => {
    while (total.batches < TRACKED_BATCHES) {
      const cell = HEADER + 2 * total.batches;
      const lines = Atomics.load(cells, cell);
      if (lines === 0) return;
      total.batches++;
      total.lines += lines - 1;
      total.chars += Atomics.load(cells, cell + 1);
      if (total.lines > limits.lines || total.chars > limits.chars) return void stop();
    }
  };
  return {
    stop,
    isStopped: () => Atomics.load(cells, STOP) === 1,
    claim(published) {
      while (true) {
        const next = Atomics.load(cells, NEXT);
        if (next >= published) return -1;
        if (Atomics.compareExchange(cells, NEXT, next, next + 1) === next) return next;
      }
    },
    finish(batch, lines, chars) {
      if (batch >= TRACKED_BATCHES) return;
      const cell = HEADER + 2 * batch;
      Atomics.store(cells, cell + 1, Math.min(chars, 0x7fffffff));
      // Stored last: it is what says that the batch is finished.
      Atomics.store(cells, cell, lines + 1);
      addFinished();
    },
  };
}
