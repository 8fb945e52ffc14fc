// Who may import whom. One rule per sentence of the house style, section 2.
const own = (...names) => `^packages/(${names.join("|")})/`
const modules = (...names) => `node_modules/(${names.join("|")})/`
const nodeCrypto = "^(node:)?crypto$"

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "core-is-pure",
      comment: "core imports itself, effect, and the reader of whole XML documents. Nothing else.",
      severity: "error",
      from: { path: "^packages/core/src" },
      to: { pathNot: [own("core"), modules("effect", "fast-xml-parser")] },
    },
    {
      name: "service-knows-no-technology",
      comment: "service imports core, effect, the tags of @effect/platform and node:crypto.",
      severity: "error",
      from: { path: "^packages/service/src" },
      to: { pathNot: [own("core", "service"), modules("effect", "@effect/platform"), nodeCrypto] },
    },
    {
      name: "api-imports-core-only",
      comment: "api is shared by servers and clients: core, effect, @effect/platform. No Node built-ins.",
      severity: "error",
      from: { path: "^packages/api/src" },
      to: { pathNot: [own("core", "api"), modules("effect", "@effect/platform")] },
    },
    {
      name: "adapters-import-core-and-service",
      comment:
        "sql, redis, payments, media, engines and authorization do not know each other, nor api, nor a host.",
      severity: "error",
      from: { path: "^packages/(sql|redis|payments|media|engines|authorization)/src" },
      to: { path: "^packages/", pathNot: [own("core", "service"), "^packages/$1/"] },
    },
    {
      name: "batch-imports-no-adapter",
      comment: "batch takes ports and layers from its host, and speaks to servers in the words of the wire.",
      severity: "error",
      from: { path: "^packages/batch/src" },
      to: { path: "^packages/", pathNot: own("api", "core", "service", "batch") },
    },
    {
      name: "sql-speaks-to-postgres-only",
      comment:
        "sql imports core, service, effect and its packages for SQL, pg, the embedded database and Node. No other database client.",
      severity: "error",
      from: { path: "^packages/sql/src" },
      to: {
        pathNot: [
          own("core", "service", "sql"),
          modules(
            "effect",
            "@effect/experimental",
            "@effect/sql",
            "@effect/sql-pg",
            "pg",
            "@types/pg",
            "@electric-sql/pglite",
          ),
        ],
        dependencyTypesNot: ["core"],
      },
    },
    {
      name: "testkit-generates-and-judges",
      comment: "Published suites need nothing but effect and the test runner beside what they test.",
      severity: "error",
      from: { path: "^packages/testkit/src" },
      to: {
        pathNot: [own("core", "service", "testkit"), modules("effect", "@effect/vitest", "vitest")],
        dependencyTypesNot: ["core"],
      },
    },
    {
      name: "testkit-imports-core-and-service",
      comment: "Adapters test themselves with testkit, so testkit cannot know an adapter.",
      severity: "error",
      from: { path: "^packages/testkit/src" },
      to: { path: "^packages/", pathNot: own("core", "service", "testkit") },
    },
    {
      name: "only-hosts-import-the-runtime",
      comment: "runtime composes the adapters for every host. Nothing below a host knows it.",
      severity: "error",
      from: { pathNot: [own("runtime", "http", "mcp", "cli"), "^test/", "^examples/"] },
      to: { path: own("runtime") },
    },
    {
      name: "nothing-below-imports-a-host",
      severity: "error",
      from: { pathNot: [own("http", "mcp", "cli"), "^test/", "/test/"] },
      to: { path: own("http", "mcp", "cli") },
    },
    {
      name: "hosts-form-one-chain",
      comment: "http mounts the handler of mcp; cli starts http (serve, worker). Never the other way.",
      severity: "error",
      from: { path: "^packages/(http|mcp)/src" },
      to: { path: own("http", "cli"), pathNot: "^packages/$1/" },
    },
    {
      name: "console-calls-the-public-api-alone",
      comment:
        "The application in the browser imports the client, pure areas of core, and Preact. What it can do, a key can do.",
      severity: "error",
      from: { path: "^packages/console/src" },
      to: {
        pathNot: [
          own("console"),
          "^packages/api/src/client/index\\.ts$",
          "^packages/core/src/(text/index|links/index|captions/index|captions/formats|onUse|scopes)\\.ts$",
          modules("preact", "@preact/signals"),
        ],
      },
    },
    {
      name: "nothing-imports-the-console",
      comment: "The HTTP host reads its built files. Tests read its table of pages.",
      severity: "error",
      from: { pathNot: [own("console"), "^test/console/"] },
      to: { path: own("console") },
    },
    {
      name: "testkit-only-in-tests",
      severity: "error",
      from: { path: "^packages/(?!testkit/)[^/]+/src" },
      to: { path: own("testkit") },
    },
    {
      name: "no-deep-imports",
      comment: "Across packages import the package name. The export map says which names exist.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    {
      name: "no-deep-imports-from-tests-and-examples",
      comment: "What users can import is what tests and examples import: an index, or an area's index.",
      severity: "error",
      from: { path: "^(test|examples)/" },
      to: { path: "^packages/[^/]+/src/", pathNot: "/index\\.ts$" },
    },
    {
      name: "declared-dependencies-only",
      comment:
        "src may use dependencies and peerDependencies of its own package.json. cli and console bundle what they use.",
      severity: "error",
      from: { path: "^packages/(?!(cli|console)/)[^/]+/src" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"], dependencyTypesNot: ["npm-peer"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    { name: "no-cycles", comment: "Of types neither.", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-cycles-between-areas-of-core",
      comment: "An area of core does not need one that needs it.",
      severity: "error",
      scope: "folder",
      from: { path: "^packages/core/src/[^/]+$" },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // What a build that runs beside this writes, and takes away again.
    exclude: { path: "^packages/[^/]+/((dist(\\.(next|before))?|bin)/|tsup\\.config\\.bundled)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      conditionNames: ["@earmark/source", "import", "types", "default"],
      exportsFields: ["exports"],
      mainFields: ["module", "main"],
    },
  },
}
