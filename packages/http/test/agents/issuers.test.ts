/** Other issuers: as the place where people sign in, and as the authorization server. */

import { SignInOpenId } from "@earmark/authorization"
import { AccountLinks, Administration, type Identity, operations } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { exchange, post, question, readJson, register, rpc, text, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

const ISSUER = "https://id.example/realm"

const pair = await generateKeyPair("ES256")
const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "ES256", use: "sig" }] }

const metadata = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
}

const publish = ({ web }: Host) => {
  web.set("https://id.example/realm/.well-known/openid-configuration", { body: metadata })
  web.set(`${ISSUER}/jwks`, { body: keys })
}

const signed = (typ: string, claims: Record<string, unknown>, seconds = 60) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: "k1", typ })
    .setIssuedAt()
    .setExpirationTime(`${seconds} seconds`)
    .sign(pair.privateKey)

const link = (host: Host, subject: string) =>
  Effect.gen(function* () {
    const links = yield* AccountLinks
    const { account } = yield* Effect.promise(() => host.newKey())
    const identity: Identity = { issuer: ISSUER, subject }
    return yield* Effect.orDie(links.link(identity, account))
  })

/** Goes to the provider and comes back as somebody. */
const comeBack = async (host: Host, subject: string, change: Record<string, unknown> = {}) => {
  const client = text((await register(host)).body.client_id)
  const asking = question(host, client)
  const browser = makeBrowser()
  const sent = new URL((await browser.open(asking.address)).address)
  const nonce = sent.searchParams.get("nonce")
  const claims = { iss: ISSUER, aud: "earmark", sub: subject, nonce, name: "Ann", ...change }
  host.web.set(`${ISSUER}/token`, { body: { id_token: await signed("JWT", claims) } })
  const back = new URL(sent.searchParams.get("redirect_uri") ?? "")
  back.searchParams.set("code", "c1")
  back.searchParams.set("state", sent.searchParams.get("state") ?? "")
  return { asking, browser, sent, back, shown: await browser.open(back.href) }
}

describe("an issuer in place of ours", () => {
  let host: Host

  beforeAll(async () => {
    host = await startHost({ facts: { issuer: ISSUER } })
    publish(host)
  })

  afterAll(() => host.stop())

  it("is named to apps, and nothing of ours is there", async () => {
    const { body } = await readJson(`${host.base}/.well-known/oauth-protected-resource/api/mcp`)
    assert.deepStrictEqual(body.authorization_servers, [ISSUER])
    assert.strictEqual((await register(host)).status, 404)
  })

  it("has its tokens taken when they are for us, and of somebody who has an account", async () => {
    const account = await host.run(link(host, "42"))
    const claims = { iss: ISSUER, aud: host.mcp, sub: "42", scope: "transcriptions:read keys" }
    const good = await rpc(host, withToken(await signed("at+jwt", claims)))
    assert.strictEqual(good.status, 200, await good.clone().text())
    assert.strictEqual(host.callers.at(-1)?.account, account)
    assert.deepStrictEqual(host.callers.at(-1)?.scopes, ["transcriptions:read"])
    const other = await generateKeyPair("ES256")
    const forged = new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: "k1", typ: "at+jwt" })
      .setExpirationTime("60 seconds")
      .sign(other.privateKey)
    const bad = [
      await signed("at+jwt", { ...claims, aud: "https://other.example/api/mcp" }),
      await signed("at+jwt", { ...claims, iss: "https://evil.example" }),
      await signed("at+jwt", { ...claims, sub: "43" }),
      await signed("at+jwt", claims, -60),
      await signed("JWT", claims),
      // Bound to a key of its sender.
      await signed("at+jwt", { ...claims, cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } }),
      await forged,
      "rubbish",
    ]
    for (const token of bad) {
      const refused = await rpc(host, withToken(token))
      assert.strictEqual(refused.status, 401)
      assert.include(refused.headers.get("www-authenticate") ?? "", 'error="invalid_token"')
    }
  })

  it("is not taken for a bad token where it cannot be reached", async () => {
    const away = await startHost({ facts: { issuer: ISSUER } })
    const token = withToken(await signed("at+jwt", { iss: ISSUER, aud: away.mcp, sub: "42" }))
    assert.strictEqual((await rpc(away, token)).status, 503)
    publish(away)
    assert.strictEqual((await rpc(away, token)).status, 401)
    await away.stop()
  })

  it("has the token of somebody without an account refused in whole sentences", async () => {
    const claims = { iss: ISSUER, aud: host.mcp, sub: "44", scope: "transcriptions:read" }
    const refused = await rpc(host, withToken(await signed("at+jwt", claims)))
    const { error } = JSON.parse(await refused.text())
    assert.strictEqual(
      error.message,
      "Nobody here has this sign-in. The operator of the server can link it to an account.",
    )
  })

  it("does not keep API keys out", async () => {
    const { key } = await host.newKey()
    assert.strictEqual((await rpc(host, withToken(key))).status, 200)
  })
})

describe("people who sign in elsewhere", () => {
  let host: Host

  beforeAll(async () => {
    const settings = { issuer: ISSUER, clientId: "earmark", clientSecret: null }
    host = await startHost({ signIn: SignInOpenId.layer(settings) })
    publish(host)
  })

  afterAll(() => host.stop())

  it("are sent there with everything that ties the answer to the question", async () => {
    const { sent } = await comeBack(host, "nobody")
    assert.strictEqual(sent.origin + sent.pathname, `${ISSUER}/authorize`)
    assert.strictEqual(sent.searchParams.get("redirect_uri"), `${host.base}/oauth/sign-in`)
    assert.strictEqual(sent.searchParams.get("code_challenge_method"), "S256")
    assert.strictEqual(sent.searchParams.get("client_id"), "earmark")
  })

  it("have the account that is linked, and no other", async () => {
    const account = await host.run(link(host, "7"))
    const { asking, browser, shown } = await comeBack(host, "7")
    assert.include(shown.html, "asks for access")
    const answer = await browser.send(shown, "allow")
    const tokens = await post(host, "/oauth/token", exchange(asking, new URL(answer.address)))
    assert.strictEqual((await rpc(host, withToken(text(tokens.body.access_token)))).status, 200)
    assert.strictEqual(host.callers.at(-1)?.account, account)
    const unknown = await comeBack(host, "8")
    assert.strictEqual(unknown.shown.status, 400)
    assert.include(unknown.shown.html, "link it to an account")
  })

  it("sign in again once the account is taken from them", async () => {
    const account = await host.run(link(host, "17"))
    const { browser, asking } = await comeBack(host, "17")
    const shown = async () => (await browser.open(asking.address)).address
    assert.include(await shown(), host.base)
    await host.run(Administration.ask(operations.unlinkAccount, { issuer: ISSUER, subject: "17" }))
    assert.include(await shown(), `${ISSUER}/authorize`)
    assert.isString(account)
  })

  it("are asked again there when they want to be somebody else", async () => {
    await host.run(link(host, "18"))
    const { browser, sent, shown } = await comeBack(host, "18")
    assert.isNull(sent.searchParams.get("prompt"))
    const again = new URL((await browser.send(shown, "switch")).address)
    assert.strictEqual(again.searchParams.get("prompt"), "login")
  })

  it("are refused when the answer is forged, used twice, or brought by another browser", async () => {
    await host.run(link(host, "9"))
    for (const change of [
      { nonce: "other" },
      { aud: "other" },
      { aud: ["earmark", "other"] },
      { aud: ["earmark", "other"], azp: "other" },
      { azp: "other" },
      { iss: "https://evil.example" },
    ]) {
      assert.strictEqual((await comeBack(host, "9", change)).shown.status, 400)
    }
    const { browser, back } = await comeBack(host, "9", { nonce: "wrong" })
    assert.strictEqual((await browser.open(back.href)).status, 400)
    const other = await comeBack(host, "9")
    assert.strictEqual((await makeBrowser().open(other.back.href)).status, 400)
  })
})

describe("people who sign in elsewhere where everybody may come", () => {
  let host: Host

  beforeAll(async () => {
    const settings = { issuer: ISSUER, clientId: "earmark", clientSecret: null }
    host = await startHost({ signIn: SignInOpenId.layer(settings), newAccounts: true })
    publish(host)
  })

  afterAll(() => host.stop())

  const signIn = async (subject: string) => {
    const { asking, browser, shown } = await comeBack(host, subject)
    assert.include(shown.html, "Ann")
    const answer = await browser.send(shown, "allow")
    const { body } = await post(host, "/oauth/token", exchange(asking, new URL(answer.address)))
    assert.strictEqual((await rpc(host, withToken(text(body.access_token)))).status, 200)
    return host.callers.at(-1)?.account
  }

  it("get an account with their first visit, which is theirs ever after", async () => {
    const first = await signIn("new-1")
    assert.isString(first)
    assert.strictEqual(await signIn("new-1"), first)
    assert.notStrictEqual(await signIn("new-2"), first)
  })
})
