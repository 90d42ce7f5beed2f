throw { code: 42, toString() { return 'custom object' } };
