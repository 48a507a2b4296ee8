// What the types of this package mention of Deno. With Deno's own types, these add nothing.
declare namespace Deno {
  interface FileInfo {
    isFile: boolean;
    isDirectory: boolean;
    isSymlink: boolean;
    size: number;
    mtime: Date | null;
    mode: number | null;
  }
  interface FsFile {
    read(buffer: Uint8Array): Promise<number | null>;
    stat(): Promise<FileInfo>;
    close(): void;
  }
}
