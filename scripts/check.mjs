// Runs the static checks. Prints one line for each check, and the reason for each failure. `--all` adds the slow
// checks.
import { writeGuideExamples } from './guides.mjs'
import { installDependencies } from './setup.mjs'
import { isMain, measureProcessorSeconds, run } from './shared.mjs'

const KNIP = ['knip', '--no-progress', '--no-config-hints']

const checksFor = (all) => ({
  'format and lint': ['biome', 'check', '--error-on-warnings', '.'],
  // One run covers the compiler, the rules that need types, and the examples in the guides.
  'types and promises': ['oxlint', '--type-check', '.', ...writeGuideExamples()],
  'nothing unused': KNIP,
  ...(all ? { 'nothing for tests alone': [...KNIP, '--production', '--include', 'files,exports,types'] } : {}),
  'import direction': ['depcruise', '--config', '.dependency-cruiser.mjs', 'src'],
  layout: ['node', 'scripts/layout.mjs'],
  'habit words': ['node', 'scripts/words.mjs'],
  'OpenAPI, and the types made of it': ['node', 'scripts/openapi.mjs'],
})

async function check(name, [command, ...args], print) {
  const { value, seconds } = await measureProcessorSeconds(() => run(command, args))
  const { code, output } = value
  // Without a TypeScript parser, dependency-cruiser finds no modules and reports success.
  const blind = command === 'depcruise' && !/[(\s][1-9]\d* modules/.test(output)
  const ok = code === 0 && !blind
  print(`${ok ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} processor seconds)`)
  if (!ok || name === 'layout') print(output.trim() || `${command} ended with exit code ${code} and no output.`)
  return ok
}

/** Runs the checks and passes each line of output to `print`. Resolves to {passed, failed}. */
export async function checkAll({ all = false, print = console.log } = {}) {
  const results = await Promise.all(
    Object.entries(checksFor(all)).map(([name, command]) => check(name, command, print)),
  )
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}

if (isMain(import.meta)) {
  await installDependencies()
  const { failed } = await checkAll({ all: process.argv.includes('--all') })
  process.exitCode = failed ? 1 : 0
}
