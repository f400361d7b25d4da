import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from '#app/rooms.web.ts'
import { methodStatement } from '#rooms/safety/methods/method-statement.ts'
import { policy } from '#rooms/safety/policies/policy.ts'
import { riskAssessment } from '#rooms/safety/risk/risk-assessment.ts'
import { toolboxTalk } from '#rooms/safety/talks/toolbox-talk.ts'
import { loadAll } from '#web/shell/faces/room.ts'

const articles = await loadAll(rooms.map((room) => room.help))

const sources = globSync('src/{web,rooms}/**/*.{ts,tsx}')
  .filter((file) => !/\/help\.web|\.test\.ts$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
/** Put together on the screen, of nouns of kinds. */
const put = [riskAssessment, methodStatement, toolboxTalk, policy].flatMap(({ noun, sources }) => [
  `New ${noun}`,
  ...Object.values(sources?.() ?? {}).map((of) => `From a ${of.noun}`),
])
put.push('Confirm approach 2')

test.each(articles.map((a) => [a.slug, a.text] as const))('%s quotes only words that a screen says', (_, text) => {
  const quoted = [...text.matchAll(/“([^”]+)”/g)].map((m) => m[1] as string)
  expect(quoted.filter((words) => !put.includes(words) && !sources.some((s) => s.includes(words)))).toEqual([])
})

test('each article has an address of its own', () => {
  const slugs = articles.map((a) => a.slug)
  expect(new Set(slugs).size).toBe(slugs.length)
})
