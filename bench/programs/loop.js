// Arithmetic: three million steps of a number loop.
function main() {
  let s = 0;
  for (let i = 0; i < 3000000; i++) s = (s + i * 3) % 1000003;
  return s;
}
