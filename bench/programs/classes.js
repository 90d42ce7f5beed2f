// Classes: shapes with inheritance, accessors, private fields and super calls.
class Shape {
  #name;
  static count = 0;
  constructor(name) {
    this.#name = name;
    Shape.count++;
  }
  get name() { return this.#name; }
  area() { return 0; }
  scale(k) { return this; }
  describe() { return this.#name.length + this.area(); }
}

class Rect extends Shape {
  constructor(w, h, name = 'rect') {
    super(name);
    this.w = w;
    this.h = h;
  }
  area() { return this.w * this.h; }
  scale(k) {
    this.w = (this.w * k) % 97;
    this.h = (this.h * k) % 89;
    return this;
  }
}

class Square extends Rect {
  #seen = 0;
  constructor(w) { super(w, w, 'square'); }
  area() {
    this.#seen++;
    return super.area();
  }
  get seen() { return this.#seen; }
}

class Circle extends Shape {
  constructor(r) {
    super('circle');
    this.r = r;
  }
  area() { return 3 * this.r * this.r; }
  scale(k) {
    this.r = (this.r * k) % 83;
    return this;
  }
}

function main() {
  const shapes = [];
  for (let i = 0; i < 3000; i++) {
    shapes.push(i % 3 === 0 ? new Rect(i % 10, i % 7) : i % 3 === 1 ? new Square(i % 13) : new Circle(i % 11));
  }
  let sum = 0;
  for (let round = 1; round <= 40; round++) {
    for (const s of shapes) sum = (sum + s.scale(round).describe()) % 1000003;
  }
  let seen = 0;
  for (const s of shapes) if (s instanceof Square) seen += s.seen + s.name.length;
  return sum + ' ' + seen;
}
