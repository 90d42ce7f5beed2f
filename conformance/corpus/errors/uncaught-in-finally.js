try { try { throw new Error('first') } finally { console.log('cleanup'); throw new RangeError('second') } } finally { console.log('outer cleanup') }
