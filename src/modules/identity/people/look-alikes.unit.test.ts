import { expect, test } from 'vitest'
import { foldLookAlikes } from './look-alikes.ts'

test.each([
  ['a full stop', 'Callum Fraser.'],
  ['a missing space', 'CallumFraser'],
  ['a hyphen', 'callum-fraser'],
  ['a Cyrillic С', 'Сallum Fraser'],
  ['a Cyrillic а', 'Cаllum Frаser'],
  ['Greek capitals', 'CΑLLUΜ FRΑSΕR'],
  ['an accent', 'Cállum Fraser'],
  ['a capital I in place of l', 'CaIIum Fraser'],
  ['digits in place of l', 'Ca11um Fraser'],
  ['full-width letters', 'Ｃａｌｌｕｍ Ｆｒａｓｅｒ'],
  ['an invisible character', 'Callum\u200b Fraser'],
])('a name with %s folds to the same letters', (_, name) => {
  expect(foldLookAlikes(name)).toBe(foldLookAlikes('Callum Fraser'))
})

test.each(['Callum Frazer', 'Callum Fraser (Acme Ltd)', 'Callum Fraser 2', 'C Fraser', 'Каллум Фрейзер'])(
  'the name "%s" is a different name',
  (name) => {
    expect(foldLookAlikes(name)).not.toBe(foldLookAlikes('Callum Fraser'))
  },
)

test('a name in another script is folded to its own letters, and a name without letters to an empty text', () => {
  expect(foldLookAlikes('李小龙')).toBe('李小龙')
  expect(foldLookAlikes(' .-')).toBe('')
})
