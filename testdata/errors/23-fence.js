```js
return input.rows.length;
```
