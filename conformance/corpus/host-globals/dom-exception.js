'use strict';
for (const e of [new DOMException(), new DOMException('m'), new DOMException('gone', 'AbortError'), new DOMException('x', 'NoSuchName'), new DOMException('m', { name: 'TimeoutError', cause: 1 })])
  console.log(e.name, e.message, String(e.code), String(e), String(e instanceof DOMException && e instanceof Error), Object.prototype.toString.call(e), String(e.cause));
console.log(String(DOMException.ABORT_ERR), String(DOMException.prototype.DATA_CLONE_ERR), Object.keys(DOMException).length + '', String(DOMException.length));
try { structuredClone({ f() {} }) } catch (e) { console.log(e.name, String(e.code), e.message, String(e instanceof DOMException)) }
try { DOMException('x') } catch (e) { console.log(e.name, e.message) }
class Mine extends DOMException { constructor(m) { super(m, 'Mine') } }
const e = new Mine('hi'); console.log(e.name, e.message, String(e), String(e instanceof DOMException), String(e.code));
console.log(e.stack.split('\n')[0]);
