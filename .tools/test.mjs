// `npm test`: installs what is missing, then checks, builds, and runs every test. The last line counts them all.
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { root, setup, setupModels, setupPrograms } from "./setup.mjs"
import { COMPILING, DOCS, OTHERS, ran, step, TYPES, tell } from "./steps.mjs"

setup()
setupPrograms()
await setupModels()

const started = performance.now()
const total = { passed: 0, failed: 0, skipped: 0 }

/** What failed, to be told once more at the end, where nobody has to look for it. */
const failures = []
const reports = `${root}node_modules/.cache/earmark`
mkdirSync(reports, { recursive: true })

/** Runs a script, and adds it up. */
const counted = async (...given) => {
  const succeeded = await step(...given)
  total[succeeded ? "passed" : "failed"] += 1
  if (!succeeded) failures.push(given[0])
}

const failuresOf = (report) =>
  (report.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed")
    const file = name.replace(root, "")
    if (failed.length === 0) return message === "" ? [] : [`${file}: ${message}`]
    return failed.map((test) => `${file}: ${test.fullName}: ${test.failureMessages.join("\n")}`)
  })

/** Runs tests and adds them up. A crash outside any test (a file that does not load, an unhandled rejection) is a failure as well. */
const tests = async (name, options, reporter, shown) => {
  const report = `${reports}/${name}.json`
  rmSync(report, { force: true })
  const flags = ["--config", "test/vitest.config.ts", `--reporter=${reporter}`, "--reporter=json"]
  const outcome = await ran("npx", ["vitest", "run", ...flags, `--outputFile.json=${report}`, ...options], {
    shown,
  })
  let counts = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
  try {
    counts = JSON.parse(readFileSync(report, "utf8"))
  } catch {
    // It crashed before it wrote a report, which its exit code tells.
  }
  total.passed += counts.numPassedTests
  total.failed += counts.numFailedTests
  total.skipped += counts.numPendingTests + counts.numTodoTests
  failures.push(...failuresOf(counts))
  if (outcome.code !== 0 && counts.numFailedTests === 0) {
    total.failed += 1
    failures.push(`${name}: an error outside any test`)
  }
  return outcome
}

/** What reads the sources alone. */
const checked = async () => {
  for (const check of [...OTHERS, TYPES]) await counted(...check)
  for (const name of ["core", "unit"]) {
    const options = [`--project=${name}`, "--no-isolate", "--minWorkers=1", "--maxWorkers=1"]
    tell(`tests of ${name}`, await tests(name, options, "dot"))
  }
}

/** Tests that only need a build. Each of the two lanes takes the next when it has done its own, so that neither waits for the other. */
const rest = ["programs", "console", "attack"].values()
const takeRest = async () => {
  // Files share a process, which loads the sources once.
  for (const name of rest) await tests(name, [`--project=${name}`, "--no-isolate"], "default", true)
}

// Tests of whole programs wait much: they begin as soon as there is a build, and the rest has the cores meanwhile.
const building = counted("build", "build", COMPILING)
const used = async () => {
  await building
  await tests("e2e", ["--project=e2e", "--no-isolate"], "default", true)
  await takeRest()
}
const read = async () => {
  await checked()
  await building
  await counted(...DOCS)
  await counted("packages", "packaging")
  await takeRest()
}
await Promise.all([used(), read()])

const minutes = ((performance.now() - started) / 60_000).toFixed(1)
for (const failure of failures) process.stdout.write(`\nFAILED ${failure.slice(0, 1000)}\n`)
process.stdout.write(`\nChecks and tests together, in ${minutes} minutes:\n`)
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed === 0 ? 0 : 1)
