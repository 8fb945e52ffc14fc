declare module "autocannon" {
  interface Result {
    readonly requests: { readonly total: number; readonly average: number }
    readonly latency: { readonly p50: number; readonly p99: number }
    readonly non2xx: number
    readonly errors: number
  }
  interface Options {
    readonly url: string
    readonly connections: number
    readonly amount: number
    readonly method?: "GET" | "POST"
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly requests?: ReadonlyArray<{ readonly path: string }>
  }
  interface Running extends Promise<Result> {
    readonly on: (event: "response", then: () => void) => void
  }
  const autocannon: (options: Options) => Running
  export default autocannon
}
