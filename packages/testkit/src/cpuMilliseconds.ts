/** CPU time this process has used. Differences of it measure work, whatever else the machine is doing. */
export const cpuMilliseconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
