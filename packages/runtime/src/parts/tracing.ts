import { Effect, Layer, Redacted } from "effect"
import type { Settings } from "../settings/Settings.js"

const none: Readonly<Record<string, string>> = {}

/** Traces go to a collector where one is set; else nothing of it is loaded, and no span is made. */
export const tracing = ({ otlpEndpoint, otlpHeaders, serviceName }: Settings) =>
  otlpEndpoint === null
    ? Layer.setTracerEnabled(false)
    : Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("../telemetry/OtlpTracer.js")),
          ({ layer }) =>
            layer({ endpoint: otlpEndpoint, headers: otlpHeaders ?? Redacted.make(none), serviceName }),
        ),
      )
