console.log('x'); throw new TypeError();
