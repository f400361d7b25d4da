// Checks the API documentation with a third-party OpenAPI 3.1 validator, and compiles the types generated from it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import openapiTypes, { astToString } from 'openapi-types'
import { modules } from '../src/app/modules.ts'
import { openApiDocument } from '../src/server/hydra/openapi.ts'
import { inRoot, isMain, run } from './shared.mjs'

const FOLDER = 'node_modules/.cache/openapi'

/** Creates the documentation of a portal with all modules. */
function makeDocument() {
  const resources = modules.flatMap((module) => module.resources).filter((r) => r.allow.read !== 'nobody')
  return JSON.parse(JSON.stringify(openApiDocument('https://portal.example', 'Portal', modules, resources)))
}

/** Returns the validation errors, one line each (at most 20). */
async function invalidIn(document) {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  if (valid) return []
  const all = typeof errors === 'string' ? [{ message: errors }] : errors
  return all.slice(0, 20).map((e) => `${e.instancePath ?? ''} ${e.message} ${JSON.stringify(e.params ?? {})}`)
}

/** Returns the compiler's errors in the types generated from the document. */
async function untypedIn(document) {
  const text = astToString(await openapiTypes(document))
  mkdirSync(inRoot(FOLDER), { recursive: true })
  writeFileSync(inRoot(FOLDER, 'api.ts'), text)
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', types: [] }
  writeFileSync(inRoot(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['api.ts'] }))
  const { code, output } = await run('tsc', ['-p', join(FOLDER, 'tsconfig.json')])
  return code === 0 ? [] : [output.trim()]
}

if (isMain(import.meta)) {
  const document = makeDocument()
  const wrong = (await Promise.all([invalidIn(document), untypedIn(document)])).flat()
  for (const line of wrong) console.log(line)
  process.exitCode = wrong.length ? 1 : 0
}
