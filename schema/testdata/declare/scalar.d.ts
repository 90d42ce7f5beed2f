/** An id. */
type scalar = string | number;

// Type
type A = string | number;

// Compact
type B = string | number;
