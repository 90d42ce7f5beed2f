/** @type integer */
type draft7Size = number;

/** Settings */
interface draft7 {
  size?: draft7Size;
  /** @minItems 2 */
  point?: [number, number];
}

// Type
type A = {
  size?: number;
  /** @minItems 2 */
  point?: [number, number];
};

// Compact
type B = { size?: number; /** minItems 2 */ point?: [number, number] };
