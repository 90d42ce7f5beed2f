// A method that is nearly right.
return "a,b,c".spilt(",").length;
