const blocks = ['BO', 'XK', 'DQ', 'CP', 'NA', 'GT', 'RE', 'TG', 'QD', 'FS', 'JW', 'HU', 'VI', 'AN', 'OB', 'ER', 'FS', 'LY', 'PC', 'ZM'];
const can = (w, b = blocks) => { if (!w) return true; const c = w[0].toUpperCase(); return b.some((x, i) => x.includes(c) && can(w.slice(1), [...b.slice(0, i), ...b.slice(i + 1)])) };
console.log(['A', 'BARK', 'BOOK', 'TREAT', 'COMMON', 'SQUAD', 'confuse'].map(w => w + ':' + can(w)).join(' '));
