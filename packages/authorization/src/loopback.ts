const NAMES: ReadonlyArray<string> = ["127.0.0.1", "[::1]", "localhost"]

/** Whether a host name means the machine itself, whatever a resolver says. */
export const isLoopbackName = (hostname: string): boolean => NAMES.includes(hostname)
