// A constant that is assigned.
const total = 0;
for (const row of input.rows) total += row.id;
return total;
