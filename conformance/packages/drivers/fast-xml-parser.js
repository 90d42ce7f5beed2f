const { XMLParser, XMLBuilder, XMLValidator } = lib;
const xml = '<?xml version="1.0"?><!-- c --><root a="1" b="x &amp; y"><item id="01">5</item><item><![CDATA[<raw>]]></item><e/><n:ns>t &lt; u</n:ns><mixed>a<b>c</b>d</mixed></root>';
print(new XMLParser().parse(xml)); print(new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "@_", parseAttributeValue: true, cdataPropName: "__cdata", commentPropName: "#comment" }).parse(xml)); print(new XMLParser({ preserveOrder: true, ignoreAttributes: false }).parse(xml));
print(new XMLParser({ removeNSPrefix: true, isArray: n => n === "e", tagValueProcessor: (n, v) => n === "b" ? v + "!" : v, numberParseOptions: { leadingZeros: false, hex: true } }).parse(xml));
print(new XMLBuilder({ format: true, ignoreAttributes: false, suppressEmptyNode: true }).build({ r: { "@_k": "v\"", list: [1, "<2>"], e: "", "#text": "t" } }));
print(XMLValidator.validate(xml), XMLValidator.validate("<a><b></a>"), XMLValidator.validate("<a x=1/>"), XMLValidator.validate("<a/><b/>"));
