export * as AnswererChat from "./AnswererChat.js"
export type { ChatOptions } from "./ChatEndpoint.js"
export * as TranslatorChat from "./TranslatorChat.js"
export * as WriterChat from "./WriterChat.js"
