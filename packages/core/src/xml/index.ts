export { escapeMarkup } from "./escapeMarkup.js"
export { type Opml, type OpmlFeed, readOpml } from "./readOpml.js"
export { childText, elementsOf, readXml, textOfXml, type XmlElement, xmlLimits } from "./readXml.js"
export { XmlInvalid, type XmlInvalidReason } from "./XmlInvalid.js"
