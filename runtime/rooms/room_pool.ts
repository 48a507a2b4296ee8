import type { Telemetry } from "../telemetry/telemetry.ts";
import { profileKey, type RoomProfile } from "./profile.ts";
import { type OpenLink, Room } from "./room.ts";

/** Options of a {@linkcode RoomPool}. */
export interface RoomPoolOptions {
  openLink: OpenLink;
  /** Rooms of a kind that wait for their next call. */
  maxIdle: number;
  /** Puts what rooms need into a cache. Called when a room does not open, once. */
  warm?: (() => Promise<void>) | null;
  /** Hears of rooms. @default nobody does */
  telemetry?: Telemetry | undefined;
}

/** Rooms that wait for their next call, by profile. */
export class RoomPool {
  readonly #idle = new Map<string, Room[]>();
  readonly #open = new Set<Room>();
  /** Rooms that were ended, and are not gone yet. */
  readonly #ending = new Set<Promise<void>>();
  readonly #options: RoomPoolOptions;
  /** A room has opened, or opened no better with a warm cache. */
  #opens = false;
  #warmed: Promise<void> | undefined;

  constructor(options: RoomPoolOptions) {
    this.#options = options;
  }

  /**
   * Takes a waiting room of exactly this profile, or opens a new one.
   *
   * @param meanwhile Called as soon as the room is on its way: there is time until it is ready
   */
  async acquire(profile: RoomProfile, meanwhile = () => {}): Promise<Room> {
    const idle = this.#idle.get(profileKey(profile)) ?? [];
    for (let room = idle.pop(); room; room = idle.pop()) {
      if (room.alive) {
        meanwhile();
        return room;
      }
      this.#open.delete(room);
    }
    const room = await this.#openRoom(profile, meanwhile);
    this.#open.add(room);
    const gone = this.#options.telemetry?.room();
    if (gone) room.ended.finally(gone);
    return room;
  }

  /** A room that does not open may lack its libraries, in a program that has never run before. */
  async #openRoom(profile: RoomProfile, meanwhile: () => void): Promise<Room> {
    const { warm, openLink } = this.#options;
    if (!warm || this.#opens) return await Room.open(profile, { openLink, meanwhile });
    try {
      const room = await Room.open(profile, { openLink, meanwhile });
      this.#opens = true;
      return room;
    } catch {
      await (this.#warmed ??= warm());
      this.#opens = true;
      return await Room.open(profile, { openLink });
    }
  }

  /** Gives a room back to serve its next call. */
  release(room: Room): void {
    const idle = this.#idle.get(room.key) ?? [];
    if (!room.alive || idle.length >= this.#options.maxIdle) return this.discard(room);
    this.#idle.set(room.key, [...idle, room]);
  }

  /** Ends a room for good. */
  discard(room: Room): void {
    room.kill();
    this.#open.delete(room);
    this.#ending.add(room.ended);
    room.ended.finally(() => this.#ending.delete(room.ended));
  }

  /** Ends all rooms, idle or not. Settles when they are gone. */
  async close(): Promise<void> {
    for (const room of this.#open) this.discard(room);
    this.#idle.clear();
    await Promise.all(this.#ending);
  }
}
