type refsTwo = string;

type refsOne = refsTwo;

type refsColor = "red" | "green";

type refsList = {
  up?: refsList;
}[];

interface refsItems {
  up?: refsList;
}

/** A tree of names. */
interface refsTree {
  name: string;
  children?: refsTree[];
  color?: refsColor;
}

interface refs {
  root?: refs;
  /** The words of the place, not of the definition. */
  tree: refsTree;
  maybe?: refsTree | null;
  same?: refsItems;
  list?: {
    up?: refsList;
  }[];
  anchor?: refsColor;
  chain?: refsOne;
}

// Type
type A = {
  root?: unknown;
  /** The words of the place, not of the definition. */
  tree: {
    name: string;
    children?: unknown[];
    color?: "red" | "green";
  };
  maybe?: {
    name: string;
    children?: unknown[];
    color?: "red" | "green";
  } | null;
  same?: {
    up?: unknown[];
  };
  list?: {
    up?: unknown;
  }[];
  anchor?: "red" | "green";
  chain?: string;
};

// Compact
type B = { root?: unknown; /** The words of the place, not of the definition. */ tree: { name: string; children?: unknown[]; color?: "red" | "green" }; maybe?: { name: string; children?: unknown[]; color?: "red" | "green" } | null; same?: { up?: unknown[] }; list?: { up?: unknown }[]; anchor?: "red" | "green"; chain?: string };
