console.log('never printed, the program does not parse');
let x = 1;
let x = 2;
