/** Settings one by one, for commands that read a few of them: each is an effect, and needs less code than all of them do. */
export { agents } from "./agents.js"
export { client } from "./client.js"
export { engines } from "./engines.js"
export { host } from "./host.js"
export { logs } from "./logs.js"
export type { Setting } from "./Setting.js"
export { service } from "./service.js"
export { storage } from "./storage.js"
