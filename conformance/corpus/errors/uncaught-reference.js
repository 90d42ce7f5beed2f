console.log('one');
console.log(missingName);
