import { FetcherNode } from "@earmark/media"
import { PaymentsStripe } from "@earmark/payments"
import { PaymentsManual } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { Settings } from "../settings/Settings.js"

/** Who takes the money: Stripe where it is set up, else nobody, and credits are the operator's grants. */
export const payments = ({ stripe }: Settings) =>
  Layer.unwrapEffect(
    Effect.sync(() =>
      stripe === null
        ? PaymentsManual.layer
        : PaymentsStripe.layer(stripe).pipe(Layer.provide(FetcherNode.layer())),
    ),
  )
