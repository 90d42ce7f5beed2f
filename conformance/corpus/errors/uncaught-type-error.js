console.log('before');
const config = { server: null };
function port(c) { return c.server.port }
console.log('about to fail');
console.log(String(port(config)));
console.log('never reached');
