import { escapeMarkup } from "../../xml/escapeMarkup.js"
import { clock } from "../timestamps.js"
import { chapteredParagraphs, summaryLines } from "./chapteredParagraphs.js"
import { inChunks } from "./inChunks.js"
import type { Script } from "./Script.js"
import { zip } from "./zip.js"

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
const PACKAGE = "http://schemas.openxmlformats.org/package/2006"
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${TYPE}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`

const relationships = (target: string, type: string) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`

const style = (id: string, name: string, paragraph: string, run: string) =>
  `<w:style w:type="paragraph"${id === "Normal" ? ' w:default="1"' : ""} w:styleId="${id}"><w:name w:val="${name}"/>${id === "Normal" ? "" : '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/>'}<w:qFormat/><w:pPr>${paragraph}</w:pPr><w:rPr>${run}</w:rPr></w:style>`

const STYLES = `${XML}<w:styles xmlns:w="${WORD}">${[
  style(
    "Normal",
    "Normal",
    '<w:spacing w:after="160" w:line="276" w:lineRule="auto"/>',
    '<w:sz w:val="22"/>',
  ),
  style("Title", "Title", '<w:spacing w:after="240"/>', '<w:b/><w:sz w:val="44"/>'),
  style(
    "Heading1",
    "heading 1",
    '<w:keepNext/><w:spacing w:before="360" w:after="120"/><w:outlineLvl w:val="0"/>',
    '<w:b/><w:sz w:val="30"/>',
  ),
].join("")}</w:styles>`

const run = (text: string, properties = "") =>
  `<w:r>${properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${escapeMarkup(text)}</w:t></w:r>`

/** Spaces at the ends are layout, so they stand outside the escaped text. */
const GAP = '<w:r><w:t xml:space="preserve"> </w:t></w:r>'

const paragraph = (content: string, styleId = "Normal") =>
  `<w:p><w:pPr><w:pStyle w:val="${styleId}"/></w:pPr>${content}</w:p>`

function* documentXml(script: Script): Generator<string> {
  yield `${XML}<w:document xmlns:w="${WORD}"><w:body>`
  if (script.title !== null) yield paragraph(run(script.title), "Title")
  for (const line of summaryLines(script)) yield paragraph(run(line))
  for (const { chapters, speaker, start, text } of chapteredParagraphs(script)) {
    for (const title of chapters) yield paragraph(run(title), "Heading1")
    if (text === "") continue
    const name = speaker === null ? "" : run(speaker, "<w:b/>") + GAP
    yield paragraph(`${name}${run(`[${clock(start)}]`, '<w:color w:val="666666"/>')}${GAP}${run(text)}`)
  }
  yield '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>'
}

/** A document for word processors: a zip of five parts, nothing compressed. */
export const writeDocx = (script: Script): Iterable<Uint8Array> => {
  const body = { [Symbol.iterator]: () => inChunks(documentXml(script)) }
  return zip([
    { name: "[Content_Types].xml", content: [CONTENT_TYPES] },
    { name: "_rels/.rels", content: [relationships("word/document.xml", "officeDocument")] },
    { name: "word/_rels/document.xml.rels", content: [relationships("styles.xml", "styles")] },
    { name: "word/styles.xml", content: [STYLES] },
    { name: "word/document.xml", content: body },
  ])
}
