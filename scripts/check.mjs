// What can be known without running anything. Every check is one line; a failing one says why.
import { setup } from './setup.mjs'
import { isMain, run } from './shared.mjs'

const checks = {
  'format and lint': ['biome', 'check', '--error-on-warnings', '.'],
  types: ['tsc', '--noEmit'],
  promises: ['oxlint'],
  'nothing unused': ['knip', '--no-progress', '--no-config-hints'],
  'nothing for tests alone': [
    'knip',
    '--production',
    '--include',
    'files,exports,types',
    '--no-progress',
    '--no-config-hints',
  ],
  'import direction': ['depcruise', '--config', '.dependency-cruiser.mjs', 'src'],
  layout: ['node', 'scripts/layout.mjs'],
  'OpenAPI, and the types made of it': ['node', 'scripts/openapi.mjs'],
  'examples of the guides': ['node', 'scripts/guides.mjs'],
}

async function check(name, [command, ...args], say) {
  const started = Date.now()
  const { code, output } = await run(command, args)
  // Without a parser for TypeScript, dependency-cruiser finds nothing and is content.
  const blind = command === 'depcruise' && !/[(\s][1-9]\d* modules/.test(output)
  const ok = code === 0 && !blind
  say(`${ok ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  if (!ok || name === 'layout') say(output.trim() || `${command} ended with code ${code} and said nothing.`)
  return ok
}

/** Resolves to {passed, failed}; `say` is given each line. */
export async function checkAll(say = console.log) {
  const results = await Promise.all(Object.entries(checks).map(([name, command]) => check(name, command, say)))
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}

if (isMain(import.meta)) {
  await setup()
  const { failed } = await checkAll()
  process.exitCode = failed ? 1 : 0
}
