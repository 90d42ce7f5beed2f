// A promise that isn't awaited.
const user = getUser(1);
return user.name.toUpperCase();
