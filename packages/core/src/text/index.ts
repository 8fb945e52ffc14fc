export { isSpaced, joinUnits } from "./units.js"
