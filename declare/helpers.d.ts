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
