// What can be known without running anything. Every check is one line; a failing one prints why. `--all` adds the slow ones.
import { writeExamples } from './guides.mjs'
import { setup } from './setup.mjs'
import { isMain, measured, run } from './shared.mjs'

const KNIP = ['knip', '--no-progress', '--no-config-hints']

const checksFor = (all) => ({
  'format and lint': ['biome', 'check', '--error-on-warnings', '.'],
  // One program for the compiler, the rules that need types, and the examples of the guides.
  'types and promises': ['oxlint', '--type-check', '.', ...writeExamples()],
  'nothing unused': KNIP,
  ...(all ? { 'nothing for tests alone': [...KNIP, '--production', '--include', 'files,exports,types'] } : {}),
  'import direction': ['depcruise', '--config', '.dependency-cruiser.mjs', 'src'],
  layout: ['node', 'scripts/layout.mjs'],
  'habit words': ['node', 'scripts/words.mjs'],
  'OpenAPI, and the types made of it': ['node', 'scripts/openapi.mjs'],
})

async function check(name, [command, ...args], print) {
  const { value, seconds } = await measured(() => run(command, args))
  const { code, output } = value
  // Without a parser for TypeScript, dependency-cruiser finds nothing and is content.
  const blind = command === 'depcruise' && !/[(\s][1-9]\d* modules/.test(output)
  const ok = code === 0 && !blind
  print(`${ok ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} processor seconds)`)
  if (!ok || name === 'layout') print(output.trim() || `${command} ended with code ${code} and no output.`)
  return ok
}

/** Resolves to {passed, failed}; `print` gets each line. */
export async function checkAll({ all = false, print = console.log } = {}) {
  const results = await Promise.all(
    Object.entries(checksFor(all)).map(([name, command]) => check(name, command, print)),
  )
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}

if (isMain(import.meta)) {
  await setup()
  const { failed } = await checkAll({ all: process.argv.includes('--all') })
  process.exitCode = failed ? 1 : 0
}
