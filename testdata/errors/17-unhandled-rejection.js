// A rejection that nobody handles.
async function save(row) {
  if (!row.user) throw new Error(`row ${row.id} has no user`);
  return row.id;
}
input.rows.forEach(save);
return "saved";
