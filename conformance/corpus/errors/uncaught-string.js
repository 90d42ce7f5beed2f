console.log('start'); throw 'just a string';
