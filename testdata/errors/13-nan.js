// NaN from a value that is undefined.
const total = input.rows.reduce((sum, row) => sum + row.price * row.count, 0);
return new Array(total).fill(0);
