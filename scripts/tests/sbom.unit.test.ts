import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot } from '../shared.mjs'

interface Component {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses?: readonly object[]
}

/** Fields of CycloneDX 1.5 that the test reads: https://cyclonedx.org/docs/1.5/json/. */
interface Bom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly version: number
  readonly metadata: { readonly timestamp: string; readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>
}

const read = (name: string) => readFileSync(inRoot(name), 'utf8')
const said = execFileSync(process.execPath, [inRoot('scripts', 'sbom.mjs')], {
  encoding: 'utf8',
  maxBuffer: 50_000_000,
})
const bom = JSON.parse(said) as Bom

test('the software bill of materials is valid CycloneDX, and contains every dependency and each component only once', () => {
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 })
  expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect(Number.isNaN(Date.parse(bom.metadata.timestamp))).toBe(false)
  expect(bom.metadata.component).toMatchObject({ type: 'library', name: 'stanchion' })
  const refs = [bom.metadata.component, ...bom.components].map((c) => c['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  const meant = bom.dependencies.flatMap((d) => [d.ref, ...d.dependsOn])
  expect(meant.filter((ref) => !refs.includes(ref))).toEqual([])
  for (const c of bom.components) {
    expect(c).toMatchObject({
      type: 'library',
      name: expect.stringMatching(/./),
      version: expect.stringMatching(/^\d/),
    })
    expect(c.purl).toBe(`pkg:npm/${c.name.replace('@', '%40')}@${c.version}`)
    for (const { alg, content } of c.hashes ?? [])
      expect([alg, content]).toEqual([
        alg,
        expect.stringMatching(/^([\da-f]{40}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/),
      ])
  }
})

test('the software bill of materials contains every version used in production, but no development-only dependency', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  const entries = Object.entries(packages).filter(([path, { version }]) => path.startsWith('node_modules/') && version)
  const named = (some: typeof entries) =>
    new Set(some.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`))
  const there = new Set(bom.components.map((c) => `${c.name}@${c.version}`))
  expect(there).toEqual(named(entries.filter(([, { dev }]) => !dev)))
  // The SBOM includes packages that production and development share.
  expect(bom.components.map((c) => c.name)).toEqual(expect.arrayContaining(['fastify', 'nodemailer', 'pg', 'zod']))
})
