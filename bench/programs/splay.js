// A splay tree with objects as payload: allocation, garbage and pointer work.
class Node {
  constructor(key, value) {
    this.key = key;
    this.value = value;
    this.left = null;
    this.right = null;
  }
}

class Tree {
  constructor() {
    this.root = null;
    this.size = 0;
  }
  // splay brings the node with the key, or the last one on its way, to the top.
  splay(key) {
    if (this.root === null) return;
    const header = new Node(0, null);
    let left = header, right = header, at = this.root;
    for (; ;) {
      if (key < at.key) {
        if (at.left === null) break;
        if (key < at.left.key) {
          const t = at.left;
          at.left = t.right;
          t.right = at;
          at = t;
          if (at.left === null) break;
        }
        right.left = at;
        right = at;
        at = at.left;
      } else if (key > at.key) {
        if (at.right === null) break;
        if (key > at.right.key) {
          const t = at.right;
          at.right = t.left;
          t.left = at;
          at = t;
          if (at.right === null) break;
        }
        left.right = at;
        left = at;
        at = at.right;
      } else break;
    }
    left.right = at.left;
    right.left = at.right;
    at.left = header.right;
    at.right = header.left;
    this.root = at;
  }
  insert(key, value) {
    const node = new Node(key, value);
    if (this.root !== null) {
      this.splay(key);
      const r = this.root;
      if (r.key === key) return false;
      if (key > r.key) {
        node.left = r;
        node.right = r.right;
        r.right = null;
      } else {
        node.right = r;
        node.left = r.left;
        r.left = null;
      }
    }
    this.root = node;
    this.size++;
    return true;
  }
  remove(key) {
    this.splay(key);
    const r = this.root;
    if (r === null || r.key !== key) return false;
    if (r.left === null) {
      this.root = r.right;
    } else {
      const right = r.right;
      this.root = r.left;
      this.splay(key);
      this.root.right = right;
    }
    this.size--;
    return true;
  }
  largestBelow(key) {
    if (this.root === null) return null;
    this.splay(key);
    if (this.root.key < key) return this.root;
    let at = this.root.left;
    while (at !== null && at.right !== null) at = at.right;
    return at;
  }
}

function payload(depth, tag) {
  if (depth === 0) return { array: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], text: 'String for key ' + tag + ' in leaf' };
  return { left: payload(depth - 1, tag), right: payload(depth - 1, tag) };
}

function main() {
  let seed = 49734321;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed;
  };
  const tree = new Tree();
  while (tree.size < 2000) tree.insert(random(), payload(2, tree.size));
  let found = 0;
  for (let i = 0; i < 6000; i++) {
    let key = random();
    while (!tree.insert(key, payload(2, i))) key = random();
    const below = tree.largestBelow(key);
    if (below === null) tree.remove(key);
    else {
      found += below.value.left.left.array.length;
      tree.remove(below.key);
    }
  }
  return tree.size + ' ' + found + ' ' + tree.root.key;
}
