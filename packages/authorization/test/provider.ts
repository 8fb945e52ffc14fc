/** A real provider of OpenID Connect on a free port: whoever types a name is that person. */
import { createServer } from "node:http"
import Provider from "oidc-provider"
import { freePort } from "../../../test/servers/processes.js"

export const CLIENT = { clientId: "earmark", clientSecret: "a-secret-of-the-client" }

/** `redirects`: where it sends people back to. */
export const startProvider = async (redirects: ReadonlyArray<string>, given?: number) => {
  const port = given ?? (await freePort())
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [...redirects] },
    ],
    claims: { openid: ["sub"], profile: ["name"], email: ["email"] },
    cookies: { keys: ["a key of the tests"], names: { session: "provider", interaction: "i", resume: "r" } },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, name: `Name of ${sub}` }) }),
  })
  const server = createServer(provider.callback())
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    issuer,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
