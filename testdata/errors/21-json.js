// Text that isn't JSON.
const text = "{'id': 1}";
return JSON.parse(text).id;
