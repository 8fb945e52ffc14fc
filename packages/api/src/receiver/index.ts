export { SignatureInvalid, verifyWebhook } from "@earmark/core/signing"
export { answerDelivery, type DeliveryRequest, type Receiving } from "./answerDelivery.js"
export { type ReceivedDelivery, receiveWebhook, type WebhookEvent } from "./receiveWebhook.js"
