export { layer } from "./DiarizerClassical.js"
