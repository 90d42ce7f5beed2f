// What these tools use of ctx. `pinfold types` prints all of it.

export interface FetchResponse {
  ok: boolean;
  status: number;
  statusText: string;
  headers: Record<string, string>;
  text(): Promise<string>;
  json(): Promise<any>;
}

export interface FileEntry {
  name: string;
  path: string;
  kind: "file" | "directory";
  size: number;
}

export interface Ctx {
  readFile(path: string, options?: { maxBytes?: number }): Promise<string>;
  findFiles(pattern: string, options?: { dir?: string; maxEntries?: number }): Promise<{ entries: FileEntry[]; cut?: string }>;
  writeFile(path: string, data: string): Promise<{ bytes: number }>;
  fetch(url: string, init?: { method?: string; headers?: Record<string, string>; timeoutMs?: number }): Promise<FetchResponse>;
  delay(ms: number): Promise<void>;
  store: {
    get(key: string): Promise<any>;
    set(key: string, value: unknown): Promise<void>;
    delete(key: string): Promise<boolean>;
    keys(prefix?: string, after?: string): Promise<string[]>;
  };
}
