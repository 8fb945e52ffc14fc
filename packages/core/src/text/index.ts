export { cleanText } from "./cleanText.js"
export { cellWidth, countGraphemes, graphemes } from "./graphemes.js"
export { hasUnspaced, isSpaced, joinUnits, splitUnits } from "./units.js"
