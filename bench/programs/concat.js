// Strings: one string grown by 300 000 concatenations, then read.
function main() {
  let s = '';
  for (let i = 0; i < 300000; i++) s += 'x' + i;
  let sum = s.length;
  for (let i = 0; i < s.length; i += 1009) sum = (sum * 31 + s.charCodeAt(i)) % 1000003;
  return sum;
}
