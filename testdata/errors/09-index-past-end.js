// An index past the end of an array.
let sum = 0;
for (let i = 0; i <= input.rows.length; i++) {
  sum += input.rows[i].id;
}
return sum;
