const NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Whether a host name means the machine itself, whatever a resolver says. */
export const isLoopbackName = (hostname: string): boolean => NAME.test(hostname)

/** Said of addresses of this machine that are meant for others. */
export const ONLY_HERE =
  "These addresses open on this machine only. Whoever runs the server can set its base URL to an address that others reach."

/** Whether what is sent to an address can be read by nobody on the way: it is encrypted, or never leaves this machine. */
export const isPrivateWay = (address: string): boolean => {
  const { hostname, protocol } = new URL(address)
  return protocol === "https:" || isLoopbackName(hostname)
}
