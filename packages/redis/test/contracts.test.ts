import { jobQueueContract, rateLimiterContract, storeContracts } from "@earmark/testkit/contracts"
import { describe } from "@effect/vitest"
import { because } from "../../../test/servers/because.js"
import { limiter, memory, onPostgres, postgresMissing, redisMissing, withRedis } from "./backends.js"

describe.skipIf(redisMissing !== null)(`on Redis${because(redisMissing)}`, () => {
  storeContracts("redis over memory", withRedis(memory()))
  rateLimiterContract("redis", limiter())

  describe.skipIf(postgresMissing !== null)(`and Postgres${because(postgresMissing)}`, () => {
    jobQueueContract("redis over postgres", withRedis(onPostgres()))
  })
})
