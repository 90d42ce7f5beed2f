// JSON of an object that contains itself.
const parent = { name: "a", children: [] };
parent.children.push({ name: "b", parent });
return JSON.stringify(parent);
