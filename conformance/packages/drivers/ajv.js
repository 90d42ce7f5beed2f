const Ajv = lib.default || lib;
const ajv = new Ajv({ allErrors: true, useDefaults: true, coerceTypes: true, strict: false });
const v = ajv.compile({ $id: "u", type: "object", required: ["id", "name"], additionalProperties: false, properties: { id: { type: "integer", minimum: 1 }, name: { type: "string", pattern: "^[a-zé]+$", maxLength: 5 }, role: { enum: ["a", "b"], default: "a" }, list: { type: "array", items: { $ref: "#/definitions/pt" }, uniqueItems: true, minItems: 1 } }, definitions: { pt: { type: "object", properties: { x: { type: "number", multipleOf: 0.5 } }, if: { required: ["y"] }, then: { required: ["z"] } } } });
const ok = { id: "3", name: "zoé", list: [{ x: 1.5 }] }; print(v(ok), ok);
print(v({ id: 0, name: "TOOLONG", role: "q", list: [{ x: 0.3, y: 1 }, { x: 0.3, y: 1 }], more: 1 }));
for (const e of v.errors) print(e.instancePath, e.schemaPath, e.keyword, e.message, e.params);
print(ajv.errorsText(v.errors.slice(0, 2)), ajv.validate({ oneOf: [{ type: "string" }, { const: 5 }], not: { const: "x" } }, 5));
const tree = ajv.compile({ $id: "tree", type: "object", properties: { v: { type: "number" }, kids: { type: "array", items: { $ref: "tree" } } }, required: ["v"] });
print(tree({ v: 1, kids: [{ v: 2 }, { kids: [] }] }), tree.errors);
ajv.addKeyword({ keyword: "even", type: "number", validate: (s, n) => s === (n % 2 === 0) }); ajv.addFormat("hex", /^[0-9a-f]+$/);
print(ajv.validate({ even: true }, 3), ajv.validate({ type: "string", format: "hex" }, "beef"), ajv.validate({ type: "object", patternProperties: { "^s_": { type: "string" } }, dependentRequired: { a: ["b"] } }, { s_a: "1" }));
try { new Ajv().compile({ type: "nonsense" }) } catch (e) { print(e.message.slice(0, 120)) }
