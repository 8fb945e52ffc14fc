export { addressOf, isForOperators, type PageName, pages, placeOf } from "./addresses.js"
