import type { Beginning, OrderId } from "../../../contract/engine.ts";
import type { Link } from "../link/link.ts";
import { newWritingId, readStored, type StoredRecord, writeRecord } from "../store/records.ts";
import { begunSubject, STREAMS } from "../store/subjects.ts";

/** How many beginnings of an order are known, at most: the oldest are forgotten. */
const MOST = 20;

/** A beginning, and which call recorded it. */
interface KnownBeginning extends Beginning {
  id: string;
}

/**
 * Records that a worker begins an order.
 *
 * @returns Who began it before. With `once` and a non-empty answer, nothing was recorded
 */
export async function recordBeginning(
  link: Link,
  order: OrderId,
  { by: { worker, time }, once }: { by: Beginning; once: boolean },
): Promise<readonly Beginning[]> {
  const subject = begunSubject(order);
  const mine: KnownBeginning = { worker, time, id: newWritingId() };
  let before: readonly KnownBeginning[] = [];
  let after = 0;
  while (true) {
    const list = [...before, mine].slice(-MOST);
    const body = new TextEncoder().encode(JSON.stringify(list));
    const found = await writeRecord(link, subject, body, { stream: STREAMS.begun, after });
    if (!found) return before.map(plain);
    before = listOf(found);
    after = found.seq;
    // The answer was lost, and another one has begun it since.
    const at = before.findIndex(({ id }) => id === mine.id);
    if (at >= 0) return before.slice(0, at).map(plain);
    if (once) return before.map(plain);
  }
}

/** Returns who has begun an order. */
export async function readBeginnings(link: Link, order: OrderId): Promise<readonly Beginning[]> {
  const found = await readStored(link, STREAMS.begun, begunSubject(order));
  return found ? listOf(found).map(plain) : [];
}

function listOf({ data }: StoredRecord): readonly KnownBeginning[] {
  return JSON.parse(new TextDecoder().decode(data)) as KnownBeginning[];
}

function plain({ worker, time }: KnownBeginning): Beginning {
  return { worker, time };
}
