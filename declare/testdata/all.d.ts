// What programs find beside ECMAScript. Written by pinfold: don't edit.

/** A response of ctx.fetch. Its body can be read more than once. */
interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: FetchHeaders;
  text(): Promise<string>;
  json(): Promise<any>;
  bytes(): Promise<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Headers, by their names in small letters. */
type FetchHeaders = { readonly [name: string]: any } & { get(name: string): string | null; has(name: string): boolean };

/** A list of files; cut says why it isn't complete. */
interface FileList {
  entries: FileEntry[];
  cut?: "entries" | "depth" | "visit";
}

interface FileEntry {
  name: string;
  path: string;
  kind: "file" | "directory";
  size: number;
  modified?: string;
}

interface LlmRequest {
  model?: string;
  system?: string;
  messages: LlmMessage[];
  tools?: { name: string; description?: string; input_schema?: object }[];
  temperature?: number;
  top_p?: number;
  max_tokens?: number;
  stop_sequences?: string[];
  output_schema?: object;
}

interface LlmMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  tool_calls?: LlmToolCall[];
  tool_call_id?: string;
  name?: string;
}

interface LlmToolCall {
  id: string;
  name: string;
  arguments: any;
}

interface LlmResponse {
  model: string;
  content: string;
  tool_calls?: LlmToolCall[];
  stop_reason: "end" | "max_tokens" | "tool_use" | "stop_sequence" | "refusal";
  usage: { input_tokens: number; output_tokens: number; cache_read_tokens?: number; cache_write_tokens?: number };
}

/** A piece of an answer; the last one has done. */
interface LlmChunk {
  text?: string;
  tool_call?: LlmToolCall;
  done?: LlmResponse;
}

interface Receipt { id: string }

/** The host doesn't describe it. */
type SaveOptions = any;

interface ConvertUnitsInput {
  from: string;
  value: number;
}
type ConvertUnitsOutput = number;

interface Context {
  /** Reads a whole file: text, or with encoding "base64" or "bytes" what isn't text. */
  readFile(path: string, options?: { encoding?: "utf8"; maxBytes?: number }): Promise<string>;
  readFile(path: string, options: { encoding: "base64"; maxBytes?: number }): Promise<string>;
  readFile(path: string, options: { encoding: "bytes"; maxBytes?: number }): Promise<Uint8Array>;
  /** Lists what is in a folder; "cut" says why a list isn't complete. */
  listFiles(dir?: string, options?: { maxEntries?: number }): Promise<FileList>;
  /** Finds files by a pattern, such as "**\/*.md". */
  findFiles(pattern: string, options?: { dir?: string; maxEntries?: number; maxDepth?: number }): Promise<FileList>;
  /** Creates or replaces a file, whole or not at all; its folder must exist. */
  writeFile(path: string, data: string | Uint8Array, options?: { append?: boolean; create?: boolean }): Promise<{ bytes: number }>;
  /** Makes an HTTP request to a granted host. An object as body is sent as JSON. A status that isn't 2xx is no error: look at ok. */
  fetch(url: string, init?: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array | object; timeoutMs?: number; maxBytes?: number; redirect?: "follow" | "manual" | "error" }): Promise<FetchResponse>;
  readonly store: {
    /** Returns what is kept under a key, undefined if nothing is. */
    get(key: string): Promise<unknown>;
    /** Keeps a JSON value under a key, for later runs too. */
    set(key: string, value: unknown): Promise<void>;
    /** Forgets a key; says whether there was something. */
    delete(key: string): Promise<boolean>;
    /** Lists the keys with a prefix, those after a key, at most 1000. */
    keys(prefix?: string, after?: string): Promise<string[]>;
  };
  /** Asks a language model: a prompt, or a request with messages. */
  llm(request: string | LlmRequest): Promise<LlmResponse>;
  /** Asks a language model and gives the answer in pieces. */
  llmStream(request: string | LlmRequest): Promise<AsyncIterable<LlmChunk>>;
  /** Converts units. */
  callTool(name: "convert-units", input: ConvertUnitsInput): Promise<ConvertUnitsOutput>;
  /** Converts others. */
  callTool(name: "convert_units", input: object): Promise<unknown>;
  /** Lists the tools that can be called. */
  listTools(): Promise<{ name: string; description: string; inputSchema?: object }[]>;
  /** Adds a cost in US dollars: a number, or a decimal as text. */
  addCost(usd: number | string, note?: string): void;
  /** Writes a record for the host; the model doesn't see it. */
  log(message: string, fields?: object): void;
  /** Waits for some milliseconds. */
  delay(ms: number): Promise<void>;
  /** The capabilities that can be used. */
  readonly capabilities: readonly string[];
  /** The tool that the program is, its call, and the instance that it works for. */
  readonly toolName?: string;
  readonly callId?: string;
  readonly instanceId?: string;
  /** The milliseconds that are left. */
  remainingMs(): number;
}

/** What the host grants. */
declare const ctx: Context;
/** ctx.fetch by the web's name. */
declare const fetch: Context["fetch"];

/** The time. *\/ It ends. */
declare function now(): Date;

declare const orders: {
  find(arg1: string, arg2?: { id: string; total: number; made: Date; note?: string | null; lines: { article: string; tags?: Record<string, string>; of?: any }[] } | null): Promise<{ id: string; total: number; made: Date; note?: string | null; lines: { article: string; tags?: Record<string, string>; of: any }[] }>;
  all(): Promise<AsyncIterable<{ article: string; tags?: Record<string, string>; of: { id: string; total: number; made: Date; note?: string | null; lines: any[] } | null }>>;
  sum(...args: number[]): number;
  save(bytes: Uint8Array, how?: SaveOptions): Receipt;
};

declare function pick<T>(list: T[]): T | undefined;

declare function wrong(arg1: number, arg2: number): boolean;

declare function ask(...args: any[]): Promise<any>;

/** The tools by their names. */
interface Tools {
  /** Converts units. */
  "convert-units": { input: ConvertUnitsInput; output: ConvertUnitsOutput };
  /** Converts others. */
  convert_units: { input: object; output: unknown };
}

/** The data that the program was given. */
declare const input: any;

declare const console: {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  trace(...values: unknown[]): void;
  assert(condition?: unknown, ...values: unknown[]): void;
  dir(value: unknown): void;
  table(rows: unknown, columns?: string[]): void;
  group(...values: unknown[]): void;
  groupCollapsed(...values: unknown[]): void;
  groupEnd(): void;
  count(label?: string): void;
  countReset(label?: string): void;
  time(label?: string): void;
  timeLog(label?: string, ...values: unknown[]): void;
  timeEnd(label?: string): void;
};

declare function structuredClone<T>(value: T): T;
declare function queueMicrotask(callback: () => void): void;
declare function atob(text: string): string;
declare function btoa(text: string): string;
declare const crypto: { randomUUID(): string; getRandomValues<T extends ArrayBufferView>(array: T): T };

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static parse(url: string | URL, base?: string | URL): URL | null;
  static canParse(url: string | URL, base?: string | URL): boolean;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}

declare class URLSearchParams {
  constructor(init?: string | URLSearchParams | Record<string, string> | Iterable<[string, string]>);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(callback: (value: string, name: string, all: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly code: number;
}

declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function setInterval(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id?: number): void;
declare function clearInterval(id?: number): void;
