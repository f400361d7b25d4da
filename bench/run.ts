import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'

/*
 * Everything that is measured, each a program of its own: what fails does not stop the rest. `npm run bench -- --quick` is the
 * shorter run; `npm run bench -- documents pdf` runs only these. What needs to be told more is run only where it is named.
 */
const PROGRAMS = [
  'contacts',
  'start',
  'scale',
  'walls',
  'guards',
  'documents',
  'improving',
  'companies',
  'quotes',
  'sales',
  'billing',
  'next',
  'counts',
  'import',
  'export',
  'letters',
  'evidence',
  'pdf',
  'grid',
  'web',
  'sizes',
]
const BY_NAME = ['against', 'documents-against']
const options = process.argv.slice(2)
const named = options.filter((o) => !o.startsWith('--'))
const unknown = named.filter((n) => ![...PROGRAMS, ...BY_NAME].includes(n))
if (unknown.length) {
  console.error(`There is no ${unknown.join(', ')} to measure. Choose from ${[...PROGRAMS, ...BY_NAME].join(', ')}.`)
  process.exit(1)
}

const asked = named.length ? [...PROGRAMS, ...BY_NAME].filter((name) => named.includes(name)) : PROGRAMS
const failed = asked.filter((name) => {
  console.log(`\n## ${name} (load of the machine ${loadavg()[0]?.toFixed(1)})\n`)
  const alone = join(import.meta.dirname, `${name}.ts`)
  const program = existsSync(alone) ? alone : join(import.meta.dirname, name, 'run.ts')
  return (
    spawnSync(process.execPath, [program, ...options.filter((o) => o.startsWith('--'))], { stdio: 'inherit' })
      .status !== 0
  )
})
if (failed.length) {
  console.log(`\nNot measured, or not whole: ${failed.join(', ')}.`)
  process.exitCode = 1
}
