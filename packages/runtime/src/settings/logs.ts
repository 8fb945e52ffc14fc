import { Either } from "effect"
import { choice, onOrOff, secret, text, webAddress } from "./kinds.js"
import { setting } from "./Setting.js"

const PAIR = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([!-~ ]*)$/

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const headers = secret("`name=value` with commas between", (given) => {
  const found: Array<readonly [string, string]> = []
  for (const part of given.split(",")) {
    const [, name = "", text = ""] = PAIR.exec(part.trim()) ?? []
    const value = decoded(text)
    if (name === "" || value === null)
      return Either.left("names and values such as x-key=abc, with commas between")
    found.push([name.toLowerCase(), value])
  }
  return Either.right(Object.fromEntries(found))
})

/** What is logged, to standard error, and what is told to a collector of traces. */
export const logs = {
  logLevel: setting("EARMARK_LOG_LEVEL", {
    kind: choice("trace", "debug", "info", "warning", "error", "none"),
    otherwise: "info",
    sentence: "The lowest level that is logged.",
  }),
  logRequests: setting("EARMARK_LOG_REQUESTS", {
    kind: onOrOff,
    otherwise: true,
    shown: "`on`",
    sentence: "Whether each request is logged (level info).",
  }),
  otlpEndpoint: setting("OTEL_EXPORTER_OTLP_ENDPOINT", {
    kind: webAddress,
    otherwise: null,
    shown: "none",
    sentence:
      "The address that traces are sent to, by OTLP over HTTP, such as `http://127.0.0.1:4318`. Unset: no traces.",
  }),
  otlpHeaders: setting("OTEL_EXPORTER_OTLP_HEADERS", {
    kind: headers,
    otherwise: null,
    shown: "none",
    sentence: "Headers for the trace collector, such as its key.",
  }),
  serviceName: setting("OTEL_SERVICE_NAME", {
    kind: text,
    otherwise: "earmark",
    sentence: "The name of the service in traces.",
  }),
  logFormat: setting("EARMARK_LOG_FORMAT", {
    kind: choice("pretty", "json"),
    otherwise: null,
    shown: "`pretty` on a terminal, else `json`",
    sentence: "Readable lines, or one JSON object per line.",
  }),
}
