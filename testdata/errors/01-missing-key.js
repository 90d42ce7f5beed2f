// A misspelled key, read through a callback.
const emails = input.rows.map((row) => row.user.email.toLowerCase());
return emails;
