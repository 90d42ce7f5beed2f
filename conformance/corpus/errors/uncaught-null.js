console.log('x'); throw null;
