export { addressOf, type PageName, pages, placeOf } from "./addresses.js"
