import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { settingSections } from "@earmark/runtime"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { parse } from "yaml"
import { root } from "./earmark.js"

const folder = `${root}examples/deploy`
const read = (file: string) => readFileSync(join(folder, file), "utf8")

/** The instructions of the Dockerfile, those over several lines as one. */
const instructions = read("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, " ")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const [name = "", ...rest] = line.split(" ")
    return { name, text: rest.join(" ") }
  })

const texts = (name: string) => instructions.filter((each) => each.name === name).map(({ text }) => text)

const runs = texts("RUN")

interface Service {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: ReadonlyArray<string>
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly healthcheck?: { readonly test: ReadonlyArray<string> }
}

const compose: { services: Record<string, Service>; volumes: Record<string, null> } = parse(
  read("compose.yaml"),
  { merge: true },
)

const settings: ReadonlyArray<string> = settingSections.flatMap((section) =>
  section.settings.map(({ name }) => name),
)

const fresh = mkdtempSync(join(tmpdir(), "earmark-deploy-"))
afterAll(() => rmSync(fresh, { recursive: true, force: true }))

const succeed = (command: string, cwd: string) => {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd, encoding: "utf8" })
  assert.strictEqual(status, 0, `${command}: ${stdout}${stderr}`)
  return stdout
}

describe("the files of examples/deploy", () => {
  it("name only settings that there are, with values that may be", () => {
    for (const file of readdirSync(folder)) {
      for (const [name] of read(file).matchAll(/EARMARK_[A-Z0-9_]+/g)) assert.include(settings, name, file)
    }
    const roles = ["api", "worker"].map((name) => compose.services[name]?.environment?.EARMARK_ROLE)
    assert.deepStrictEqual(roles, ["api", "worker"])
  })

  it("name only paths, services and volumes that there are", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const needed of Object.keys(service.depends_on ?? {})) assert.property(compose.services, needed)
      for (const volume of service.volumes ?? []) {
        assert.property(compose.volumes, volume.split(":")[0] ?? "", name)
      }
      if (service.build !== undefined) {
        const context = join(folder, service.build.context)
        assert.isTrue(existsSync(join(context, service.build.dockerfile)), name)
        assert.include(texts("VOLUME"), service.volumes?.[0]?.split(":")[1])
      }
    }
    assert.include(texts("ENV").join(" "), `EARMARK_DATA_DIR=${texts("VOLUME")[0]}`)
    const { version } = JSON.parse(readFileSync(`${root}packages/cli/package.json`, "utf8"))
    assert.include(runs.join("\n"), `/packed/earmark-cli-${version}.tgz`)
  })

  it("install programs that the tests know by the same names, and serve as nobody special", () => {
    const known = readFileSync(`${root}.tools/setup.mjs`, "utf8")
    for (const name of ["ffmpeg", "pocketsphinx", "pocketsphinx-en-us"]) {
      assert.include(runs.join(" "), ` ${name} `)
      assert.include(known, `"${name}"`)
    }
    assert.deepStrictEqual(texts("USER"), ["node"])
    assert.isTrue(JSON.parse(texts("ENTRYPOINT")[0] ?? "[]").includes("earmark"))
  })

  it("install and build as everybody does", () => {
    const setup = readFileSync(`${root}.tools/setup.mjs`, "utf8")
    const [install = "", build = ""] = runs
    for (const part of install.split(" ").slice(1)) assert.include(setup, `"${part}"`)
    assert.strictEqual(build, "npm run build")
    assert.property(JSON.parse(readFileSync(`${root}package.json`, "utf8")).scripts, "build")
  })

  it("check their health in a way that works", () => {
    const [command, ...args] = compose.services.api?.healthcheck?.test.slice(1) ?? []
    // Nothing listens there in a test, or something that is no Earmark.
    const { status, stderr } = spawnSync(command ?? "", args, { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    assert.include([0, 1], status)
  })

  it("make a package that installs by itself, into a folder of its own, and runs", {
    timeout: 120_000,
  }, () => {
    const [, , pack = ""] = runs
    const install = runs.find((each) => each.includes("--global")) ?? ""
    succeed(pack.replace("mkdir packed", `mkdir ${fresh}/packed`).replace(/packed$/, `${fresh}/packed`), root)
    succeed(
      install.replace("--global", `--global --prefix ${fresh}`).replace("/packed", `${fresh}/packed`),
      fresh,
    )
    assert.match(succeed(`${fresh}/bin/earmark --version`, fresh), /^\d+\.\d+\.\d+\n$/)
    const described = succeed(`${fresh}/bin/earmark help`, fresh)
    assert.include(described, JSON.parse(texts("CMD")[0] ?? "[]")[0])
  })
})
