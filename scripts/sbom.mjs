// Prints what the portal runs on, as CycloneDX. `npm sbom --omit=dev` alone leaves out what development needs as well.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { giveUp, inRoot, root } from './shared.mjs'

const read = (file) => JSON.parse(readFileSync(inRoot(file), 'utf8'))
const nameOf = (path) => path.split('node_modules/').at(-1)

const made = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 100_000_000,
  shell: process.platform === 'win32',
})
if (made.status !== 0) giveUp(`npm could not say what is in package-lock.json: ${made.error?.message ?? made.stderr}`)
const all = JSON.parse(made.stdout)

const { name } = read('package.json')
const packages = Object.entries(read('package-lock.json').packages)
const needed = new Set(
  packages.filter(([, p]) => p.version && !p.dev).map(([path, p]) => `${nameOf(path)}@${p.version}`),
)
const { component } = all.metadata
const components = all.components
  .filter((c) => needed.has(`${c.name}@${c.version}`))
  .map((c) => ({ ...c, properties: c.properties.filter((p) => p.name !== 'cdx:npm:package:development') }))
const kept = new Set([component, ...components].map((c) => c['bom-ref']))
const bom = {
  ...all,
  // npm calls it by its folder.
  metadata: { ...all.metadata, component: { ...component, name } },
  components,
  dependencies: all.dependencies
    .filter((d) => kept.has(d.ref))
    .map((d) => ({ ...d, dependsOn: d.dependsOn.filter((ref) => kept.has(ref)) })),
}
console.log(JSON.stringify(bom, null, 2))
