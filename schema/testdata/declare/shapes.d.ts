interface shapes {
  anything?: unknown;
  nothing?: never;
  yes?: unknown;
  constant?: "x";
  literals?: 1 | "a" | null | true | [1, "b"] | { k: {}; "l-m": 2.5 };
  oneLiteral?: "only";
  union?: string | number[] | null;
  tagged?: {
    kind: "a";
    x?: number;
  } | {
    kind: "b";
  };
  both?: {
    a?: string;
  } & {
    b: string | number;
  };
  mixed?: {
    a?: string;
  };
  record?: Record<string, number>;
  open?: Record<string, unknown>;
  closed?: Record<string, never>;
  patterns?: Record<string, string | number>;
  "props and index"?: {
    a?: string;
    [key: string]: unknown;
  };
  list?: unknown[];
  empty?: [];
  nullables?: Array<string | null>;
  objects?: Array<{
    /** of an item */
    a: string;
  }>;
  lists?: number[][];
  /** @minItems 2 */
  pair?: [string, number | null];
  /** @minItems 1 */
  atLeastOne?: [string, (number | null)?, ...(string | boolean)[]];
  guessed?: {
    a?: string;
  };
  /** @minimum 5 */
  noType?: unknown;
  conditional?: string;
  several?: string | {
    a?: null;
  } | string[];
}

// Type
type A = {
  anything?: unknown;
  nothing?: never;
  yes?: unknown;
  constant?: "x";
  literals?: 1 | "a" | null | true | [1, "b"] | { k: {}; "l-m": 2.5 };
  oneLiteral?: "only";
  union?: string | number[] | null;
  tagged?: {
    kind: "a";
    x?: number;
  } | {
    kind: "b";
  };
  both?: {
    a?: string;
  } & {
    b: string | number;
  };
  mixed?: {
    a?: string;
  };
  record?: Record<string, number>;
  open?: Record<string, unknown>;
  closed?: Record<string, never>;
  patterns?: Record<string, string | number>;
  "props and index"?: {
    a?: string;
    [key: string]: unknown;
  };
  list?: unknown[];
  empty?: [];
  nullables?: Array<string | null>;
  objects?: Array<{
    /** of an item */
    a: string;
  }>;
  lists?: number[][];
  /** @minItems 2 */
  pair?: [string, number | null];
  /** @minItems 1 */
  atLeastOne?: [string, (number | null)?, ...(string | boolean)[]];
  guessed?: {
    a?: string;
  };
  /** @minimum 5 */
  noType?: unknown;
  conditional?: string;
  several?: string | {
    a?: null;
  } | string[];
};

// Compact
type B = { anything?: unknown; nothing?: never; yes?: unknown; constant?: "x"; literals?: 1 | "a" | null | true | [1, "b"] | { k: {}; "l-m": 2.5 }; oneLiteral?: "only"; union?: string | number[] | null; tagged?: { kind: "a"; x?: number } | { kind: "b" }; both?: { a?: string } & { b: string | number }; mixed?: { a?: string }; record?: Record<string, number>; open?: Record<string, unknown>; closed?: Record<string, never>; patterns?: Record<string, string | number>; "props and index"?: { a?: string; [key: string]: unknown }; list?: unknown[]; empty?: []; nullables?: Array<string | null>; objects?: Array<{ /** of an item */ a: string }>; lists?: number[][]; /** minItems 2 */ pair?: [string, number | null]; /** minItems 1 */ atLeastOne?: [string, (number | null)?, ...(string | boolean)[]]; guessed?: { a?: string }; /** minimum 5 */ noType?: unknown; conditional?: string; several?: string | { a?: null } | string[] };
