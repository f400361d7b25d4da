import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const LIBRARY = 'node_modules/@mantine/core/styles'
const IMPORTED = /import \{([^}]*)\} from '@mantine\/core'/g

/** Other components that each component renders, and whose styles it therefore needs. */
const DRAWN_WITH: Readonly<Record<string, readonly string[]>> = {
  Autocomplete: ['Combobox'],
  Select: ['Combobox'],
  MultiSelect: ['Combobox', 'Pill', 'PillsInput'],
  TagsInput: ['Combobox', 'Pill', 'PillsInput'],
  PillsInput: ['Pill', 'PillsInput'],
  Radio: ['RadioIndicator', 'Radio'],
}

const textOf = (file: string) => readFileSync(file, 'utf8')
const stylesIn = (text: string) => [...text.matchAll(/styles\/([\w-]+)[.]layer[.]css'/g)].map(([, name]) => name)
const componentsIn = (text: string) =>
  [...text.matchAll(IMPORTED)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => /^[A-Z]/.test(name))

it('a file that uses a library component imports its styles, unless the styles are loaded on every page', () => {
  const everywhere = new Set(stylesIn(textOf('src/web/theme/styles.ts')))
  const missing = globSync('src/**/*.tsx').flatMap((file) => {
    const text = textOf(file)
    const own = new Set(stylesIn(text))
    return componentsIn(text)
      .flatMap((name) => DRAWN_WITH[name] ?? [name])
      .filter((name) => existsSync(`${LIBRARY}/${name}.layer.css`) && !everywhere.has(name) && !own.has(name))
      .map((name) => `${file}: import '@mantine/core/styles/${name}.layer.css'`)
  })
  expect(missing).toEqual([])
})
