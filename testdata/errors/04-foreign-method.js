// A method of another language.
const names = [];
for (const row of input.rows) names.append(row.id);
return names;
