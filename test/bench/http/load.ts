import autocannon from "autocannon"

/** Asks a server as fast as it answers, from a process of its own. */
export const load = async (
  url = "",
  kind = "get",
  key = "",
  connections = "50",
  amount = "3000",
  /** An upload to make jobs of, or jobs to read. */
  subject = "",
) => {
  const isCreate = kind === "create"
  const began = performance.now()
  // The whole run is told in seconds that are begun: too coarse for what takes one or two.
  let last = began
  const running = autocannon({
    url: `${url}/api/v1/transcriptions`,
    connections: Number(connections),
    amount: Number(amount),
    method: isCreate ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, ...(isCreate && { "content-type": "application/json" }) },
    ...(isCreate
      ? { body: JSON.stringify({ media_ref: subject, language: "en" }) }
      : { requests: subject.split(",").map((id) => ({ path: `/api/v1/transcriptions/${id}` })) }),
  })
  running.on("response", () => {
    last = performance.now()
  })
  const result = await running
  return {
    total: result.requests.total,
    perSecond: result.requests.total / ((last - began) / 1000),
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}
