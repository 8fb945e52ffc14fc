import { jsonReply, type Reply } from "../answers/Reply.js"

/** An answer in front of the protocol, in the form that its clients show. */
export const rpcReply = (status: number, message: string, headers: Reply["headers"] = {}): Reply =>
  jsonReply(status, { jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, headers)
