// TypeScript, with the place of the author's text.
interface Row { id: number; user?: { email: string } }
const first = (rows: Row[]): string => rows.at(-1)!.user!.email;
return first(input.rows);
