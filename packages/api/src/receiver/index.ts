export { SignatureInvalid, verifyWebhook } from "@earmark/core/signing"
export { type ReceivedDelivery, receiveWebhook, type WebhookEvent } from "./receiveWebhook.js"
