// A name that is nearly right.
const results = input.rows.filter((r) => r.id > 1);
return result.length;
