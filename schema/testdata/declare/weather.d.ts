/** Asks for the weather. */
interface weather {
  /**
   * The city.
   * In English, without the country.
   * @minLength 1
   * @maxLength 100
   */
  city: string;
  /**
   * How far ahead.
   * @default 3
   * @type integer
   * @minimum 1
   * @maximum 14
   */
  days?: number;
  /** @default "celsius" */
  unit?: "celsius" | "fahrenheit";
  /** @format date-time */
  when: string | null;
  /** @deprecated */
  old?: boolean;
  /**
   * @exclusiveMinimum 0
   * @multipleOf 0.5
   */
  "with-dash"?: number;
  /**
   * @maxItems 5
   * @uniqueItems
   */
  tags?: string[];
}

// Type
type A = {
  /**
   * The city.
   * In English, without the country.
   * @minLength 1
   * @maxLength 100
   */
  city: string;
  /**
   * How far ahead.
   * @default 3
   * @type integer
   * @minimum 1
   * @maximum 14
   */
  days?: number;
  /** @default "celsius" */
  unit?: "celsius" | "fahrenheit";
  /** @format date-time */
  when: string | null;
  /** @deprecated */
  old?: boolean;
  /**
   * @exclusiveMinimum 0
   * @multipleOf 0.5
   */
  "with-dash"?: number;
  /**
   * @maxItems 5
   * @uniqueItems
   */
  tags?: string[];
};

// Compact
type B = { /** The city.; minLength 1, maxLength 100 */ city: string; /** How far ahead.; default 3, integer, minimum 1, maximum 14 */ days?: number; /** default "celsius" */ unit?: "celsius" | "fahrenheit"; /** format date-time */ when: string | null; /** deprecated */ old?: boolean; /** exclusiveMinimum 0, multipleOf 0.5 */ "with-dash"?: number; /** maxItems 5, unique */ tags?: string[] };
