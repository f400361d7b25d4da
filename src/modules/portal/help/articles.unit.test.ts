import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modules } from '#app/modules.web.ts'
import { methodStatement } from '#modules/safety/methods/method-statement.ts'
import { policy } from '#modules/safety/policies/policy.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { toolboxTalk } from '#modules/safety/talks/toolbox-talk.ts'
import { loadModuleContributions } from '#web/shell/manifest/module.ts'

const articles = await loadModuleContributions(modules.flatMap((module) => module.help))

const sources = globSync('src/{web,modules}/**/*.{ts,tsx}')
  .filter((file) => !/^src\/modules\/[^/]+\/help\.web|\.test\.ts$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
/** Screen texts that are composed from the nouns of document types. */
const put = [riskAssessment, methodStatement, toolboxTalk, policy].flatMap(({ noun, sources }) => [
  `New ${noun}`,
  ...Object.values(sources?.() ?? {}).map((of) => `From a ${of.noun}`),
])
put.push('Confirm approach 2')

test.each(articles.map((a) => [a.slug, a.text] as const))(
  'the help article %s quotes only texts that appear on a screen',
  (_, text) => {
    const quoted = [...text.matchAll(/“([^”]+)”/g)].map((m) => m[1] as string)
    expect(quoted.filter((words) => !put.includes(words) && !sources.some((s) => s.includes(words)))).toEqual([])
  },
)

/** Paths of the menu in words, such as `Finance > Payments > Refunds` for a tab. */
const entries = modules.flatMap(({ pages }) => pages.flatMap(({ nav }) => nav ?? []))
const menuPaths = entries.map(({ area, title, tabOf }) =>
  [area, entries.find(({ path }) => path === tabOf)?.title, title].filter(Boolean).join(' > '),
)
const areas = [...new Set(entries.map(({ area }) => area))].join('|')

test.each(articles.map((a) => [a.slug, a.text] as const))(
  'the help article %s names only paths that exist in the menu',
  (_, text) => {
    const named = [...text.matchAll(new RegExp(`(?:${areas}) > [^.,;“)\\n]*`, 'g'))].map((m) => m[0])
    expect(named.filter((words) => !menuPaths.some((path) => words.startsWith(path)))).toEqual([])
  },
)

test('each help article has its own URL', () => {
  const slugs = articles.map((a) => a.slug)
  expect(new Set(slugs).size).toBe(slugs.length)
})
