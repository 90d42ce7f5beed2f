// A Map that is asked with the wrong type of key.
const byId = new Map(input.rows.map((row) => [row.id, row]));
const ask = (key) => byId.get(key);
return ask("1").id;
