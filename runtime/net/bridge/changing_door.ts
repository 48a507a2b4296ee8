import type { Connection } from "../../../schemas/net.ts";
import type { Bridge } from "./open_bridge.ts";

/** A door of the gate for one program. */
export interface ProgramDoor {
  /** Path of its socket. */
  path: string;
  /** What the bridge says first. */
  token: string;
  /** False once the gate has ended: a new door is needed. */
  readonly isOpen: boolean;
  /** Returns the connections since the last time. */
  take(call: null): Promise<readonly Connection[]>;
  /** Closes the socket and all its connections, and returns those that nobody asked for yet. */
  close(): Promise<readonly Connection[]>;
}

/** The door that a bridge leads to: another one takes its place when the gate has ended, or other rules hold. */
export class ChangingDoor {
  readonly #bridge: Bridge;
  /** Opens a door that also lets one host more through. */
  readonly #open: (also: string | undefined) => Promise<ProgramDoor>;
  #door: ProgramDoor;
  #also: string | undefined;
  #isOver = false;
  #changes = 0;
  #turn: Promise<unknown> = Promise.resolve();
  /** Connections through doors that are closed. */
  readonly #heard: Connection[] = [];

  /** @param door The first one, to which the bridge leads already */
  constructor(bridge: Bridge, door: ProgramDoor, open: (also: string | undefined) => Promise<ProgramDoor>) {
    this.#bridge = bridge;
    this.#door = door;
    this.#open = open;
  }

  get isWhole(): boolean {
    return this.#bridge.isAlive && (this.#door.isOpen || this.#changes > 0);
  }

  /** Makes the bridge say that it is there; one that does not is ended. */
  look(): void {
    if (this.#bridge.isAlive) this.#bridge.lead(this.#door).catch(() => {});
  }

  /** Returns the connections since the last time. */
  connections(): Promise<readonly Connection[]> {
    return this.#inTurn(async () => {
      const made = [...this.#heard.splice(0), ...await this.#door.take(null)];
      // If the gate ended, there is a new one: a terminal goes on with that.
      await this.#renew();
      return made;
    });
  }

  /** Lets one host more through instead of the one before, until something settles. */
  async admit(host: string, { until }: { until: Promise<unknown> }): Promise<void> {
    if (this.#also === host) return;
    await this.#change(host);
    const shut = () => {
      if (this.#also === host) this.#change(undefined).catch(() => {});
    };
    until.then(shut, shut);
  }

  /** Closes it. Returns the connections that nobody asked for yet, and whether it was whole to the end. */
  async end(): Promise<{ connections: readonly Connection[]; isWhole: boolean }> {
    this.#isOver = true;
    await this.#turn.catch(() => {});
    // A bridge that was just killed may not be seen to have ended yet.
    const isWhole = this.#door.isOpen && await this.#bridge.lead(this.#door).then(() => true, () => false);
    return { connections: [...this.#heard.splice(0), ...await this.#door.close()], isWhole };
  }

  #change(also: string | undefined): Promise<void> {
    return this.#inTurn(async () => {
      this.#also = also;
      // What the old rules let through does not go on, and what they refused is asked again.
      this.#heard.push(...await this.#door.close());
      await this.#renew();
    });
  }

  async #renew(): Promise<void> {
    if (this.#door.isOpen || this.#isOver || !this.#bridge.isAlive) return;
    this.#door = await this.#open(this.#also);
    await this.#bridge.lead(this.#door);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#changes++;
    const own = this.#turn.catch(() => {}).then(work).finally(() => this.#changes--);
    this.#turn = own;
    return own;
  }
}
