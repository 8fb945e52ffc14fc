// What a program that works with one OpenAPI document can no longer count on with the next one.
// Additive: an operation, an optional parameter or field of a request, a field of an answer, a value that an answer may have, a status.
// Breaking: whatever was there and is gone, and whatever is narrower: in requests what is taken, in answers what is promised.

const REQUEST = "request"
const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"]

const resolved = (document, schema) =>
  schema?.$ref === undefined
    ? (schema ?? {})
    : resolved(
        document,
        schema.$ref
          .slice(2)
          .split("/")
          .reduce((inside, step) => inside?.[step], document),
      )

/** Every single thing that a schema allows, one schema each. */
const variantsOf = (document, given) => {
  const schema = resolved(document, given)
  const { anyOf, ...rest } = schema
  if (anyOf !== undefined)
    return anyOf.flatMap((member) => variantsOf(document, { ...rest, ...resolved(document, member) }))
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema]
}

const valuesOf = ({ const: only, enum: values }) => (only === undefined ? values : [only])

/** Limits that say "at least" and "at most" of the same. */
const LIMITS = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
]

const narrowed = (before, after, where) => [
  ...LIMITS.flatMap(([least, most]) => [
    ...((after[least] ?? Number.NEGATIVE_INFINITY) > (before[least] ?? Number.NEGATIVE_INFINITY)
      ? [`${where}: ${least} is ${after[least]}, and was ${before[least] ?? "not there"}`]
      : []),
    ...((after[most] ?? Number.POSITIVE_INFINITY) < (before[most] ?? Number.POSITIVE_INFINITY)
      ? [`${where}: ${most} is ${after[most]}, and was ${before[most] ?? "not there"}`]
      : []),
  ]),
  ...(after.pattern !== undefined && after.pattern !== before.pattern
    ? [`${where}: the pattern has changed`]
    : []),
]

/** Whether two objects say the same of themselves: `status: "done"` is compared with `status: "done"`. */
const isAlike = ({ properties: before = {} }, { properties: after = {} }) => {
  const names = Object.keys(before).filter((name) => before[name].const !== undefined)
  return names.length > 0 && names.every((name) => after[name]?.const === before[name].const)
}

const comparison = (base, next) => {
  // Schemas may hold themselves.
  const underWay = new Set()

  const ofProperties = (before, after, direction, where) => {
    const names = Object.keys(before.properties ?? {})
    const required = { before: before.required ?? [], after: after.required ?? [] }
    const isOpen = ({ additionalProperties }) => additionalProperties !== false
    return [
      ...names
        .filter((name) => after.properties?.[name] === undefined)
        .map((name) => `${where}/${name}: it is gone`),
      ...names
        .filter((name) => after.properties?.[name] !== undefined)
        .flatMap((name) =>
          ofSchemas(before.properties[name], after.properties[name], direction, `${where}/${name}`),
        ),
      ...(direction === REQUEST
        ? required.after
            .filter((name) => !required.before.includes(name))
            .map((name) => `${where}/${name}: it has to be given now`)
        : required.before
            .filter((name) => !required.after.includes(name) && after.properties?.[name] !== undefined)
            .map((name) => `${where}/${name}: it may be missing now`)),
      ...(direction === REQUEST && isOpen(before) && !isOpen(after)
        ? [`${where}: other fields are refused now`]
        : []),
    ]
  }

  const ofVariants = (before, after, direction, where) => {
    if (before.type !== undefined && after.type !== before.type) {
      return [`${where}: it is ${after.type ?? "anything"}, and was ${before.type}`]
    }
    const values = { before: valuesOf(before), after: valuesOf(after) }
    const gone = (values.before ?? []).filter(
      (value) => values.after !== undefined && !values.after.includes(value),
    )
    const isNarrower = direction === REQUEST && values.before === undefined && values.after !== undefined
    return [
      ...(direction === REQUEST || gone.length === values.before?.length
        ? gone.map((value) => `${where}: the value ${JSON.stringify(value)} is gone`)
        : []),
      ...(isNarrower ? [`${where}: only certain values are left`] : []),
      ...(direction === REQUEST ? narrowed(before, after, where) : []),
      ...ofProperties(before, after, direction, where),
      ...(before.items === undefined
        ? []
        : ofSchemas(before.items, after.items, direction, `${where}/items`)),
    ]
  }

  const ofSchemas = (before, after, direction, where) => {
    const pair = JSON.stringify([before?.$ref, after?.$ref, direction])
    const isNamed = before?.$ref !== undefined && after?.$ref !== undefined
    if (isNamed && underWay.has(pair)) return []
    underWay.add(pair)
    const variants = variantsOf(next, after)
    const kept = variantsOf(base, before).flatMap((variant) => {
      const alike = variants.filter((candidate) => isAlike(variant, candidate))
      const candidates = alike.length > 0 ? alike : variants
      const found = candidates.map((candidate) => ofVariants(variant, candidate, direction, where))
      return found.reduce((least, one) => (one.length < least.length ? one : least))
    })
    const isNullable = (schemas) => schemas.some(({ type }) => type === "null")
    const mayBeNull = direction !== REQUEST && isNullable(variants) && !isNullable(variantsOf(base, before))
    if (isNamed) underWay.delete(pair)
    return [...new Set(mayBeNull ? [...kept, `${where}: it may be null now`] : kept)]
  }

  return ofSchemas
}

const ofParameters = (before, after, compare, where) => {
  const keyOf = (parameter) => `${parameter.in} ${parameter.name.toLowerCase()}`
  const found = new Map((after ?? []).map((parameter) => [keyOf(parameter), parameter]))
  const known = new Map((before ?? []).map((parameter) => [keyOf(parameter), parameter]))
  return [
    ...[...known].flatMap(([key, parameter]) =>
      found.has(key)
        ? compare(parameter.schema, found.get(key).schema, REQUEST, `${where} ${key}`)
        : [`${where} ${key}: it is gone`],
    ),
    ...[...found]
      .filter(([key, { required }]) => required === true && known.get(key)?.required !== true)
      .map(([key]) => `${where} ${key}: it has to be given now`),
  ]
}

const ofBodies = (before, after, compare, where) => [
  ...(after?.required === true && before?.required !== true && before !== undefined
    ? [`${where}: a body has to be given now`]
    : []),
  ...Object.entries(before?.content ?? {}).flatMap(([type, { schema }]) =>
    after?.content?.[type] === undefined
      ? [`${where}: a body of ${type} is refused now`]
      : compare(schema, after.content[type].schema, REQUEST, `${where} body`),
  ),
]

const ofAnswers = (before, after, compare, where) =>
  Object.entries(before)
    // Which errors an operation can have is no promise; what an error looks like is one, of its schema.
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, answer]) => {
      const found = after[status]
      if (found === undefined) return [`${where}: it no longer answers ${status}`]
      return [
        ...Object.keys(answer.headers ?? {})
          .filter((name) => found.headers?.[name] === undefined)
          .map((name) => `${where} ${status}: the header ${name} is gone`),
        ...Object.entries(answer.content ?? {}).flatMap(([type, { schema }]) =>
          found.content?.[type] === undefined
            ? [`${where} ${status}: it is no longer ${type}`]
            : compare(schema, found.content[type].schema, "answer", `${where} ${status}`),
        ),
      ]
    })

const ofProblems = (base, next, compare) => {
  const problems = Object.entries(base.components?.schemas ?? {}).filter(([name]) => name.endsWith("Problem"))
  return problems.flatMap(([name, schema]) => {
    const found = next.components?.schemas?.[name]
    return found === undefined ? [`the problem ${name} is gone`] : compare(schema, found, "answer", name)
  })
}

/** What breaks between two documents, one sentence each. */
export const breakingChanges = (base, next) => {
  const compare = comparison(base, next)
  const operations = Object.entries(base.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method] !== undefined).flatMap((method) => {
      const where = `${method.toUpperCase()} ${path}`
      const before = methods[method]
      const after = next.paths[path]?.[method]
      if (after === undefined) return [`${where}: it is gone`]
      return [
        ...(after.operationId === before.operationId
          ? []
          : [`${where}: it is called ${after.operationId}, and was ${before.operationId}`]),
        ...((before.security ?? []).length === 0 && (after.security ?? []).length > 0
          ? [`${where}: it needs a key now`]
          : []),
        ...ofParameters(before.parameters, after.parameters, compare, where),
        ...ofBodies(before.requestBody, after.requestBody, compare, where),
        ...ofAnswers(before.responses, after.responses, compare, where),
      ]
    }),
  )
  return [...operations, ...ofProblems(base, next, compare)]
}
