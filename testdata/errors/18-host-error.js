// A host function that fails.
async function load(ids) {
  return Promise.all(ids.map((id) => getUser(id)));
}
return await load([1, 99]);
