// Prints the SBOM of the portal's production dependencies in CycloneDX format. `npm sbom --omit=dev` would leave out
// packages that development also needs.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { exitWithError, inRoot, root } from './shared.mjs'

const read = (file) => JSON.parse(readFileSync(inRoot(file), 'utf8'))
const nameOf = (path) => path.split('node_modules/').at(-1)

const made = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 100_000_000,
  shell: process.platform === 'win32',
})
if (made.status !== 0)
  exitWithError(`npm could not list the packages in package-lock.json: ${made.error?.message ?? made.stderr}`)
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
  // npm uses the folder's name as the name of the component.
  metadata: { ...all.metadata, component: { ...component, name } },
  components,
  dependencies: all.dependencies
    .filter((d) => kept.has(d.ref))
    .map((d) => ({ ...d, dependsOn: d.dependsOn.filter((ref) => kept.has(ref)) })),
}
console.log(JSON.stringify(bom, null, 2))
