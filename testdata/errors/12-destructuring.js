// Destructuring what isn't there.
function area({ size: { width, height } }) {
  return width * height;
}
return input.rows.map(area);
