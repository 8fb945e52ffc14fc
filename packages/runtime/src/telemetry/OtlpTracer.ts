/** Spans to a collector, by OTLP over HTTP in JSON. Loaded only where a collector is set. */

import { randomBytes } from "node:crypto"
import { trimEndOf } from "@earmark/core/text"
import { TimeLimit, tracingOn } from "@earmark/service"
import { Data, Effect, Layer, Option, Queue, Redacted, Tracer } from "effect"
import { type EndedSpan, spansBody } from "./otlpBody.js"

export interface OtlpOptions {
  /** Where the collector is; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly serviceName: string
}

/** Spans that wait for the collector: of more, the newest are dropped. */
const MOST_WAITING = 8192
const AT_ONCE = 512
const SEND_EVERY = "2 seconds"
const SENT_WITHIN = 5000
const LAST_WITHIN = "3 seconds"

const newId = (bytes: number): string => randomBytes(bytes).toString("hex")

class OtlpSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId = newId(8)
  readonly traceId: string
  readonly sampled: boolean
  readonly attributes = new Map<string, unknown>()
  readonly links: Array<Tracer.SpanLink>
  status: Tracer.SpanStatus

  constructor(
    readonly name: string,
    readonly parent: Option.Option<Tracer.AnySpan>,
    readonly context: Tracer.Span["context"],
    links: ReadonlyArray<Tracer.SpanLink>,
    readonly startTime: bigint,
    readonly kind: Tracer.SpanKind,
    private readonly ended: (span: EndedSpan) => void,
  ) {
    this.traceId = Option.match(parent, { onNone: () => newId(16), onSome: (span) => span.traceId })
    this.sampled = Option.match(parent, { onNone: () => true, onSome: (span) => span.sampled })
    this.links = [...links]
    this.status = { _tag: "Started", startTime }
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
  }

  // What is logged inside of a span is in the logs.
  event(): void {}

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links.push(...links)
  }

  end(endTime: bigint, exit: EndedSpan["exit"]): void {
    const { startTime } = this
    this.status = { _tag: "Ended", startTime, endTime, exit }
    if (!this.sampled) return
    const { traceId, spanId, name, kind, attributes } = this
    const parentId = Option.getOrNull(Option.map(this.parent, (span) => span.spanId))
    this.ended({ traceId, spanId, parentId, name, kind, startTime, endTime, attributes, exit })
  }
}

class SpansLost extends Data.TaggedError("SpansLost")<{ readonly cause: unknown }> {}

/** Sends spans for as long as the layer lives; the last ones when it ends. A collector that is away costs spans, and nothing else. */
export const layer = ({ endpoint, headers, serviceName }: OtlpOptions): Layer.Layer<never> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const waiting = yield* Queue.dropping<EndedSpan>(MOST_WAITING)
      const url = `${trimEndOf(endpoint, "/")}/v1/traces`

      const post = (spans: ReadonlyArray<EndedSpan>) =>
        Effect.tryPromise({
          try: async (signal) => {
            // @effect-diagnostics-next-line globalFetchInEffect:off -- the operator's own collector, and no dependency for it
            const { ok, status, body } = await fetch(url, {
              method: "POST",
              headers: { "Content-Type": "application/json", ...Redacted.value(headers) },
              body: JSON.stringify(spansBody(spans, serviceName)),
              signal: AbortSignal.any([signal, AbortSignal.timeout(SENT_WITHIN)]),
              redirect: "error",
            })
            await body?.cancel()
            if (!ok) throw new Error(`the collector answered ${status}`)
          },
          catch: (cause) => new SpansLost({ cause }),
        })

      const sendAll = Effect.gen(function* () {
        for (;;) {
          const spans = [...(yield* Queue.takeUpTo(waiting, AT_ONCE))]
          if (spans.length === 0) return
          yield* post(spans)
        }
      }).pipe(Effect.catchAll(({ cause }) => Effect.logDebug("Spans were lost", String(cause))))

      // Itself it is not traced: that would never end.
      const quiet = Effect.withTracerEnabled(sendAll, false)
      yield* Effect.addFinalizer(() => Effect.asVoid(TimeLimit.option(quiet, LAST_WITHIN)))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(SEND_EVERY), quiet)))

      const tracer = Tracer.make({
        span: (name, parent, context, links, startTime, kind) =>
          new OtlpSpan(name, parent, context, links, startTime, kind, (span) => waiting.unsafeOffer(span)),
        context: (run) => run(),
      })
      return Layer.merge(Layer.setTracer(tracer), Layer.scopedDiscard(Effect.locallyScoped(tracingOn, true)))
    }),
  )
