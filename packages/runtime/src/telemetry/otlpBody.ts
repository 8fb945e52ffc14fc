/** Spans in the JSON of OTLP. */
import { Cause, Exit, Option, type Tracer } from "effect"

export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: Tracer.SpanKind
  readonly startTime: bigint
  readonly endTime: bigint
  readonly attributes: ReadonlyMap<string, unknown>
  readonly exit: Exit.Exit<unknown, unknown>
}

const KINDS: Readonly<Record<Tracer.SpanKind, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
}

const FAILED = 2

const LONGEST_TEXT = 256

const otlpValue = (value: unknown) => {
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  }
  return { stringValue: String(value).slice(0, LONGEST_TEXT) }
}

const attributesOf = (attributes: Iterable<readonly [string, unknown]>) =>
  [...attributes]
    .filter(([key]) => !key.startsWith("code."))
    .map(([key, value]) => ({ key, value: otlpValue(value) }))

/** What went wrong, by name: messages may hold what is nobody's business. */
const reasonOf = (cause: Cause.Cause<unknown>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => (Cause.isInterruptedOnly(cause) ? "interrupted" : "defect"),
    onSome: (error) =>
      typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : "failure",
  })

const statusOf = (exit: EndedSpan["exit"]) =>
  Exit.isFailure(exit) ? { code: FAILED, message: reasonOf(exit.cause) } : {}

const spanOf = (span: EndedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId !== null && { parentSpanId: span.parentId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: String(span.startTime),
  endTimeUnixNano: String(span.endTime),
  attributes: attributesOf(span.attributes),
  status: statusOf(span.exit),
})

/** One request to a collector. */
export const spansBody = (spans: ReadonlyArray<EndedSpan>, serviceName: string) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf([["service.name", serviceName]]) },
      scopeSpans: [{ scope: { name: "earmark" }, spans: spans.map(spanOf) }],
    },
  ],
})
