// A null in the middle of a chain.
const config = JSON.parse('{"db": {"primary": null}}');
return config.db.primary.host;
