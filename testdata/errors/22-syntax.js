// A bracket that is never closed.
function ids(rows) {
  return rows.map((row) => {
    return row.id;
  };
}
return ids(input.rows);
