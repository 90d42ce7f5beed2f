class ValidationError extends Error { constructor(field, message) { super(`${field}: ${message}`); this.name = 'ValidationError'; this.field = field } }
console.log('checking');
throw new ValidationError('age', 'must be a number');
