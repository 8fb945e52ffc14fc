import { Scheduler } from "effect"

/**
 * One queue for the steps of all fibers, where Effect has one for each, by fiber in a `WeakMap`. What such a map holds of a fiber that has
 * ended outlives the collections of young memory, and a server has a fiber for each request.
 */
class OneQueue extends Scheduler.MixedScheduler {
  override scheduleTask(task: Scheduler.Task, priority: number) {
    super.scheduleTask(task, priority)
  }
}

/** As many turns in a row as Effect's own scheduler takes before timers have theirs. */
const TURNS = 2048

export const oneQueue: Scheduler.Scheduler = new OneQueue(TURNS)
