/** CPU time this process has used. Differences of it measure work, whatever else the machine is doing. */
export const cpuMilliseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The CPU time of the best of several tries: other work on a machine makes each of them slower, and none quicker. */
export const leastCpuMilliseconds = (work: () => unknown, tries = 3): number =>
  Math.min(
    ...Array.from({ length: tries }, () => {
      const started = cpuMilliseconds()
      work()
      return cpuMilliseconds() - started
    }),
  )
