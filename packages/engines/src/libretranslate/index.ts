export { type LibreTranslateOptions, layer, make } from "./TranslatorLibre.js"
