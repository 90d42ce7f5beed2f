// find that finds nothing, two calls away.
function byId(id) {
  return input.rows.find((row) => row.id === id);
}
function emailOf(id) {
  const row = byId(id);
  return row.user.email;
}
return emailOf("1");
