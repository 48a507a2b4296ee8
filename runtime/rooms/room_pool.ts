import { profileKey, type RoomProfile } from "./profile.ts";
import { type OpenLink, Room } from "./room.ts";

/** Rooms that wait for their next call, by profile. */
export class RoomPool {
  readonly #idle = new Map<string, Room[]>();
  readonly #open = new Set<Room>();
  readonly #options: { openLink: OpenLink; maxIdle: number };

  constructor(options: { openLink: OpenLink; maxIdle: number }) {
    this.#options = options;
  }

  /** Takes a waiting room of exactly this profile, or opens a new one. */
  async acquire(profile: RoomProfile): Promise<Room> {
    const idle = this.#idle.get(profileKey(profile)) ?? [];
    for (let room = idle.pop(); room; room = idle.pop()) {
      if (room.alive) return room;
      this.#open.delete(room);
    }
    const room = await Room.open(profile, this.#options);
    this.#open.add(room);
    return room;
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
  }

  /** Ends all rooms, idle or not. */
  close(): void {
    for (const room of this.#open) room.kill();
    this.#open.clear();
    this.#idle.clear();
  }
}
