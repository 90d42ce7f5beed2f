const ack = (m, n) => m ? n ? ack(m - 1, ack(m, n - 1)) : ack(m - 1, 1) : n + 1; console.log([[0, 5], [1, 5], [2, 5], [3, 3]].map(a => ack(...a)).join());
const F = n => n ? n - M(F(n - 1)) : 1, M = n => n ? n - F(M(n - 1)) : 0; console.log(Array.from({ length: 20 }, (_, i) => F(i)).join(), Array.from({ length: 20 }, (_, i) => M(i)).join());
const Q = [0, 1, 1]; for (let i = 3; i <= 30; i++) Q[i] = Q[i - Q[i - 1]] + Q[i - Q[i - 2]]; console.log(Q.slice(1).join()); const cat = n => n ? cat(n - 1) * 2 * (2 * n - 1) / (n + 1) : 1; console.log(Array.from({ length: 12 }, (_, i) => cat(i)).join());
